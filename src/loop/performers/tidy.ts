// Files of the harness's own making that are of no more use: removed by name, never through a link, never beyond the work tree.
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, TidyOutcome } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import type { RunContext } from '../run-context.ts';
import { repeatable } from './repeatable.ts';

export const tidies = (
  context: Pick<RunContext, 'root' | 'io' | 'notify'>,
): Performer<ActionOf<Actions, 'tidy'>, TidyOutcome> => ({
  perform({ paths, keep }) {
    const removed = paths.flatMap((path) => removeAt(context, path.replace(/\/+$/, ''), new Set(keep)));
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
  // A link on the way leads to somebody else's files.
  for (let n = 1; n < names.length; n += 1)
    if (lstatSync(join(root, ...names.slice(0, n)), { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  if (keep.has(path)) return [];
  const there = lstatSync(join(root, path), { throwIfNoEntry: false });
  const isKept = [...keep].some((one) => one.startsWith(`${path}/`) && existsSync(join(root, one)));
  if (there?.isDirectory() !== true || !isKept) {
    // What is done after it rests on it: a file that comes back would be committed, or pass for somebody's new work.
    io.remove(join(root, path), 'for-good');
    return there === undefined ? [] : [path];
  }
  return readdirSync(join(root, path)).flatMap((name) => removeAt({ root, io }, `${path}/${name}`, keep));
}
