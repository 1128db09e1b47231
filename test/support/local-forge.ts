// What a person does in a local forge: reads its records from the remote, and writes others.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Repo } from './repo.ts';

export type ForgeRecord = {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: string;
  readonly labels: readonly string[];
  readonly comments: readonly { readonly id: number; readonly author: string; readonly body: string }[];
  readonly events?: readonly { readonly what: string; readonly at: string; readonly by: string }[];
};

const REF = 'refs/harness/forge';

/** By number; empty where there is none yet. */
export function recordsOf(repo: Repo, kind: 'issues' | 'pulls'): readonly ForgeRecord[] {
  if (repo.git('ls-remote', 'origin', REF) === '') return [];
  repo.git('fetch', '-q', 'origin', REF);
  const names = repo.git('ls-tree', '-r', '--name-only', 'FETCH_HEAD', `${kind}/`).split('\n');
  return names
    .filter((name) => name !== '')
    .map((name) => JSON.parse(repo.git('show', `FETCH_HEAD:${name}`)) as ForgeRecord)
    .sort((a, b) => a.number - b.number);
}

/** Writes a record as a person's own program would. */
export function writeRecord(repo: Repo, kind: 'issues' | 'pulls', record: Pick<ForgeRecord, 'number'>): void {
  const isThere = repo.git('ls-remote', 'origin', REF) !== '';
  if (isThere) repo.git('fetch', '-q', 'origin', REF);
  const env = { ...repo.env, GIT_INDEX_FILE: join(repo.root, '..', 'forge.index') };
  const git = (args: readonly string[], input = ''): string =>
    execFileSync('git', args, { cwd: repo.root, env, input, encoding: 'utf8' }).trimEnd();
  git(['read-tree', ...(isThere ? ['FETCH_HEAD'] : ['--empty'])]);
  const blob = git(['hash-object', '-w', '--stdin'], `${JSON.stringify(record, null, 2)}\n`);
  git(['update-index', '--add', '--cacheinfo', `100644,${blob},${kind}/${record.number}.json`]);
  const parents = isThere ? ['-p', 'FETCH_HEAD'] : [];
  const commit = git(['commit-tree', git(['write-tree']), ...parents, '-m', 'by hand']);
  git(['push', '-q', 'origin', `${commit}:${REF}`]);
}

/** A person closes or reopens an issue, at this moment of the test. */
export function setByPerson(repo: Repo, number: number, state: 'open' | 'closed', at: string): void {
  const record = recordsOf(repo, 'issues').find((one) => one.number === number);
  if (record === undefined) throw new Error(`no issue #${number}`);
  const event = { what: state === 'open' ? 'reopened' : 'closed', at, by: 'Grace' };
  const changed = { ...record, state, events: [...(record.events ?? []), event], updated: at };
  writeRecord(repo, 'issues', changed);
}
