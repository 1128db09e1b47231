// What a user changed in their own work tree while an agent worked in it (`isolation: in-place`): left out of what is proved, committed, kept or
// rolled back, and left where it is. Worked out from durable facts each time.
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statsOf } from '../../host/paths.ts';
import { turnFile } from '../../agents/host/turn-results.ts';
import { filesNamed } from '../../model/failure.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Problem } from '../../model/verdict.ts';
import { whoseChanges, writingCalls, type WhoseChanges } from '../../model/whose-change.ts';
import type { ObjectId } from '../../repos/git.ts';
import { readHead } from '../../repos/head.ts';
import { treeOf } from '../../repos/tree.ts';
import { withPathsOf } from '../../repos/tree-paths.ts';
import { entriesBetween } from '../../repos/tree-walk.ts';
import { agentOf } from '../agent.ts';
import { protectedFiles } from '../protected.ts';
import type { RunEvents, RunRepository, RunSettings, RunStores } from '../run-context.ts';
import { eventsIn } from '../sessions.ts';
import { begunFile, FIRST_TURN, readBegun, wasBegun } from './begun-turn.ts';
import { readCut } from './reopened-turn.ts';

type Context = RunRepository & RunSettings & RunStores;
/** `from`: the tree that has these files as they were before. */
export type UsersFiles = WhoseChanges & { readonly from: ObjectId };

const NONE: UsersFiles = { users: [], unclear: [], from: '' };
/** Their programs report every call that changes files. */
const REPORT_ALL: readonly string[] = ['claude', 'codex', 'scripted'];

/**
 * Of a session that this work tree had; none where agents have a work tree of their own, or the machine changes files itself, or another run began
 * the session: of a run that was killed not every call of the agent is known.
 */
export async function usersFiles(context: Context, session: number | null): Promise<Result<UsersFiles>> {
  const { git, root, machine, run, sessions } = context;
  const isTold = git.lands === null && machine.changesWork !== true;
  const folder = session === null || !isTold ? undefined : sessions.pointer(session)?.folder;
  if (session === null || folder === undefined || !wasBegun(folder, FIRST_TURN)) return ok(NONE);
  // Other roles may have worked since: their calls count too.
  const pointers = sessions.begun(session).flatMap((number) => sessions.pointer(number) ?? []);
  const isReported = pointers.every(
    ({ role, agent = 0, token, folder: at }) =>
      token.includes(run) &&
      REPORT_ALL.includes(agentOf(context.config, { role: role ?? '', agent }).provider) &&
      existsSync(join(at, 'events.jsonl')),
  );
  if (!isReported) return ok(NONE);
  const calls = pointers.flatMap(({ folder: at }) =>
    writingCalls(eventsIn(readFileSync(join(at, 'events.jsonl'), 'utf8'))),
  );
  const spans = pointers.flatMap(({ folder: at }) => spansOf(at));
  const { tree, start = tree, head } = readCut(folder, FIRST_TURN)?.first ?? readBegun(folder, FIRST_TURN);
  const [now, tip] = [await treeOf(git), await readHead(git)];
  // It cannot be kept as a tree: the caller says why.
  if (!now.ok) return ok(NONE);
  if (!tip.ok) return tip;
  // What was committed since is no uncommitted edit.
  const from = tip.value.commit === head ? start : (tip.value.commit ?? start);
  const [changed, continued, uncommitted] = [
    await entriesBetween(git, start, now.value),
    await entriesBetween(git, tree, start),
    await entriesBetween(git, from, now.value),
  ];
  if (!changed.ok) return changed;
  if (!continued.ok) return continued;
  if (!uncommitted.ok) return uncommitted;
  const open = new Set(uncommitted.value.map(({ path }) => path));
  const notTheirs = new Set([...protectedFiles(context), ...continued.value].map(({ path }) => path));
  const files = changed.value
    .filter(({ path }) => open.has(path) && !notTheirs.has(path))
    .filter(({ path }) => !path.startsWith(`${context.config.paths.stateDir}/`))
    .map(({ path }) => ({ path, atMs: statsOf(join(root, path))?.ctimeMs ?? null }))
    .filter(({ atMs }) => atMs !== null && spans.some(({ from, to }) => from <= atMs && atMs <= to));
  return ok({ ...whoseChanges(files, calls, root), from });
}

/**
 * The times of the turns, by the files that begin and end each: of the same clock as those of the work. Between them the harness changes files itself, as
 * when it merges what a remote has.
 */
function spansOf(folder: string): readonly { readonly from: number; readonly to: number }[] {
  const spans: { readonly from: number; readonly to: number }[] = [];
  for (let turn = FIRST_TURN; wasBegun(folder, turn); turn += 1) {
    const to = statsOf(turnFile(folder, turn))?.mtimeMs;
    spans.push({ from: lstatSync(begunFile(folder, turn)).mtimeMs, to: to ?? Number.POSITIVE_INFINITY });
  }
  return spans;
}

/** The work tree without them. */
export async function workOf(context: Context, session: number | null): Promise<Result<ObjectId>> {
  const [found, now] = [await usersFiles(context, session), await treeOf(context.git)];
  if (!found.ok || !now.ok) return found.ok ? now : found;
  return withPathsOf(context.git, now.value, found.value.from, found.value.users);
}

/** Where the checks fail, the agent may know better. */
export async function leftOut(context: Context, session: number): Promise<readonly Problem[]> {
  const found = await usersFiles(context, session);
  // It only explains a failure that is reported anyway.
  const users = found.ok ? found.value.users : [];
  return users.length === 0 ? [] : [{ code: 'files-left-out', params: filesNamed(users), ids: users }];
}

/** `ends`: how the session ended. */
export function tellUsersFiles(
  context: RunEvents,
  { users, unclear }: WhoseChanges,
  about: { readonly session: number; readonly item: string | null; readonly ends: 'landed' | 'kept' },
): void {
  const { session, item, ends } = about;
  const tell = (type: string, files: readonly string[]): void => {
    if (files.length === 0) return;
    const named = { ...filesNamed(files), ends };
    context.notify({ type, level: 'critical', session, ...(item === null ? {} : { item }), data: named });
  };
  tell('users-files', users);
  const others = unclear.filter((path) => !users.includes(path));
  if (ends === 'landed') tell('unclear-files', others);
}
