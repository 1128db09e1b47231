// Recording a run of the workshop and replaying it in another clone: what the stories about both have in common.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { workshop, type Session, type Workshop } from './workshop.ts';

export type Told = {
  readonly result: string;
  readonly items: readonly { readonly id: string; readonly result: string; readonly reason: string }[];
};
export const verdicts = ({ result, items }: Told): unknown => [
  result,
  ...items.map(({ id, result: r, reason }) => `${id} ${r} ${reason}`),
];
export const history = (shop: Workshop): string => shop.git('log', '--format=%T %s');
const FLAGS = ['--until-done', '--max-sessions', '5', '--json'];

/** The repository as it was before the run, in another folder, of a person who has another home. */
export function elsewhere(shop: Workshop, rev: string): Workshop {
  const other = workshop({ sessions: [] });
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: other.root, env: other.env, encoding: 'utf8' });
  git('fetch', '-q', shop.root, rev);
  git('reset', '-q', '--hard', 'FETCH_HEAD');
  return other;
}
export async function recorded(sessions: readonly Session[], ...flags: string[]) {
  const shop = workshop({ sessions });
  const start = shop.git('rev-parse', 'HEAD');
  shop.git('branch', 'start');
  const cassette = join(shop.around, 'run.jsonl');
  const ran = await shop.harness('run', '--record', '--cassette', cassette, ...(flags.length === 0 ? FLAGS : flags));
  return { shop, start, cassette, ran, told: ran.json() as unknown as Told, flags: flags.length === 0 ? FLAGS : flags };
}
export const replay = (shop: Workshop, cassette: string, ...flags: string[]) =>
  shop.harness('run', '--provider', 'replay', '--cassette', cassette, ...flags);
