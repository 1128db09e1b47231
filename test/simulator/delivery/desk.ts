// What a simulated delivery is about: forty plans as files, what the work on each is, and where its remote is at.
import type { Dice } from '../chance.ts';
import type { Mission } from '../mission.ts';
import { makeCommit, merged, withFiles, type Commit, type Repository, type Tree } from '../repository.ts';

export const PLANS = 40;
const idOf = (n: number): string => String(n).padStart(4, '0');
export const IDS: readonly string[] = Array.from({ length: PLANS }, (_, n) => idOf(n + 1));
const nameOf = (id: string): string => `${id}-part`;
export const planFile = (id: string): string => `docs/plans/${nameOf(id)}.md`;
export const mergedFile = (id: string): string => `docs/plans/completed/${nameOf(id)}.md`;
export const workOf = (id: string): string => `src/p${id}.txt`;
export const testOf = (id: string): string => `tests/p${id}.test`;
export const planOfTest = (test: string): string => /p(\d{4})\.test/.exec(test)?.[1] ?? '';

/** Tests pass with both; a reviewer who looks closely finds the second. */
export const [DONE, BLEMISHED] = ['it works as planned\n', 'it works as planned\nand swallows every error\n'];
export const BLEMISH = 'and swallows every error';
export const isTrue = (tree: Tree, id: string): boolean => tree.get(workOf(id))?.startsWith('it works') === true;

/** Each third plan waits for one or two before it. */
export const dependenciesOf = (id: string): readonly string[] => {
  const n = Number(id);
  return n % 3 !== 0
    ? []
    : [n - 1, Math.floor(n / 2)].filter((one, at, all) => one > 0 && all.indexOf(one) === at).map(idOf);
};

export const FILES: { readonly [path: string]: string } = {
  '.harness.yaml': 'playbook: delivery\n',
  '.gitignore': '.harness/\n',
  'init.sh': '#!/bin/sh\n',
  'reset.sh': '#!/bin/sh\n',
  'README.md': '# Parts\n',
  ...Object.fromEntries(
    IDS.map((id) => {
      const on = dependenciesOf(id);
      const needs = on.length === 0 ? '' : `- Depends on: ${on.join(', ')}\n`;
      return [planFile(id), `# Part ${id}\n\n- Test: ${testOf(id)}\n${needs}\n## Work\n\nPart ${id} works.\n`];
    }),
  ),
};

export type SimulatedPull = {
  readonly number: number;
  readonly item: string;
  state: 'open' | 'merged';
  sha: string;
  label: string | null;
  merge: string | null;
};
export type Remote = {
  /** The newest commit of the base branch. */
  base: string;
  readonly pulls: SimulatedPull[];
  readonly checks: Map<string, 'passed' | 'failed'>;
  /** How often the checks of a commit were asked for. */
  readonly asked: Map<string, number>;
  /** By plan: commits that moved its file. */
  readonly moves: Map<string, number>;
  /** Trees that a reviewer found without anything that blocks, and those that a merge-checker let pass, with their plans. */
  readonly reviewed: Set<string>;
  readonly ready: Set<string>;
  readonly dice: Dice;
};
const remotes = new WeakMap<Repository, Remote>();
export function openRemote({ repo }: Mission, dice: Dice): void {
  const sets = { reviewed: new Set<string>(), ready: new Set<string>() };
  const maps = { checks: new Map(), asked: new Map(), moves: new Map() };
  remotes.set(repo, { base: repo.head, pulls: [], ...maps, ...sets, dice });
}
export const remoteOf = ({ repo }: Mission): Remote => remotes.get(repo)!;
export const baseOf = (mission: Mission): Commit => mission.repo.commits.get(remoteOf(mission).base)!;

/** A commit on the base branch of the remote. */
export function commitOnBase(mission: Mission, subject: string, tree: Tree, trailers: Commit['trailers'] = {}): Commit {
  const remote = remoteOf(mission);
  const commit = makeCommit(mission.repo, { tree, subject, at: mission.time.clock.iso(), trailers }, remote.base);
  remote.base = commit.id;
  return commit;
}

/** What a merge would be; null: it conflicts. */
export function mergeOf(mission: Mission, sha: string): Tree | null {
  const head = mission.repo.commits.get(sha)!;
  const from = mission.repo.commits.get(head.parent ?? '')!;
  return merged(from.tree, baseOf(mission).tree, head.tree);
}

/** A person who works beside it: on a file of their own, or on what a plan is about. */
export function personCommits(mission: Mission): void {
  const { dice } = remoteOf(mission);
  const { tree } = baseOf(mission);
  const open = IDS.filter((id) => tree.has(planFile(id)));
  const path = dice.happens(0.3) && open.length > 0 ? workOf(dice.oneOf(open.slice(0, 3))) : 'README.md';
  const text = path === 'README.md' ? `${tree.get(path) ?? ''}A line.\n` : 'notes of a person\n';
  if (tree.get(path) !== text) commitOnBase(mission, 'a person was here', withFiles(tree, { [path]: text }));
}
