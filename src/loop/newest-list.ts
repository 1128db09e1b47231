// What edits of the harness's own files are made from. In a work tree of the harness's own these files are as they were when it was brought to the
// branch; what landed, or was decided, in the meantime is in the newest commit alone.
import type { ReadContext } from '../engine/definitions.ts';
import type { RepositoryView } from '../model/repository-view.ts';
import { readContext, rootFor, type RunContext } from './run-context.ts';

type Context = Pick<RunContext, 'root' | 'userRoot' | 'git' | 'view' | 'backlog' | 'config' | 'machine' | 'memory'>;

/** `at`: the revision that they are read from; null: the work tree is the user's own, whose files count. */
export function readNewest(context: Context, at: string | null): ReadContext {
  const read = readContext(context);
  if (at === null) return read;
  const { backlog, progress } = context.config.paths;
  const isCommitted = (path: string): boolean =>
    (path === backlog || path === progress) && rootFor(context, path) === context.root;
  const view: RepositoryView = Object.create(context.view, {
    read: {
      value: (path: string, last?: number) =>
        isCommitted(path) ? context.view.readAt(at, path) : context.view.read(path, last),
    },
  });
  return { ...read, view };
}
