// One run of the harness over the durable state of a mission: the product's driver and loop machine, until they end, are
// stopped, or die — at a durable call (before it, in its middle, after it) or at any moment of time. What is dead writes no more.
import { join } from 'node:path';
import { drive, type DriveEnd } from '../../src/engine/driver.ts';
import { createMessageQueue } from '../../src/engine/message-queue.ts';
import { openGates } from '../../src/gates/store.ts';
import { openCatalogue } from '../../src/host/catalogue.ts';
import { removeStaleBelow } from '../../src/host/stale-files.ts';
import { promptsFolder } from '../../src/host/package-root.ts';
import type { RunContext } from '../../src/loop/run-context.ts';
import { lanesFor, mostActions } from '../../src/loop/lanes.ts';
import { loopMachine } from '../../src/loop/machine.ts';
import { runningItems, waitingItems, emptyLoop } from '../../src/loop/run-file.ts';
import { endWaits } from '../../src/loop/records/waits.ts';
import { openSessions } from '../../src/loop/sessions.ts';
import { openMemory } from '../../src/memory/layers.ts';
import { openRoles, type Roles } from '../../src/memory/roles.ts';
import { lanesUnderWay, restoreTamperGuards, runningItemsIn } from '../../src/app/open/unfinished-sessions.ts';
import type { Performers } from '../../src/engine/types.ts';
import type { Actions } from '../../src/model/action.ts';
import type { Config } from '../../src/model/config.ts';
import type { AgentEvent } from '../../src/model/event.ts';
import { ok } from '../../src/model/result.ts';
import { languageAfter } from '../../src/model/spoken.ts';
import { endRunLog, startRunLog } from '../../src/app/open/run-log.ts';
import { backlogPathOf } from '../../src/app/open/target.ts';
import { Death, dyingIo, MODES, type Mode } from '../crash/dying-io.ts';
import { InvariantViolation } from './invariant-violation.ts';
import type { Kind } from './kind.ts';
import type { Mission } from './mission.ts';
import { forgetful, crashingIo } from './crashing-io.ts';
import { diceOf } from './chance.ts';
import { missionIn, runsOwn, scheduled, simulatedGit, simulatedLanes } from './lanes.ts';
import { simulatedPerformers } from './performers.ts';
import { waitIsBounded } from './rules.ts';
import { worldOf } from './world.ts';

export type ProcessRun = {
  readonly mission: Mission;
  readonly number: number;
  /** The mission as it is in the work tree of a lane. */
  readonly besideOf: (lane: number) => Mission;
  /** Delays what several lanes do, by chance. */
  readonly scheduled: (all: Performers<Actions>) => Performers<Actions>;
  /** What ends with this run. `power`: everything dies at once; else agents learn of it and end by themselves. */
  readonly onEnd: (end: (how: 'alone' | 'power') => void) => void;
};
export type Ended =
  | { readonly end: 'died' }
  | { readonly end: 'stopped' }
  | { readonly end: 'waiting'; readonly on: readonly string[] }
  | { readonly end: 'verdict'; readonly verdict: string; readonly reason: string };

let shared: Promise<RunContext['catalogue']> | null = null;
const known = new Map<string, Promise<Roles>>();
/** What comes with the program is read once: a real read takes real time, and time here is another. */
const program = async ({ name, roles }: Kind): Promise<{ roles: Roles; catalogue: RunContext['catalogue'] }> => {
  const loading = known.get(name) ?? loaded(roles);
  known.set(name, loading);
  await languageAfter('en', 'What is loaded when it is first wanted.');
  return { roles: await loading, catalogue: await (shared ??= openCatalogue('en')) };
};
async function loaded(names: Kind['roles']): Promise<Roles> {
  const shipped = openRoles({ shipped: promptsFolder(), own: () => Promise.resolve(null) });
  const all = new Map<string, Awaited<ReturnType<Roles['load']>>>(
    await Promise.all(names.map(async ([of, role]) => [role, await shipped.load(of, role)] as const)),
  );
  return { load: (_playbook, role) => Promise.resolve(all.get(role)!) };
}

/** Mostly as many as in the runs before. */
function lanesOfRun({ seed, ledger }: Mission): number {
  const dice = diceOf(seed, `lanes ${ledger.runs}`);
  return dice.happens(0.8) ? diceOf(seed, 'lanes').between(2, 4) : dice.between(1, 4);
}

export async function runOnce(mission: Mission, until: number, look: () => void): Promise<Ended> {
  const { ledger, time, privateDir, stateDir, dice } = mission;
  const { longest, dies = 0.25 } = mission.kind;
  const { roles, catalogue } = await program(mission.kind);
  const own = time.own();
  const stop = new AbortController();
  const messages = createMessageQueue();
  const died = Promise.withResolvers<Ended>();
  const ends: ((how: 'alone' | 'power') => void)[] = [];
  let isDead = false;
  const die = (how: 'alone' | 'power'): void => {
    if (isDead) return;
    isDead = true;
    ledger.deaths += 1;
    own.end();
    for (const end of ends) end(how);
    died.resolve({ end: 'died' });
  };
  const mode: Mode = dice.oneOf(MODES);
  const dying = dyingIo(dice.happens(dies) ? dice.between(1, longest.calls) : 0, mode, undefined, forgetful(mission));
  const io = crashingIo(
    mission,
    dying.io,
    () => isDead,
    () => die(dice.happens(0.4) ? 'power' : 'alone'),
  );
  if (dice.happens(dies))
    own.alarm(dice.between(1, longest.minutes * 60) * 1_000, () => die(dice.happens(0.3) ? 'power' : 'alone'));
  own.alarm(Math.max(0, until - time.clock.now()), () => stop.abort());

  const config: Config = {
    ...mission.config,
    ...mission.kind.called?.(dice),
    ...(mission.areLanes ? { lanes: lanesOfRun(mission) } : {}),
  };
  const beside = new Map<number, Mission>();
  const chosen = diceOf(mission.seed, `scheduler ${ledger.runs}`);
  const processRun: ProcessRun = {
    mission,
    number: ledger.runs,
    onEnd: (end) => void ends.push(end),
    scheduled: (all) => scheduled(all, own, chosen),
    besideOf(lane) {
      const there = beside.get(lane) ?? missionIn(mission, lane);
      beside.set(lane, there);
      return there;
    },
  };
  const run = `r-${time.clock.iso().slice(0, 19).replace(/\D/g, '')}-${processRun.number.toString(16).padStart(4, '0')}`;
  const { machine } = mission.kind.playbook;
  const personDir = join(privateDir, '..', 'person');
  const view = worldOf(mission.repo, mission.root, mission.privateDir, time.clock);
  const users = {
    run,
    root: mission.root,
    userRoot: mission.root,
    bring: () => Promise.resolve(ok(null)),
    stateDir,
    privateDir,
    workspaceDir: privateDir,
    treeDir: privateDir,
    lane: 0,
    ledger: join(stateDir, machine.ledger),
    lanes: null,
    personDir,
    memory: openMemory({
      stateDir,
      workspaceDir: privateDir,
      personDir,
      io,
      clock: time.clock,
      redact: (text: string) => text,
      playbook: machine.name,
      roles: machine.roles,
    }),
    tape: null,
    git: simulatedGit(mission.repo),
    view,
    config,
    backlog: mission.kind.playbook.backlog,
    machine,
    pushUrl: null,
    io,
    clock: time.clock,
    sleep: own.sleep,
    redact: (text: string) => text,
    roles,
    catalogue,
    gates: openGates({ dir: join(privateDir, 'gates'), io, clock: time.clock }),
    isUnattended: mission.isUnattended,
    isAlone: mission.isAlone,
    sessions: openSessions(privateDir, io),
    mirrors: [],
    notifyAgentEvent(session: number, event: AgentEvent) {
      if (!PLENTY.includes(event.t)) tell(mission, `${session} ${JSON.stringify(event).slice(0, 160)}`);
    },
    notify(event: Parameters<RunContext['notify']>[0]) {
      if (isDead) return;
      tell(mission, JSON.stringify(event).slice(0, 300));
      if (event.type === 'waiting') waitIsBounded(mission, event.data ?? {});
      if (event.type === 'gate-opened') mission.people.asked(mission);
      mission.kind.notified?.(mission, event);
    },
  } as unknown as RunContext;
  const lane: RunContext = mission.areLanes ? { ...users, ...runsOwn(users, mission) } : users;
  const isWide = config.lanes > 1 || [...lanesUnderWay(privateDir)].some((one) => one > 0);
  const context = isWide ? { ...lane, lanes: simulatedLanes(lane, mission, processRun.besideOf) } : lane;

  const living = async (): Promise<Ended> => {
    removeStaleBelow(io, stateDir);
    removeStaleBelow(io, privateDir, ['evidence']);
    const settled = mission.mutant.believesAgents === true ? ok(null) : restoreTamperGuards(privateDir, io);
    if (!settled.ok) throw new InvariantViolation('state is legible', JSON.stringify(settled.failure));
    mission.people.attend(mission, own, { messages, stop: () => stop.abort() });
    const books = await startRunLog(context, mission.mode, null);
    if (!books.ok) throw new InvariantViolation('state is legible', JSON.stringify(books.failure));
    if (books.value.limit !== null) return { end: 'verdict', verdict: 'limit', reason: books.value.limit };
    await context.lanes?.prepare(lanesFor(config.lanes).filter((one) => one > 0));
    const here = mission.areLanes ? { ...processRun, mission: processRun.besideOf(0) } : processRun;
    const end = await drive(
      loopMachine(books.value.mode, {
        path: backlogPathOf(context),
        machine,
        lanes: lanesFor(context.lanes === null ? 1 : config.lanes),
      }),
      () => emptyLoop(run),
      {
        io,
        clock: time.clock,
        performers: simulatedPerformers(context, here, messages),
        journal: join(privateDir, 'loop.jsonl'),
        file: join(privateDir, 'loop.json'),
        // Not the folder, as in the product: chance that comes from tokens must not depend on where a mission is played.
        base: `mission#${run}`,
        messages,
        signal: stop.signal,
        limit: context.lanes === null ? 1 : mostActions(config.lanes, runningItemsIn(privateDir).length),
      },
    );
    await endRunLog(context);
    if (end.end === 'verdict') endWaits(context);
    await context.sessions.closeAll();
    return endOf(end);
  };
  const lived = living().catch((error: unknown): Ended => {
    // Whatever a dead harness stumbles over on its way out: only its death counts.
    if (isDead || error instanceof Death) return { end: 'died' };
    throw error;
  });
  const ended = await time.until(Promise.race([lived, died.promise]), look);
  isDead = true;
  own.end();
  return ended;
}

const gatesIn = (state: object): readonly string[] =>
  'file' in state ? waitingItems(runningItems.parse(state.file)).map(({ gate }) => gate) : [];

function endOf(end: DriveEnd<object>): Ended {
  switch (end.end) {
    case 'verdict':
      // Items wait for answers, and nothing else can continue.
      return end.verdict === 'gate'
        ? { end: 'waiting', on: gatesIn(end.state) }
        : { end: 'verdict', verdict: end.verdict, reason: end.reason };
    case 'waiting':
      return { end: 'waiting', on: end.on };
    case 'stopped':
      return { end: 'stopped' };
    case 'blocked':
      // A forge that cannot be asked stops the run where it is.
      if (end.failure.reason.startsWith('forge-'))
        return { end: 'verdict', verdict: 'blocked', reason: end.failure.reason };
      throw new InvariantViolation('a run ends with a verdict or at a question', JSON.stringify(end.failure));
  }
}

/** Of these there are too many to be shown. */
const PLENTY: readonly AgentEvent['t'][] = [
  'context',
  'usage',
  'quota',
  'tool-start',
  'tool-end',
  'text',
  'file-change',
];

const tell = ({ told, time }: Pick<Mission, 'told' | 'time'>, what: string): void => {
  told.push(`${time.clock.iso().slice(11, 19)} ${what}`);
  if (told.length > 200) told.splice(0, 100);
};
