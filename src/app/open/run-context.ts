// Builds the context of a run: the one place that connects the modules.
import { join } from 'node:path';
import { openGates } from '../../gates/store.ts';
import { openFullCatalogue } from './language.ts';
import { wholeEnvironment } from '../../host/environment.ts';
import { openLogs } from '../../host/log.ts';
import { openRunEvents, type EventLog } from '../../host/run-events.ts';
import { promptsFolder } from '../../host/package-root.ts';
import { rootFor, type RunContext } from '../../loop/run-context.ts';
import { openSessions } from '../../loop/sessions.ts';
import { openRoles } from '../../memory/roles.ts';
import type { AgentEvent, HarnessEvent } from '../../model/event.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { workspaceOf } from '../../repos/folders.ts';
import { createGit } from '../../repos/git.ts';
import { remoteUrl } from '../../repos/remote.ts';
import { sweepLocks } from '../../repos/sweep.ts';
import { openRepositoryView } from '../../repos/repository-view.ts';
import { agentActions } from './agent-actions.ts';
import { agentNotes } from './agent-notes.ts';
import { playbookNamed } from '../../playbooks/registry.ts';
import { withDerivedList } from './derived-list.ts';
import { keptRecords } from './kept-records.ts';
import { openLanes, removeLanes } from './lanes.ts';
import { lanesUnderWay } from './unfinished-sessions.ts';
import { openWorkPlace } from './work-tree.ts';
import { openSandbox, type Need } from './sandbox.ts';
import type { Target } from './target.ts';
import { existsSync } from 'node:fs';
import type { Io } from '../../host/io.ts';

export type Watcher = {
  /** Events of the run, as they happen. */
  event(event: Omit<HarnessEvent, 'ts'>): void;
  agent(session: number, event: AgentEvent): void;
};
const NOWHERE = (): Promise<Result<null>> => Promise.resolve(ok(null));
export const NO_WATCHER: Watcher = { event: () => undefined, agent: () => undefined };
/** Whose work tree: the user's, or the one that agents work in (work-tree.ts); `run`: for work on items, which may land on a branch of its own. */
export type WhoseTree = 'user' | 'agents' | 'run';
export type OpenRunContext = { readonly context: RunContext; readonly events: EventLog; close(): Promise<void> };

export async function openRunContext(
  target: Target,
  run: string,
  token: string,
  watcher: Watcher,
  need: Need,
  whose: WhoseTree,
): Promise<Result<OpenRunContext>> {
  const { root: userRoot, stateDir, privateDir, workspaceDir, personDir, proofDir, io, clock, config } = target;
  ignoreStateFolder(io, stateDir);
  const { git: folders } = target;
  const { memory, own, carried } = folders;
  const users = createGit({ root: userRoot, folders, env: wholeEnvironment(), token, io, memory, own, carried });
  const place =
    whose === 'user'
      ? ok({ root: userRoot, git: users, bring: NOWHERE, gone: [] })
      : await openWorkPlace(target, users, token, whose === 'run' ? run : null);
  if (!place.ok) return place;
  const { root, git, bring } = place.value;
  if (root !== userRoot) sweepLocks(git, clock.now());
  const logs = openLogs(join(stateDir, 'logs'), { redact: target.redact, clock, level: config.logging.level });
  const events = openRunEvents(workspaceDir, run, { redact: target.redact, clock });
  const sessions = openSessions(workspaceDir, io);
  const found = openRepositoryView(git, root, clock, keptRecords(target, sessions), (path) =>
    rootFor({ root, userRoot, git, config, machine: target.machine }, path),
  );
  const view = withDerivedList(found, config, playbookNamed(config.playbook.backlog));
  const { structured, fallback, warnMissing: warn } = config.logging;
  const actions = agentActions(logs, { structured, fallback, warn });
  const pushUrl = config.push.remote === null ? ok(null) : await remoteUrl(git, config.push.remote);
  if (!pushUrl.ok) return pushUrl;
  const sandbox = await openSandbox({ ...target, root }, need);
  if (!sandbox.ok) return sandbox;
  const { box, boxAt, probes } = sandbox.value;
  const notes = agentNotes(target.machine, { git, io, clock, stateDir });
  const context: RunContext = {
    run,
    root,
    userRoot,
    bring,
    stateDir,
    privateDir,
    workspaceDir,
    treeDir: workspaceDir,
    lane: 0,
    ledger: join(stateDir, target.machine.ledger),
    personDir,
    memory: target.memory,
    proofDir,
    git,
    view,
    config,
    backlog: target.backlog,
    machine: target.machine,
    pushUrl: pushUrl.value,
    box,
    openBoxAt: boxAt,
    io,
    clock,
    sleep: target.sleep,
    redact: target.redact,
    roles: openRoles({ shipped: promptsFolder(), own: (path) => view.readAt('HEAD', path) }),
    catalogue: await openFullCatalogue('en'),
    gates: openGates({ dir: join(privateDir, 'gates'), io, clock, workspace: workspaceOf(target) }),
    isUnattended: false,
    isAlone: false,
    sessions,
    lanes: null,
    tape: null,
    openForge: () => Promise.resolve(err(failure('forge-not-configured'))),
    describePull: () => Promise.resolve(err(failure('forge-not-configured'))),
    mirrors: [],
    notifyAgentEvent(session, event) {
      actions.record(session, event);
      notes.record(session, event);
      events.agent(session, event);
      const notable = notableEvent(session, event);
      if (notable !== null) context.notify(notable);
      watcher.agent(session, event);
    },
    notify(event) {
      if (event.type === 'item-ended' && event.session !== undefined) actions.end(event.session);
      logs.event(event);
      events.event(event);
      watcher.event(event);
    },
  };
  if (need !== 'no-box') {
    const weaker = config.sandbox.level === 'auto' && box.level !== 'bwrap';
    const why = probes[0]?.hindrance ?? '';
    context.notify({
      type: 'sandbox',
      level: weaker ? 'critical' : 'routine',
      data: { level: box.level, weaker, why },
    });
  }
  for (const { branch, tip } of place.value.gone)
    context.notify({ type: 'run-branch-gone', level: 'critical', data: { branch, commit: tip } });
  const lanes =
    whose !== 'user' &&
    git.lands !== null &&
    (config.lanes > 1 || [...lanesUnderWay(workspaceDir)].some((lane) => lane > 0))
      ? openLanes(target, users, context, { token, branch: git.lands.branch })
      : null;
  const removed = whose !== 'user' ? await removeLanes(target, users) : ok(null);
  if (!removed.ok) return removed;
  const close = async (): Promise<void> => {
    await context.sessions.closeAll();
    await notes.settled();
    // A box takes a tenth of a second to end.
    await Promise.all([lanes?.close(), box.close(), ...[...new Set([git, users])].map((one) => one.rest())]);
    logs.close();
    events.close();
  };
  return ok({ context: { ...context, lanes: lanes?.lanes ?? null }, events, close });
}

/** Agent events that become events of the run: refused calls, violations, limits; null: none of these. */
function notableEvent(session: number, event: AgentEvent): Omit<HarnessEvent, 'ts'> | null {
  switch (event.t) {
    case 'violation': {
      const { tool, why: rule, about, done } = event;
      return { type: 'tool-violation', level: 'important', session, data: { tool, rule, about, done } };
    }
    case 'permission': {
      if (event.decision === 'allow') return null;
      const { tool, why: rule, about = '' } = event;
      return { type: 'tool-denied', level: 'important', session, data: { tool, rule, about } };
    }
    case 'limit': {
      const { t: _, ...data } = event;
      return { type: 'session-limit', level: 'important', session, data };
    }
    case 'compacted':
      return { type: 'context-compacted', level: 'important', session };
    default:
      return null;
  }
}

/** `.harness/` has its own .gitignore, so that no commit includes it, whatever the target's .gitignore says. */
function ignoreStateFolder(io: Io, stateDir: string): void {
  const file = join(stateDir, '.gitignore');
  if (!existsSync(file)) io.replace(file, '*\n');
}

/** Loads every role before a session starts: one that is broken in the middle of a session would leave it open. Fails as `load`. */
export async function checkRoles(context: RunContext, roles: readonly string[]): Promise<Result<null>> {
  for (const role of roles) {
    const loaded = await context.roles.load(context.machine.name, role);
    if (!loaded.ok) return loaded;
  }
  return ok(null);
}
