// Attempts: work that was rolled back or interrupted, to inspect or to branch from. The work tree is never changed.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { wholeEnvironment } from '../../host/environment.ts';
import { failure } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import type { WorkInProgress } from '../../model/repository-view.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { refPart } from '../../model/ref-part.ts';
import { listEveryAttempt, type ItemAttempt } from '../../repos/attempts.ts';
import { createGit, type Git } from '../../repos/git.ts';
import { resolveCommit } from '../../repos/head.ts';
import { diffStat, diffText, type FileStat } from '../../repos/history.ts';
import { listWips } from '../../repos/wip.ts';
import { readCurrentItems } from '../look/current-items.ts';
import { nameItem } from './find-item.ts';
import type { ProjectView } from '../open/project-view.ts';

/** The word for work that belongs to no item. */
export const NO_ITEM = 'none';

export type AttemptSummary = ItemAttempt & {
  readonly title: string;
  readonly base: string;
  readonly files: readonly FileStat[];
};

const gitOf = (view: ProjectView): Git =>
  createGit({ root: view.root, env: wholeEnvironment(), token: `${view.privateDir}@reader-${process.pid}` });

/** The attempts of one item, or of all if `word` is null; by item, then oldest first. Fails with `item-unknown`. */
export async function readAttempts(view: ProjectView, word: string | null): Promise<Result<readonly AttemptSummary[]>> {
  // No work was done here yet.
  if (!view.hasGit && !existsSync(join(dirname(view.privateDir), 'HEAD'))) return ok([]);
  const git = gitOf(view);
  const all = await listEveryAttempt(git);
  if (!all.ok) return all;
  const current = await readCurrentItems(view);
  const items = current.ok ? current.value.items : []; // attempts are needed most when the backlog is broken
  const titleOf = new Map(items.map(({ id, title }) => [id, title]));
  const known = [
    ...items,
    ...all.value.flatMap(({ item }) => (item === null || titleOf.has(item) ? [] : [{ id: item, title: '' }])),
  ];
  let wanted = all.value;
  if (word !== null) {
    const named = word === NO_ITEM ? ok(null) : nameItem(word, known);
    if (!named.ok) return named;
    const id = named.value?.id ?? null;
    wanted = all.value.filter(({ item }) => item === id);
  }
  const kept: AttemptSummary[] = [];
  for (const attempt of wanted) {
    const base = await baseOf(git, attempt);
    if (!base.ok) return base;
    const files = await diffStat(git, base.value, attempt.commit);
    if (!files.ok) return files;
    kept.push({ ...attempt, title: titleOf.get(attempt.item ?? '') ?? '', base: base.value, files: files.value });
  }
  return ok(kept);
}

/** Unfinished work that the next session of its item continues: of one item, or of all if `word` is null. */
export async function readWorkInProgress(
  view: ProjectView,
  word: string | null,
): Promise<Result<readonly WorkInProgress[]>> {
  if (!view.hasGit && !existsSync(join(dirname(view.privateDir), 'HEAD'))) return ok([]);
  const all = await listWips(gitOf(view));
  const item = word?.replace(/^#/, '') ?? null;
  return all.ok ? ok(all.value.filter((one) => item === null || one.item === item)) : all;
}

export type AttemptDiff = AttemptSummary & { readonly diff: string };

/** `number` null: the newest. Fails with `attempt-unknown` too. */
export async function readAttempt(
  view: ProjectView,
  word: string,
  number: number | null,
): Promise<Result<AttemptDiff>> {
  const kept = await oneOf(view, word, number);
  if (!kept.ok) return kept;
  const diff = await diffText(gitOf(view), kept.value.base, kept.value.commit);
  return diff.ok ? ok({ ...kept.value, diff: diff.value }) : diff;
}

export type AttemptBranch = { readonly attempt: AttemptSummary; readonly branch: string; readonly isNew: boolean };

/** Creates a branch at the attempt; the work tree stays. Fails with `branch-exists` too. */
export async function branchFromAttempt(
  view: ProjectView,
  word: string,
  number: number | null,
  name: string | null,
): Promise<Result<AttemptBranch>> {
  const kept = await oneOf(view, word, number);
  if (!kept.ok) return kept;
  const attempt = kept.value;
  const branch = name ?? branchOf(attempt);
  const git = gitOf(view);
  const valid = await git.run(['check-ref-format', '--branch', branch], { allow: [128] });
  if (!valid.ok) return valid;
  if (valid.value.trim() !== branch)
    return err(failure('usage', { what: `'${branch}' is not a valid branch name`, hint: 'harness attempts --help' }));
  const ref = `refs/heads/${branch}`;
  const there = await resolveCommit(git, ref);
  if (!there.ok) return there;
  if (there.value === attempt.commit) return ok({ attempt, branch, isNew: false });
  if (there.value !== null) return err(failure('branch-exists', { branch }));
  const made = await git.run(['update-ref', '-m', 'harness attempts take', ref, attempt.commit, '']);
  return made.ok ? ok({ attempt, branch, isNew: true }) : made;
}

export const branchOf = ({ item, number }: Pick<AttemptSummary, 'item' | 'number'>): string =>
  `harness/attempt-${item === null ? NO_ITEM : refPart(item)}-${number}`;

async function oneOf(view: ProjectView, word: string, number: number | null): Promise<Result<AttemptSummary>> {
  const kept = await readAttempts(view, word);
  if (!kept.ok) return kept;
  const found = number === null ? kept.value.at(-1) : kept.value.find((one) => one.number === number);
  if (found !== undefined) return ok(found);
  const known = kept.value.map((one) => one.number).join(', ');
  const item: ItemId = word.replace(/^#/, '');
  return err(failure('attempt-unknown', { item, number: number ?? '', known }));
}

/** The merge base with the current branch, else the attempt's first parent. */
async function baseOf(git: Git, { commit }: ItemAttempt): Promise<Result<string>> {
  const shared = await git.run(['merge-base', 'HEAD', commit], { allow: [1] });
  if (!shared.ok) return shared;
  return ok(shared.value.trim() === '' ? `${commit}^` : (shared.value.trim().split('\n')[0] ?? ''));
}
