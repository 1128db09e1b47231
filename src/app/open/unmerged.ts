// What commands see of what landed on the branch of a run and is not merged yet (`land: branch`): until then the list says there what is done.
import type { Backlog } from '../../engine/backlog.ts';
import { covered } from '../../host/source-watch.ts';
import type { Config } from '../../model/config.ts';
import type { RepositoryView } from '../../model/repository-view.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Git, ObjectId } from '../../repos/git.ts';
import { showFile } from '../../repos/history.ts';
import { openRunBranch, unmergedIn, type UnmergedBranch } from '../../repos/run-branch.ts';
import { joinedLists, type ThreeLists } from './join-lists.ts';
import { isUnderWay } from './unfinished-sessions.ts';

type Place = { readonly git: Git; readonly workspaceDir: string };

/** What is landed there and not merged yet, for people and programs; null: nothing is. */
export async function unmergedOf({ git, workspaceDir }: Place): Promise<Result<UnmergedBranch | null>> {
  const open = await openRunBranch(git, workspaceDir, isUnderWay(workspaceDir));
  if (!open.ok) return open;
  return open.value === null ? ok(null) : unmergedIn(git, open.value);
}

/** The list says on the branch of a run what is done, until the user has merged it: there it is changed and verified. */
export async function hasRunBranch({
  config,
  git,
  workspaceDir,
}: Place & { readonly config: Pick<Config, 'land'> }): Promise<boolean> {
  const open = config.land === 'branch' ? await openRunBranch(git, workspaceDir) : ok(null);
  return open.ok && open.value?.hasList === true;
}

/** The same view, with the list as it is where runs land: there it says what is done. As the user's own is, where nothing waits to be merged. */
export function withRunBranch(
  view: RepositoryView,
  { git, workspaceDir }: Place,
  { file, backlog }: { readonly file: string; readonly backlog: Backlog },
): RepositoryView {
  const list = (users: () => Promise<string | null>) => listOnBranch({ git, workspaceDir }, { file, backlog }, users);
  return {
    ...view,
    get now() {
      return view.now;
    },
    read: async (path, last) => {
      const text = path === file ? await list(() => view.read(path)) : null;
      return text ?? view.read(path, last);
    },
    readAt: async (rev, path) => {
      const text = rev === 'HEAD' && path === file ? await list(() => view.readAt(rev, path)) : null;
      return text ?? view.readAt(rev, path);
    },
  };
}

/** null: nothing waits to be merged, or no commit carries the list. `users`: the text of the list in the user's work tree. */
export async function listOnBranch(
  { git, workspaceDir }: Place,
  { file, backlog }: { readonly file: string; readonly backlog: Backlog },
  users: () => Promise<string | null>,
): Promise<string | null> {
  const isBusy = isUnderWay(workspaceDir);
  const open = await openRunBranch(git, workspaceDir, isBusy);
  if (!open.ok || open.value === null || !open.value.hasList) return null;
  const { tip } = open.value;
  // A run under way takes what a user commits when the next one begins, and edits of the list between two items.
  const edited = isBusy ? null : await users();
  // Of commits that the files of git name, the texts are always the same.
  const both = await covered(
    () => textsOf(git, tip, file),
    (texts) => texts !== null,
  );
  if (both === null || isBusy) return both?.mine ?? null;
  const joined = joinedLists(backlog, file, both);
  // What is not committed decides nothing.
  return edited === null || edited === both.theirs
    ? joined
    : (backlog.takeEdit?.(joined, edited, true)?.text ?? joined);
}

async function textsOf(git: Git, tip: ObjectId, file: string): Promise<ThreeLists | null> {
  const shared = await git.run(['merge-base', 'HEAD', tip], { allow: [1] });
  const [mine, theirs] = [await showFile(git, tip, file), await showFile(git, 'HEAD', file)];
  if (!shared.ok || !mine.ok || !theirs.ok || mine.value === null) return null;
  const base = shared.value.trim() === '' ? ok(null) : await showFile(git, shared.value.trim(), file);
  return base.ok ? { base: base.value, mine: mine.value, theirs: theirs.value } : null;
}
