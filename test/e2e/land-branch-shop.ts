// The workshop with `land: branch`, and what is the user's in it.
import type { Repo } from '../support/repo.ts';
import { honest, workshop, type Options, type Steps, type Workshop } from './workshop.ts';

export const branching = (options: Options = {}): Workshop =>
  workshop({ sessions: honest, ...options, config: `land: branch\n${options.config ?? ''}` });

export type Ended = { readonly run: string; readonly branch?: { readonly name: string; readonly commits: number } };
/** The user's branch, index and files. */
export const users = (shop: Repo): readonly string[] => [
  shop.git('rev-parse', 'main'),
  shop.git('branch', '--show-current'),
  shop.git('status', '--porcelain'),
  shop.git('stash', 'list'),
];
export const branches = (shop: Repo): readonly string[] => shop.git('branch', '--format=%(refname:short)').split('\n');
export const itemsOn = (shop: Repo, rev: string): readonly string[] =>
  shop.git('log', '--reverse', '--format=%(trailers:key=Harness-Item,valueonly)', rev).split('\n').filter(Boolean);
export const landedIn = async (shop: Repo): Promise<number> =>
  ((await shop.harness('status', '--json')).json() as { readonly items: { readonly landed: number } }).items.landed;

export const waiting: Steps = [{ write: { path: '../at-work', text: '' } }, { wait_for_file: '../go' }];
