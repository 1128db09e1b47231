// Attempts: work that was given up, kept so that nothing an agent did is ever lost. Each is a private commit with a number.
import { refPart } from '../model/ref-part.ts';
import { ok, type Result } from '../model/result.ts';
import { commitTreeObject, type Snapshot } from './checkpoint.ts';
import type { Git, ObjectId } from './git.ts';
import { moveRefs, readHead, resolveCommit } from './head.ts';
import { type TreeWithIgnored, addHiddenByAgent } from './ignored-files.ts';
import { readCommits, writeMessage } from './message.ts';
import { asUser } from './settings.ts';
import { withWorkTree } from './tree.ts';
import { withPathsOf } from './tree-paths.ts';
import { rawView } from './view.ts';

export type Attempt = {
  /** Counts from 1 within the item. */
  readonly number: number;
  readonly ref: string;
  readonly commit: ObjectId;
  readonly tree: ObjectId;
  readonly why: string;
  readonly session: number;
  readonly at: string;
  readonly token: string;
  /** Folders that were repositories of their own: here as plain files. */
  readonly inner: readonly string[];
  /** What git ignores and was touched meanwhile: not in the attempt, left where it lies. A folder ends with a slash. */
  readonly ignored: readonly string[];
};

export type AttemptAsk = {
  /** null: work that belongs to no item. */
  readonly item: string | null;
  readonly session: number;
  readonly why: string;
  /** Where the work began. */
  readonly base: Snapshot;
  /** Asked again with the same token, the answer is the attempt of then, whatever the work tree is now. */
  readonly token: string;
  /** A user's files: as in the base. */
  readonly without?: readonly string[];
};

const ROOT = 'refs/harness/attempts';

/** `%none` cannot be an item: a percent sign is always written as two hex digits. */
const folder = (item: string | null): string => `${ROOT}/${item === null ? '%none' : refPart(item)}`;

/**
 * Keeps whatever the work tree and HEAD are now, repositories inside the repository as plain files, and what only new
 * ignore rules hide; commits made since `base` stay reachable through it. null where nothing differs from `base`.
 */
export async function keepAttempt(git: Git, ask: AttemptAsk): Promise<Result<Attempt | null>> {
  const known = await listAttempts(git, ask.item);
  if (!known.ok) return known;
  const same = known.value.find(({ token }) => token === ask.token);
  if (same !== undefined) return ok(same);
  const [view, user, parents] = await Promise.all([rawView(git), asUser(git), tips(git, ask.base)]);
  if (!view.ok) return view;
  if (!user.ok) return user;
  if (!parents.ok) return parents;
  const since = await readCommits(git, ['-n1', ask.base.commit]);
  if (!since.ok) return since;
  const sinceMs = Date.parse(since.value[0]?.at ?? '');
  const found = await withWorkTree(git, view.value, 'absorb', async (work): Promise<Result<Found>> => {
    const whole = await addHiddenByAgent(git, work, ask.base, sinceMs);
    return whole.ok ? ok({ ...whole.value, inner: work.nested.map(({ path }) => path) }) : whole;
  });
  if (!found.ok) return found;
  const { left, inner } = found.value;
  const work = await withPathsOf(git, found.value.tree, ask.base.tree, ask.without ?? []);
  if (!work.ok) return work;
  const tree = work.value;
  const [head, ...others] = parents.value;
  if (tree === ask.base.tree && inner.length === 0 && head === ask.base.head && others.length === 0) return ok(null);
  const message = writeMessage(ask.why, '', {
    'Harness-Item': ask.item ?? '',
    'Harness-Session': String(ask.session),
    'Harness-Inner': pathsText(inner),
    'Harness-Ignored': pathsText(left),
    'Harness-Token': ask.token,
  });
  const commit = await commitTreeObject(git, user.value, tree, parents.value, message);
  if (!commit.ok) return commit;
  const number = Math.max(0, ...known.value.map((attempt) => attempt.number)) + 1;
  // Created, never replaced: two who keep at once get a failure, not one attempt less.
  const kept = await git.run([
    'update-ref',
    `${folder(ask.item)}/${number}`,
    commit.value,
    '0'.repeat(commit.value.length),
  ]);
  if (!kept.ok) return kept;
  const now = await listAttempts(git, ask.item);
  return now.ok ? ok(now.value.find((attempt) => attempt.number === number) ?? null) : now;
}

/** A commit that is there already, as the next attempt of its item; what else is in `updates` happens with it or not at all. */
export async function commitAsAttempt(
  git: Git,
  ask: { readonly item: string; readonly commit: ObjectId; readonly updates: readonly string[] },
): Promise<Result<{ readonly ref: string; readonly number: number }>> {
  const known = await listAttempts(git, ask.item);
  if (!known.ok) return known;
  const same = known.value.find(({ commit }) => commit === ask.commit);
  const number = same?.number ?? Math.max(0, ...known.value.map((attempt) => attempt.number)) + 1;
  const ref = `${folder(ask.item)}/${number}`;
  const moved = await moveRefs(git, [...(same === undefined ? [`create ${ref} ${ask.commit}`] : []), ...ask.updates]);
  return moved.ok ? ok({ ref, number }) : moved;
}

type Found = TreeWithIgnored & { readonly inner: readonly string[] };

/** Names of files may hold anything but what JSON cannot. */
const pathsText = (paths: readonly string[]): string => (paths.length === 0 ? '' : JSON.stringify(paths));

function pathsIn(text: string | undefined): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter((path) => typeof path === 'string') : [];
  } catch {
    return []; // a hand-made ref
  }
}

/** Oldest first. */
export async function listAttempts(git: Git, item: string | null): Promise<Result<readonly Attempt[]>> {
  const found = await attemptsBelow(git, `${folder(item)}/`);
  return found.ok ? found : found;
}

/** `item` null: work that belongs to no item. */
export type ItemAttempt = Attempt & { readonly item: string | null };

/** Of every item, each item's oldest first. */
export const listEveryAttempt = (git: Git): Promise<Result<readonly ItemAttempt[]>> => attemptsBelow(git, `${ROOT}/`);

async function attemptsBelow(git: Git, root: string): Promise<Result<readonly ItemAttempt[]>> {
  const refs = await git.run(['for-each-ref', '--format=%(objectname) %(refname)', root]);
  if (!refs.ok) return refs;
  const named = refs.value.split('\n').flatMap((line) => {
    const [, commit = '', ref = '', number = ''] = /^(\S+) (.*\/(\d+))$/.exec(line) ?? [];
    return commit === '' ? [] : [{ commit, ref, number: Number(number) }];
  });
  if (named.length === 0) return ok([]);
  const read = await readCommits(git, ['--no-walk=unsorted', ...named.map(({ commit }) => commit)]);
  if (!read.ok) return read;
  const records = new Map(read.value.map((record) => [record.commit, record]));
  const attempts = named.flatMap(({ commit, ref, number }) => {
    const record = records.get(commit);
    if (record === undefined) return [];
    const { subject, trailers, tree, at } = record;
    const session = Number(trailers['Harness-Session'] ?? 0);
    const item = trailers['Harness-Item'] ?? null;
    const token = trailers['Harness-Token'] ?? '';
    const [inner, ignored] = [pathsIn(trailers['Harness-Inner']), pathsIn(trailers['Harness-Ignored'])];
    return [{ item, number, ref, commit, tree, why: subject, session, at, token, inner, ignored }];
  });
  return ok(attempts.sort((a, b) => byItem(a.item ?? '', b.item ?? '') || a.number - b.number));
}

const byItem = (a: string, b: string): number => {
  const areNumbers = /^\d+$/.test(a) && /^\d+$/.test(b);
  return areNumbers ? Number(a) - Number(b) : Number(a > b) - Number(a < b);
};

/** HEAD, and the branch of the base where the agent went elsewhere after committing on it. */
async function tips(git: Git, base: Snapshot): Promise<Result<readonly ObjectId[]>> {
  const head = await readHead(git);
  if (!head.ok) return head;
  const found = head.value.commit === null ? [] : [head.value.commit];
  if (base.branch === '' || head.value.branch === base.branch) return ok(found);
  const tip = await resolveCommit(git, `refs/heads/${base.branch}`);
  if (!tip.ok) return tip;
  const isNew = tip.value !== null && tip.value !== base.head && !found.includes(tip.value);
  return ok(isNew && tip.value !== null ? [...found, tip.value] : found);
}
