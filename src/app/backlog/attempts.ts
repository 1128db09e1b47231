// Attempts: what was rolled back or interrupted, to be looked at and taken. Nothing here touches the work tree.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { wholeEnvironment } from '../../host/environment.ts';
import { failure } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { listEveryAttempt, refPart, type ItemAttempt } from '../../repos/attempts.ts';
import { createGit, type Git } from '../../repos/git.ts';
import { resolveCommit } from '../../repos/head.ts';
import { diffStat, diffText, type FileStat } from '../../repos/history.ts';
import { readStandings } from '../look/item-list.ts';
import { nameItem } from './find-item.ts';
import type { View } from '../open/view.ts';

/** Work that belongs to no item, as a person names it. */
export const NO_ITEM = 'none';

export type Kept = ItemAttempt & { readonly title: string; readonly base: string; readonly files: readonly FileStat[] };

const gitOf = (view: View): Git =>
  createGit({ root: view.root, env: wholeEnvironment(), token: `${view.privateDir}@reader-${process.pid}` });

/** Of one item, or of all where `word` is null; by item, then oldest first. Fails with `item-unknown`. */
export async function listKept(view: View, word: string | null): Promise<Result<readonly Kept[]>> {
  // Nothing has been worked here yet.
  if (!view.hasGit && !existsSync(join(dirname(view.privateDir), 'HEAD'))) return ok([]);
  const git = gitOf(view);
  const all = await listEveryAttempt(git);
  if (!all.ok) return all;
  const standings = await readStandings(view);
  const items = standings.ok ? standings.value.items : []; // attempts are wanted most where the backlog is broken
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
  const kept: Kept[] = [];
  for (const attempt of wanted) {
    const base = await baseOf(git, attempt);
    if (!base.ok) return base;
    const files = await diffStat(git, base.value, attempt.commit);
    if (!files.ok) return files;
    kept.push({ ...attempt, title: titleOf.get(attempt.item ?? '') ?? '', base: base.value, files: files.value });
  }
  return ok(kept);
}

export type KeptDiff = Kept & { readonly diff: string };

/** `number` null: the newest. Fails with `attempt-unknown` too. */
export async function showKept(view: View, word: string, number: number | null): Promise<Result<KeptDiff>> {
  const kept = await oneOf(view, word, number);
  if (!kept.ok) return kept;
  const diff = await diffText(gitOf(view), kept.value.base, kept.value.commit);
  return diff.ok ? ok({ ...kept.value, diff: diff.value }) : diff;
}

export type Taken = { readonly attempt: Kept; readonly branch: string; readonly isNew: boolean };

/** Makes a branch that stands on the attempt, and leaves the work tree where it is. Fails with `branch-exists` too. */
export async function takeKept(
  view: View,
  word: string,
  number: number | null,
  name: string | null,
): Promise<Result<Taken>> {
  const kept = await oneOf(view, word, number);
  if (!kept.ok) return kept;
  const attempt = kept.value;
  const branch = name ?? branchOf(attempt);
  const git = gitOf(view);
  const valid = await git.run(['check-ref-format', '--branch', branch], { allow: [128] });
  if (!valid.ok) return valid;
  if (valid.value.trim() !== branch)
    return err(failure('usage', { what: `'${branch}' is no name for a branch`, hint: 'harness attempts --help' }));
  const ref = `refs/heads/${branch}`;
  const there = await resolveCommit(git, ref);
  if (!there.ok) return there;
  if (there.value === attempt.commit) return ok({ attempt, branch, isNew: false });
  if (there.value !== null) return err(failure('branch-exists', { branch }));
  const made = await git.run(['update-ref', '-m', 'harness attempts take', ref, attempt.commit, '']);
  return made.ok ? ok({ attempt, branch, isNew: true }) : made;
}

export const branchOf = ({ item, number }: Pick<Kept, 'item' | 'number'>): string =>
  `harness/attempt-${item === null ? NO_ITEM : refPart(item)}-${number}`;

async function oneOf(view: View, word: string, number: number | null): Promise<Result<Kept>> {
  const kept = await listKept(view, word);
  if (!kept.ok) return kept;
  const found = number === null ? kept.value.at(-1) : kept.value.find((one) => one.number === number);
  if (found !== undefined) return ok(found);
  const known = kept.value.map((one) => one.number).join(', ');
  const item: ItemId = word.replace(/^#/, '');
  return err(failure('attempt-unknown', { item, number: number ?? '', known }));
}

/** Where the work of an attempt began: what it shares with the branch of today, else its first parent. */
async function baseOf(git: Git, { commit }: ItemAttempt): Promise<Result<string>> {
  const shared = await git.run(['merge-base', 'HEAD', commit], { allow: [1] });
  if (!shared.ok) return shared;
  return ok(shared.value.trim() === '' ? `${commit}^` : (shared.value.trim().split('\n')[0] ?? ''));
}
