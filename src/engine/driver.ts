// The driver: writes the intent, has the action performed, writes the outcome. The only code that handles crashes.
// I0 the intent of the next action is written with the outcome that leads to it: between two actions there is one write.
// I1 an action runs exactly while `wants` lists its key: a new one is started, one no longer listed is aborted and awaited.
// I2 nothing new starts before everything aborted has ended: two actions never work on one tree.
// I3 an outcome is applied only if its intent is the one in flight: late outcomes are dropped.
// I4 an action found "not begun or safe to repeat" after a crash keeps its token, so that its effects are idempotent.
// I5 messages that arrive while the driver waits are handled before anything new starts.
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../host/clock.ts';
import type { Io } from '../host/io.ts';
import { Bug } from '../model/bug.ts';
import type { Failure } from '../model/failure.ts';
import { createWakeup, type MessageQueue } from './message-queue.ts';
import { openJournal } from './journal.ts';
import { openPosition, storedAction, type Line, type OpenPosition } from './position.ts';
import { jsonStore } from './store.ts';
import {
  performerOf,
  stageOf,
  type ActionMap,
  type ActionOf,
  type Blocked,
  type Machine,
  type MachinePhase,
  type MachineVerdict,
  type Parked,
  type Performer,
  type Performers,
  type State,
} from './types.ts';

export type DriveDeps<M extends ActionMap> = {
  readonly io: Io;
  readonly clock: Clock;
  readonly performers: Performers<M>;
  /** Path of the journal; created if missing. */
  readonly journal: string;
  /** Path of the machine's own file. */
  readonly file: string;
  /** Unique on this host for this process; tokens of processes, refs and result files begin with it. */
  readonly base: string;
  readonly messages: MessageQueue;
  /** Stop now: running actions are aborted and left open for a later process. */
  readonly signal: AbortSignal;
  /** Maximum number of actions at a time. */
  readonly limit: number;
  /** Called with the phase that is under way before anything of it begins or continues, possibly often. Left out: no one watches. */
  readonly inPhase?: (phase: MachinePhase) => void;
};

export type DriveEnd<S> =
  | { readonly end: 'verdict'; readonly verdict: string; readonly reason: string; readonly state: S }
  | { readonly end: 'waiting'; readonly on: readonly string[]; readonly state: S }
  | { readonly end: 'stopped'; readonly state: S }
  /** `state` is null if the position could not be opened. */
  | { readonly end: 'blocked'; readonly failure: Failure; readonly state: S | null };

type Flight<M extends ActionMap> = {
  readonly seq: number;
  readonly action: ActionOf<M>;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
};
/** An intent that is not running: it waits at a gate, or to be performed again. */
type Rest<M extends ActionMap> = {
  readonly seq: number;
  readonly action: ActionOf<M>;
  readonly gate: string | null;
  /** Its intent was written with the outcome before it; a message can still change what is wanted. */
  readonly isNew?: true;
};
type News<M extends ActionMap> = { readonly seq: number; readonly action: ActionOf<M> } & (
  | { readonly did: 'answer'; readonly answer: object | Parked | Blocked }
  | { readonly did: 'throw'; readonly error: unknown }
);

/** A longer journal is compacted. Lines. */
const COMPACT_LINES = 500;

/**
 * Drives a machine until its verdict, a gate, a stop, or a failure. Rejects only if a performer or the machine has a bug; even
 * then no action is left running.
 */
export async function drive<F, A extends { readonly stage: string }, Mem, M extends ActionMap>(
  m: Machine<F, A, Mem, M>,
  initial: () => F,
  deps: DriveDeps<M>,
): Promise<DriveEnd<State<F, A, Mem>>> {
  const journal = openJournal<Line>(deps.journal, deps.io);
  if (!journal.ok) return { end: 'blocked', failure: journal.failure, state: null };
  const opened = openPosition(m, {
    journal: journal.value,
    store: jsonStore(deps.file, m.file, deps.io),
    iso: () => deps.clock.iso(),
    base: deps.base,
    initial,
  });
  if (!opened.ok) return { end: 'blocked', failure: opened.failure, state: null };
  const position = opened.value;
  const performer = (a: ActionOf<M>) => performerOf(deps.performers, a);
  const wantsOf = (s: State<F, A, Mem>): readonly ActionOf<M>[] | MachineVerdict => stageOf(m, s.at).wants(s);
  const want = (): readonly ActionOf<M>[] | MachineVerdict => wantsOf(position.state());
  const about = (seq: number) => ({ token: `${position.base}/${seq}`, epoch: position.epoch });
  const settled = (action: ActionOf<M>, seq: number): void => performer(action).settled?.(action, about(seq));
  const drop = ({ seq, action }: { readonly seq: number; readonly action: ActionOf<M> }): void => {
    position.drop(seq, 'no longer wanted');
    settled(action, seq);
  };

  for (const { seq, action, base, epoch } of position.closed) {
    const one = storedAction<M>({ action });
    // An older version may have had other kinds.
    if (Object.hasOwn(deps.performers, one.kind)) performer(one).settled?.(one, { token: `${base}/${seq}`, epoch });
  }
  position.compact(1);
  const resting = await recover(position, want, {
    probe: (a, seq) => performer(a).probe(a, about(seq)),
    settled,
    drop,
  });
  if (!(resting instanceof Map)) return { end: 'blocked', failure: resting, state: position.state() };
  const woken = position.event({ type: 'life-started', life: deps.base });
  if (!woken.ok) return { end: 'blocked', failure: woken.failure, state: position.state() };

  const running = new Map<string, Flight<M>>();
  const news: News<M>[] = [];
  const wakeup = createWakeup();
  const report = (item: News<M>): void => {
    news.push(item);
    wakeup.wake();
  };
  deps.messages.listen(wakeup.wake);
  deps.signal.addEventListener('abort', wakeup.wake);

  const start = (action: ActionOf<M>): void => {
    const seq = resting.get(action.key)?.seq ?? position.begin(action);
    resting.delete(action.key);
    const abort = new AbortController();
    const ended = performer(action)
      .perform(action, { ...about(seq), signal: abort.signal })
      .then(
        (answer) => report({ seq, action, did: 'answer', answer }),
        (error: unknown) => report({ seq, action, did: 'throw', error }),
      );
    running.set(action.key, { seq, action, abort, ended });
  };
  /** What starts next unless a message or a stop comes first, which are handled before it. */
  const startNext = (s: State<F, A, Mem>): readonly ActionOf<M>[] => {
    const next = deps.signal.aborted ? [] : wantsOf(s);
    if ('verdict' in next || [...running.keys()].some((key) => !next.some((a) => a.key === key))) return [];
    return next.filter((a) => !running.has(a.key) && !resting.has(a.key)).slice(0, deps.limit - running.size);
  };
  const end = async (flights: readonly Flight<M>[]): Promise<void> => {
    for (const flight of flights) running.delete(flight.action.key);
    for (const flight of flights) flight.abort.abort();
    await Promise.all(flights.map((flight) => flight.ended));
  };

  try {
    for (;;) {
      for (let message = deps.messages.take(); message; message = deps.messages.take()) {
        const { event } = message;
        const stored = position.event(event);
        if (!stored.ok) return { end: 'blocked', failure: stored.failure, state: position.state() };
        if (event.type === 'answered')
          for (const [key, rest] of resting) if (rest.gate === event.gate) resting.set(key, { ...rest, gate: null });
        message.stored();
      }
      if (deps.signal.aborted) return { end: 'stopped', state: position.state() };
      const next = want();
      const actions = 'verdict' in next ? [] : next;
      const isWanted = (key: string): boolean => actions.some((a) => a.key === key);
      for (const [key, rest] of resting)
        if (!isWanted(key) || (rest.isNew && !actions.some((a) => isDeepStrictEqual(a, rest.action)))) {
          resting.delete(key);
          drop(rest);
        }
      const idle = [...running.values()].filter((flight) => !isWanted(flight.action.key));
      if (idle.length > 0) {
        await end(idle);
        idle.forEach(drop);
        continue; // it may have been paused or stopped meanwhile
      }
      if ('verdict' in next) return { end: 'verdict', ...next, state: position.state() };
      const phase = m.phase?.(position.state()) ?? null;
      if (phase !== null) deps.inPhase?.(phase);
      if (actions.length === 0) throw new Bug(`machine ${m.name} is stuck: it wants nothing and has no verdict`);
      for (const a of actions)
        if (!running.has(a.key) && typeof resting.get(a.key)?.gate !== 'string' && running.size < deps.limit) start(a);
      if (running.size === 0)
        return { end: 'waiting', on: [...resting.values()].flatMap((r) => r.gate ?? []), state: position.state() };
      if (news.length === 0) await wakeup.wait();
      const item = news.shift();
      if (!item || running.get(item.action.key)?.seq !== item.seq) continue;
      if (deps.signal.aborted) return { end: 'stopped', state: position.state() };
      if (item.did === 'throw') throw item.error;
      running.delete(item.action.key);
      if ('parked' in item.answer) {
        const { seq, action } = item;
        const gate = item.answer.parked;
        resting.set(action.key, { seq, action, gate });
        const stored = position.event({ type: 'parked', key: action.key, gate });
        if (!stored.ok) return { end: 'blocked', failure: stored.failure, state: position.state() };
      } else if ('blocked' in item.answer)
        return { end: 'blocked', failure: item.answer.blocked, state: position.state() };
      else {
        const stored = position.finish(item.seq, item.action, item.answer, startNext);
        if (!stored.ok) return { end: 'blocked', failure: stored.failure, state: position.state() };
        for (const { seq, action } of stored.value) resting.set(action.key, { seq, action, gate: null, isNew: true });
        settled(item.action, item.seq);
        position.compact(COMPACT_LINES);
      }
    }
  } finally {
    deps.signal.removeEventListener('abort', wakeup.wake);
    deps.messages.listen(() => undefined);
    await end([...running.values()]);
  }
}

/** Probes every open intent. Returns the intents to perform again under their old token. */
async function recover<F, A extends { readonly stage: string }, Mem, M extends ActionMap>(
  position: OpenPosition<F, A, Mem, M>,
  want: () => readonly ActionOf<M>[] | MachineVerdict,
  to: {
    readonly probe: (action: ActionOf<M>, seq: number) => ReturnType<Performer<ActionOf<M>, object>['probe']>;
    readonly settled: (action: ActionOf<M>, seq: number) => void;
    readonly drop: (intent: { readonly seq: number; readonly action: ActionOf<M> }) => void;
  },
): Promise<Map<string, Rest<M>> | Failure> {
  const again = new Map<string, Rest<M>>();
  for (const intent of position.open) {
    const { seq } = intent;
    const action = storedAction<M>(intent);
    const next = want();
    if ('verdict' in next || !next.some((a) => a.key === action.key)) {
      to.drop({ seq, action });
      continue;
    }
    const evidence = await to.probe(action, seq);
    if (evidence.found === 'nothing') {
      again.set(action.key, { seq, action, gate: null });
      continue;
    }
    const stored =
      evidence.found === 'outcome' ? position.finish(seq, action, evidence.outcome) : position.recovered(seq, action);
    if (!stored.ok) return stored.failure;
    to.settled(action, seq);
  }
  return again;
}
