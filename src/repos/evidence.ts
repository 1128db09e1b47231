// Evidence bundles in git: each is a commit whose parent is the bundle before it, so that the newest keeps all of them.
// Owns the refs and their order: pending until the landing commit exists, then the item's own and the end of the chain.
import { Buffer } from 'node:buffer';
import { failure, type Failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { refPart } from '../model/ref-part.ts';
import { commitText } from './commit-text.ts';
import { editedFolders, FOLDER, type TreeEntry } from './edited-tree.ts';
import type { Git, ObjectId } from './git.ts';
import { moveRefs, readHead, resolveCommit, setRef } from './head.ts';
import { writeObjects, type NewObject } from './loose-objects.ts';
import { readObjects } from './objects.ts';
import { idFromFiles } from './ref-files.ts';
import { networkEnvironment, remoteUrl } from './remote.ts';
import { asUser } from './settings.ts';

export const EVIDENCE_ROOT = 'refs/harness/evidence';
/** The newest bundle. No item can be called so: a percent sign is always written as two hex digits. */
export const CHAIN_END = `${EVIDENCE_ROOT}/%chain`;
/** What brings the bundles of a remote here: nothing fetches them by itself. */
export const EVIDENCE_REFSPEC = `${EVIDENCE_ROOT}/*:${EVIDENCE_ROOT}/*`;

export const evidenceRef = (item: string): string => `${EVIDENCE_ROOT}/${refPart(item)}`;
const pendingRef = (mark: string): string => `refs/harness/pending/${mark}`;

export type BundleFile = { readonly path: string; readonly text: string };

/**
 * A bundle as a commit under a pending ref of `mark`; made again, the newer one counts. `at`: ISO 8601, for the commit. Its objects are written
 * here: where `git gc` beside it removes a folder of objects, `git fast-import` that syncs them together loses some and reports success.
 */
export async function writeBundle(
  git: Git,
  ask: {
    readonly mark: string;
    readonly message: string;
    readonly at: string;
    readonly previous: ObjectId | null;
    readonly files: readonly BundleFile[];
    /** A whole tree as a folder of the bundle; left out: none. */
    readonly tree?: { readonly path: string; readonly id: ObjectId };
  },
): Promise<Result<void>> {
  const { previous, tree: whole } = ask;
  const [user, head] = [await asUser(git), await readHead(git)];
  if (!user.ok) return user;
  if (!head.ok) return head;
  const like = previous ?? whole?.id ?? head.value.commit ?? '';
  const known = await readObjects(git, [previous, whole?.id].filter(isId));
  if (!known.ok) return known;
  if (known.value.includes(null)) return err(notWritten(git));
  const ids = await writeObjects(
    git,
    ask.files.map(({ text }) => ({ type: 'blob', bytes: Buffer.from(text) })),
    like,
  );
  if (ids === null) return err(notWritten(git));
  const entries = new Map<string, TreeEntry>(
    ask.files.map(({ path }, n) => [path, { mode: '100644', id: ids[n] ?? '' }]),
  );
  if (whole !== undefined) entries.set(whole.path, { mode: FOLDER, id: whole.id });
  const made = editedFolders({ tree: '0'.repeat(like.length), bytes: new Map() }, entries);
  const { GIT_COMMITTER_NAME: name = 'harness', GIT_COMMITTER_EMAIL: email = '' } = user.value;
  const by = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
  const text = commitText(by, made.tree, previous === null ? [] : [previous], ask.message, new Date(ask.at));
  const objects: readonly NewObject[] = [
    ...made.written.map((bytes) => ({ type: 'tree' as const, bytes })),
    { type: 'commit', bytes: Buffer.from(text ?? '') },
  ];
  const commit = text === null ? undefined : (await writeObjects(git, objects, like))?.at(-1);
  if (commit === undefined) return err(notWritten(git));
  const named = await setRef(git, pendingRef(ask.mark), commit);
  return named.ok ? ok(undefined) : named;
}

const isId = (id: ObjectId | null | undefined): id is ObjectId => id !== null && id !== undefined;
const notWritten = ({ commonDir }: Git): Failure =>
  failure('git-failed', { command: 'write the evidence', exit: 'unknown', words: commonDir });

/** How refs move when a bundle joins the chain, as lines of `git update-ref --stdin`. `previous`: what the chain ended with when it was made. */
export function bundleRefs(ask: {
  readonly mark: string;
  readonly item: string;
  readonly previous: ObjectId | null;
}): readonly string[] {
  const pending = pendingRef(ask.mark);
  return [
    `update ${evidenceRef(ask.item)} ${pending}`,
    // Never over a chain that another process extended meanwhile: that would drop a link.
    ask.previous === null ? `create ${CHAIN_END} ${pending}` : `update ${CHAIN_END} ${pending} ${ask.previous}`,
    `delete ${pending}`,
  ];
}

/** A bundle whose commit is there already joins the chain. */
export const settleBundle = (git: Git, ask: Parameters<typeof bundleRefs>[0]): Promise<Result<void>> =>
  settled(git, bundleRefs(ask));

async function settled(git: Git, lines: readonly string[]): Promise<Result<void>> {
  const moved = await moveRefs(git, lines);
  return moved.ok ? ok(undefined) : moved;
}

/** After a crash: puts in its place what still waits. */
export async function settleAgain(
  git: Git,
  ask: { readonly mark: string; readonly item: string },
): Promise<Result<void>> {
  const pending = await resolveCommit(git, pendingRef(ask.mark));
  if (!pending.ok || pending.value === null) return pending.ok ? ok(undefined) : pending;
  const [parent, end] = await Promise.all([
    resolveCommit(git, `${pendingRef(ask.mark)}^`),
    resolveCommit(git, CHAIN_END),
  ]);
  if (!parent.ok) return parent;
  if (!end.ok) return end;
  // Git may have died between one ref and the next: the chain may end with it already.
  const isIn = end.value === pending.value;
  const lines = bundleRefs({ ...ask, previous: parent.value });
  return settled(git, isIn ? lines.filter((line) => !line.includes(CHAIN_END)) : lines);
}

/** Bundles whose landing was cut: the mark of each, and the first line of its message. */
export async function pendingBundles(
  git: Git,
): Promise<Result<readonly { readonly mark: string; readonly subject: string }[]>> {
  const root = pendingRef('');
  const out = await git.run(['for-each-ref', '--format=%(refname) %(contents:subject)', root]);
  if (!out.ok) return out;
  const lines = out.value.split('\n').filter((line) => line !== '');
  return ok(
    lines.map((line) => {
      const [ref = '', ...subject] = line.split(' ');
      return { mark: ref.slice(root.length), subject: subject.join(' ') };
    }),
  );
}

/** For a bundle that no commit names; there may be none. */
export async function dropBundle(git: Git, mark: string): Promise<Result<void>> {
  if (idFromFiles(git, pendingRef(mark)) === null) return ok(undefined);
  const dropped = await git.run(['update-ref', '-d', pendingRef(mark)]);
  return dropped.ok ? ok(undefined) : dropped;
}

export type BundleCommit = {
  readonly commit: ObjectId;
  readonly parents: readonly ObjectId[];
};

/** From a ref or commit back to the first bundle, newest first; empty where there is none. */
export async function chainFrom(git: Git, rev: string): Promise<Result<readonly BundleCommit[]>> {
  const tip = await resolveCommit(git, rev);
  if (!tip.ok || tip.value === null) return tip.ok ? ok([]) : tip;
  const out = await git.run(['rev-list', '--parents', '--topo-order', tip.value, '--']);
  if (!out.ok) return out;
  const lines = out.value.split('\n').filter((line) => line !== '');
  return ok(
    lines.map((line) => {
      const [commit = '', ...parents] = line.split(' ');
      return { commit, parents };
    }),
  );
}

/** The refs of items, with the bundle each names. */
export async function evidenceRefs(git: Git): Promise<Result<ReadonlyMap<string, ObjectId>>> {
  const out = await git.run(['for-each-ref', '--format=%(objectname) %(refname)', `${EVIDENCE_ROOT}/`]);
  if (!out.ok) return out;
  const lines = out.value.split('\n').filter((line) => line !== '');
  return ok(new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))])));
}

/**
 * Commits that carry a trailer of this name, newest first. `here`: in the history of a branch or of HEAD; a remote branch counts where
 * there is no branch of its name. `elsewhere`: only in the history of other remote branches or of tags.
 */
export async function carriersOf(
  git: Git,
  trailer: string,
): Promise<Result<{ readonly here: readonly ObjectId[]; readonly elsewhere: readonly ObjectId[] }>> {
  const [head, refs] = [
    await resolveCommit(git, 'HEAD'),
    await git.run(['for-each-ref', '--format=%(refname) %(symref)', 'refs/heads/', 'refs/remotes/', 'refs/tags/']),
  ];
  if (!head.ok) return head;
  if (!refs.ok) return refs;
  // A name of another ref (`origin/HEAD`) adds nothing.
  const all = refs.value.split('\n').flatMap((line) => (line.endsWith(' ') ? [line.trim()] : []));
  const branches = new Set(all.filter((ref) => ref.startsWith('refs/heads/')));
  const isCopy = (ref: string): boolean => branches.has(ref.replace(/^refs\/remotes\/[^/]+\//, 'refs/heads/'));
  const counts = all.filter((ref) => branches.has(ref) || (ref.startsWith('refs/remotes/') && !isCopy(ref)));
  const from = [...counts, ...(head.value === null ? [] : [head.value])];
  const named = async (revs: readonly string[]): Promise<Result<readonly ObjectId[]>> => {
    if (revs.length === 0) return ok([]);
    const out = await git.run(['log', '--format=%H', `--grep=^${trailer}: `, '--stdin'], {
      stdin: revs.map((rev) => `${rev}\n`).join(''),
    });
    return out.ok ? ok(out.value.split('\n').filter((line) => line !== '')) : out;
  };
  const here = await named(from);
  if (!here.ok) return here;
  const elsewhere = await named([...all.filter((ref) => !counts.includes(ref)), ...from.map((rev) => `^${rev}`)]);
  return elsewhere.ok ? ok({ here: here.value, elsewhere: elsewhere.value }) : elsewhere;
}

/** Brings the bundles of a remote here, never over what is here already. Uses the network, so only if the user asked for it. */
export async function fetchEvidence(git: Git, remote: string): Promise<Result<void>> {
  const url = await remoteUrl(git, remote);
  if (!url.ok) return url;
  const env = networkEnvironment(git.userEnv);
  const fetched = await git.run(['fetch', '-q', '--no-tags', '--', url.value ?? remote, EVIDENCE_REFSPEC], { env });
  return fetched.ok ? ok(undefined) : fetched;
}
