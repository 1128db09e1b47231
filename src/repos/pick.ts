// Commits made by plumbing, beside the user's work tree and branches: one picked onto another, a branch merged. No ref moves.
import { ok, type Result } from '../model/result.ts';
import { commitTreeObject } from './checkpoint.ts';
import type { Git, ObjectId } from './git.ts';
import { blobText } from './history.ts';
import { mergedTree, mergedTrees } from './merge.ts';
import { readCommits } from './message.ts';
import { readObjects } from './objects.ts';
import { asUser } from './settings.ts';
import { withEntries, withPathsOf } from './tree-paths.ts';
import { filesOfTree } from './tree-walk.ts';

export type Made = { readonly commit: ObjectId } | { readonly conflicts: readonly string[] };

export type PickAsk = {
  readonly commit: ObjectId;
  readonly onto: ObjectId;
  readonly message: string;
  /** A file that only grows: what the commit added is put at its end, whatever is there. null: none. */
  readonly growing: string | null;
};

/** The same commit each time, in the name and at the time of the original. */
export async function pickOnto(git: Git, { commit, onto, message, growing }: PickAsk): Promise<Result<Made>> {
  const read = await readObjects(git, [`${commit}^{tree}`, `${commit}^1^{tree}`, `${onto}^{tree}`, commit]);
  if (!read.ok) return read;
  const [tree, before, ours, object] = read.value.map((one) => one ?? null);
  const { id: base } = before ?? { id: '' };
  if (!tree || !ours || !object || base === '') return ok({ conflicts: ['(the commit is not complete here)'] });
  const grown = growing === null ? ok(null) : await grownFile(git, growing, { from: base, to: tree.id, on: ours.id });
  if (!grown.ok) return grown;
  const paths = growing === null || grown.value === null ? [] : [growing];
  const theirs = await withPathsOf(git, tree.id, base, paths);
  if (!theirs.ok) return theirs;
  const merged = await mergedTrees(git, { base, ours: ours.id, theirs: theirs.value });
  if (!merged.ok) return merged;
  if ('conflicts' in merged.value) return ok(merged.value);
  const files = new Map(growing === null || grown.value === null ? [] : [[growing, grown.value] as const]);
  const whole = files.size === 0 ? ok(merged.value.tree) : await withEntries(git, merged.value.tree, files);
  if (!whole.ok) return whole;
  const env = namesOf(object.bytes.toString('utf8'));
  const made = await git.run(['commit-tree', whole.value, '-p', onto, '-F', '-'], { env, stdin: message });
  return made.ok ? ok({ commit: made.value.trim() }) : made;
}

/** The file as it is there, with what was added between two trees at its end. null: it did not simply grow. */
export async function grownFile(
  git: Git,
  path: string,
  trees: { readonly from: ObjectId; readonly to: ObjectId; readonly on: ObjectId },
): Promise<Result<{ readonly mode: string; readonly id: ObjectId } | null>> {
  const texts: (string | null)[] = [];
  let mode = '100644';
  for (const tree of [trees.from, trees.to, trees.on]) {
    const listed = await filesOfTree(git, tree, [path]);
    if (!listed.ok) return listed;
    const file = listed.value.find((one) => one.path === path);
    if (file !== undefined) mode = file.mode;
    const text = file === undefined ? ok(null) : await blobText(git, file.id);
    if (!text.ok) return text;
    texts.push(text.value);
  }
  const [from, to, on] = texts;
  if (typeof from !== 'string' || typeof to !== 'string' || typeof on !== 'string' || !to.startsWith(from))
    return ok(null);
  const added = to.slice(from.length);
  const isThere = added.trim() !== '' && on.includes(added.trim());
  const text = isThere ? on : on === '' || on.endsWith('\n') ? `${on}${added}` : `${on}\n${added}`;
  const blob = await git.run(['hash-object', '-w', '--stdin'], { stdin: text });
  return blob.ok ? ok({ mode, id: blob.value.trim() }) : blob;
}

/** Names and times of a commit, for the environment of another one. */
function namesOf(text: string): { readonly [name: string]: string } {
  const env: { [name: string]: string } = {};
  for (const role of ['author', 'committer']) {
    const [, name = '', email = '', at = ''] = new RegExp(`^${role} (.*?) <(.*?)> (.+)$`, 'm').exec(text) ?? [];
    const upper = role.toUpperCase();
    Object.assign(env, { [`GIT_${upper}_NAME`]: name, [`GIT_${upper}_EMAIL`]: email, [`GIT_${upper}_DATE`]: at });
  }
  return env;
}

export type MergeBranchAsk = {
  readonly base: ObjectId;
  readonly head: ObjectId;
  readonly method: 'merge' | 'squash' | 'rebase';
  readonly title: string;
  readonly message: string;
};

export async function mergeBranch(git: Git, ask: MergeBranchAsk): Promise<Result<Made>> {
  const { base, head, method, title, message } = ask;
  if (method === 'rebase') return rebased(git, base, head);
  const merged = await mergedTree(git, base, head);
  if (!merged.ok) return merged;
  if ('conflicts' in merged.value) return ok(merged.value);
  const user = await asUser(git);
  if (!user.ok) return user;
  const text = `${[title, message.trim()].filter((part) => part !== '').join('\n\n')}\n`;
  const parents = method === 'merge' ? [base, head] : [base];
  const commit = await commitTreeObject(git, user.value, merged.value.tree, parents, text);
  return commit.ok ? ok({ commit: commit.value }) : commit;
}

/** The commits of the branch one by one, without its merges. */
async function rebased(git: Git, base: ObjectId, head: ObjectId): Promise<Result<Made>> {
  const commits = await readCommits(git, ['--reverse', '--no-merges', head, `^${base}`]);
  if (!commits.ok) return commits;
  let onto = base;
  for (const { commit } of commits.value) {
    const message = await messageOf(git, commit);
    if (!message.ok) return message;
    const picked = await pickOnto(git, { commit, onto, message: message.value, growing: null });
    if (!picked.ok || 'conflicts' in picked.value) return picked;
    onto = picked.value.commit;
  }
  return ok({ commit: onto });
}

export async function messageOf(git: Git, commit: ObjectId): Promise<Result<string>> {
  const read = await readObjects(git, [commit]);
  if (!read.ok) return read;
  const text = read.value[0]?.bytes.toString('utf8') ?? '';
  return ok(text.slice(text.indexOf('\n\n') + 2));
}
