// Changes of the work tree: files of the harness are removed, an approved diff is applied, unfinished work of an item is reverted.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isFolder, statsOf } from '../../host/paths.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, TidyOutcome, PatchOutcome, UnwindOutcome } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import { rootFor, type RunContext, type RunHost, type RunRepository, type RunEvents } from '../run-context.ts';
import { repeatable } from './repeatable.ts';
import { patchWorkTree } from '../../repos/patch.ts';
import { failure, type Failure, filesNamed } from '../../model/failure.ts';
import type { Merged } from '../../repos/merge.ts';
import { unwindInWorkTree } from '../../repos/unwind.ts';

/** Removes files by name, never through a link, never outside the work tree. */
export const tidies = (
  context: Pick<RunContext, 'root' | 'userRoot' | 'git' | 'config' | 'machine' | 'io' | 'notify'>,
): Performer<ActionOf<Actions, 'tidy'>, TidyOutcome> => ({
  perform({ paths, keep }) {
    const removed = paths
      .map((path) => path.replace(/\/+$/, ''))
      .flatMap((path) => removeAt({ root: rootFor(context, path), io: context.io }, path, new Set(keep)));
    if (removed.length > 0)
      context.notify({ type: 'tidied', level: 'routine', data: { removed: removed.slice(0, MOST_NAMED) } });
    return Promise.resolve({ removed: removed.length });
  },
  probe: repeatable,
});

const MOST_NAMED = 20;

function removeAt(
  { root, io }: Pick<RunContext, 'root' | 'io'>,
  path: string,
  keep: ReadonlySet<string>,
): readonly string[] {
  const names = path.split('/');
  if (path === '' || names.some((name) => name === '' || name === '.' || name === '..'))
    throw new Bug(`"${path}" is no path to be tidied`);
  // A link on the way leads out of the work tree.
  for (let n = 1; n < names.length; n += 1) if (!isFolder(join(root, ...names.slice(0, n)))) return [];
  if (keep.has(path)) return [];
  const there = statsOf(join(root, path));
  const isKept = [...keep].some((one) => one.startsWith(`${path}/`) && existsSync(join(root, one)));
  if (there?.isDirectory() !== true || !isKept) {
    // Durable: a file that came back after a crash would be committed, or taken for new work.
    io.remove(join(root, path), 'for-good');
    return there === null ? [] : [path];
  }
  return readdirSync(join(root, path)).flatMap((name) => removeAt({ root, io }, `${path}/${name}`, keep));
}

/** Applies a diff that a user approved. Its paths were judged before; nothing else changes. */
export const patches = (context: RunRepository & RunHost): Performer<ActionOf<Actions, 'patch'>, PatchOutcome> => ({
  async perform({ checkpoint, diff, paths }, { token }) {
    const done = await patchWorkTree(context.git, { before: checkpoint, diff, paths, token });
    if (!done.ok) return { blocked: done.failure };
    return done.value.is === 'patched'
      ? { applied: true, why: '' }
      : { applied: false, why: context.redact(done.value.why) };
  },
  probe: repeatable,
});

/** Reverts the unfinished work of a skipped item, so that checks can run without it. */
export const unwinds = (context: RunRepository & RunEvents): Performer<ActionOf<Actions, 'unwind'>, UnwindOutcome> => ({
  async perform({ checkpoint, item, keep, isProvable }) {
    const refused = (why: Failure, isTouched: boolean): UnwindOutcome => {
      context.notify({ type: 'not-unwound', level: 'important', item, data: { reason: why.reason } });
      return { tree: null, failure: why, isTouched };
    };
    if (!isProvable) return refused(failure('unwind-unproved', { item }), false);
    const unwound = await unwindInWorkTree(context.git, { before: checkpoint, item, keep });
    if (!unwound.ok) return { blocked: unwound.failure };
    const { merged, count } = unwound.value;
    if (merged.is === 'merged') return { tree: merged.tree, count, failure: null };
    return refused(refusalOf(merged, item), merged.is === 'unfinished');
  },
  probe: repeatable,
});

function refusalOf(merged: Exclude<Merged, { is: 'merged' }>, item: string): Failure {
  if (merged.is !== 'conflict' && merged.is !== 'reserved') return failure('unwind-not-clean', { item });
  return failure('unwind-conflict', { item, ...filesNamed(merged.files) });
}
