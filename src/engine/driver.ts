// The one driver: it writes the intent, has the action performed, writes the outcome. The only code that knows crashes exist.
// I1 an action runs exactly while `wants` lists its key: a new one is begun, one no longer listed is aborted and awaited.
// I2 nothing new begins before everything aborted has ended: two actions never work on one tree.
// I3 an outcome is applied only if its intent is the one in flight: late news is no news.
// I4 an action found "not begun or safe to repeat" after a crash keeps its token, so that its effects recognise themselves.
import type { Clock } from '../host/clock.ts';
import type { Io } from '../host/io.ts';
import type { Failure } from '../model/failure.ts';
import { openJournal } from './journal.ts';
import type { Mailbox } from './mailbox.ts';
import { openPosition, type Line, type Opened } from './position.ts';
import { jsonStore } from './store.ts';
import type { ActionMap, ActionOf, Blocked, Machine, MachineVerdict, Parked, Performer, Performers } from './types.ts';

export type DriveDeps<M extends ActionMap> = {
  readonly io: Io;
  readonly clock: Clock;
  readonly performers: Performers<M>;
  /** Path of the journal; made where it is missing. */
  readonly journal: string;
  /** Path of the reference's own file. */
  readonly file: string;
  /** Unique on this machine for this life of the position; tokens of processes, refs and result files begin with it. */
  readonly base: string;
  readonly mailbox: Mailbox;
  /** Stop now: what runs is aborted and left open, a later life takes it up. */
  readonly signal: AbortSignal;
  /** At most so many actions at a time. */
  readonly limit: number;
};

export type DriveEnd =
  | { readonly end: 'verdict'; readonly verdict: string; readonly reason: string; readonly state: unknown }
  | { readonly end: 'waiting'; readonly on: readonly string[]; readonly state: unknown }
  | { readonly end: 'stopped'; readonly state: unknown }
  /** `state` is null where the life could not even be opened. */
  | { readonly end: 'blocked'; readonly failure: Failure; readonly state: unknown };

type Flight = { readonly seq: number; readonly abort: AbortController; readonly settled: Promise<void> };
type News<M extends ActionMap> = { readonly seq: number; readonly action: ActionOf<M> } & (
  | { readonly did: 'answer'; readonly answer: object | Parked | Blocked }
  | { readonly did: 'throw'; readonly error: unknown }
);

/** Drives a machine until its verdict, a gate, a stop, or something it cannot mend. Rejects only where a performer has a bug. */
export async function drive<F, A extends { readonly stage: string }, Mem, M extends ActionMap>(
  m: Machine<F, A, Mem, M>,
  initial: () => F,
  deps: DriveDeps<M>,
): Promise<DriveEnd> {
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
  const performer = (a: ActionOf<M>) => deps.performers[a.kind] as unknown as Performer<ActionOf<M>, object>;
  const want = (): readonly ActionOf<M>[] | MachineVerdict => {
    const s = position.state();
    return m.stages[s.at.stage as A['stage']].wants(s as never);
  };
  const token = (seq: number): string => `${position.base}/${seq}`;

  const again = await recover(position, want, (a, seq) =>
    performer(a).probe(a, { token: token(seq), epoch: position.epoch }),
  );
  if (!(again instanceof Map)) return { end: 'blocked', failure: again, state: position.state() };
  const woken = position.event({ type: 'life-started' });
  if (!woken.ok) return { end: 'blocked', failure: woken.failure, state: position.state() };

  const running = new Map<string, Flight>();
  const parked = new Map<string, string>();
  const news: News<M>[] = [];
  let wake = (): void => undefined;
  const tell = (item: News<M>): void => {
    news.push(item);
    wake();
  };
  deps.mailbox.listen(() => wake());
  const onStop = (): void => wake();
  deps.signal.addEventListener('abort', onStop);

  const start = (action: ActionOf<M>): void => {
    const seq = again.get(action.key) ?? position.begin(action);
    again.delete(action.key);
    const abort = new AbortController();
    const settled = performer(action)
      .perform(action, { token: token(seq), epoch: position.epoch, signal: abort.signal })
      .then(
        (answer) => tell({ seq, action, did: 'answer', answer }),
        (error: unknown) => tell({ seq, action, did: 'throw', error }),
      );
    running.set(action.key, { seq, abort, settled });
  };
  const end = async (keys: readonly string[]): Promise<void> => {
    const flights = keys.map((key) => running.get(key)).filter((f) => f !== undefined);
    for (const key of keys) running.delete(key);
    for (const flight of flights) flight.abort.abort();
    await Promise.all(flights.map((flight) => flight.settled));
  };

  try {
    for (;;) {
      for (let event = deps.mailbox.take(); event; event = deps.mailbox.take()) {
        const stored = position.event(event);
        if (!stored.ok) return { end: 'blocked', failure: stored.failure, state: position.state() };
      }
      if (deps.signal.aborted) return { end: 'stopped', state: position.state() };
      const next = want();
      const actions = 'verdict' in next ? [] : next;
      const idle = [...running].filter(([key]) => !actions.some((a) => a.key === key));
      for (const [, flight] of idle) position.drop(flight.seq, 'no longer wanted');
      await end(idle.map(([key]) => key));
      if ('verdict' in next) return { end: 'verdict', ...next, state: position.state() };
      for (const a of actions) if (!running.has(a.key) && !parked.has(a.key) && running.size < deps.limit) start(a);
      if (running.size === 0) return { end: 'waiting', on: [...parked.values()], state: position.state() };
      if (news.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const item = news.shift();
      if (!item || running.get(item.action.key)?.seq !== item.seq) continue;
      if (deps.signal.aborted) return { end: 'stopped', state: position.state() };
      if (item.did === 'throw') throw item.error;
      running.delete(item.action.key);
      if ('parked' in item.answer) parked.set(item.action.key, item.answer.parked);
      else if ('blocked' in item.answer)
        return { end: 'blocked', failure: item.answer.blocked, state: position.state() };
      else {
        const stored = position.finish(item.seq, item.action, item.answer);
        if (!stored.ok) return { end: 'blocked', failure: stored.failure, state: position.state() };
      }
    }
  } finally {
    deps.signal.removeEventListener('abort', onStop);
    deps.mailbox.listen(() => undefined);
    await end([...running.keys()]);
  }
}

/** Asks every open intent how far it got. Answers the intents that are to be performed again under their old token. */
async function recover<F, A extends { readonly stage: string }, Mem, M extends ActionMap>(
  position: Opened<F, A, Mem, M>,
  want: () => readonly ActionOf<M>[] | MachineVerdict,
  probe: (action: ActionOf<M>, seq: number) => ReturnType<Performer<ActionOf<M>, object>['probe']>,
): Promise<Map<string, number> | Failure> {
  const again = new Map<string, number>();
  for (const intent of position.open) {
    const action = intent.action as ActionOf<M>;
    const next = want();
    if ('verdict' in next || !next.some((a) => a.key === action.key)) {
      position.drop(intent.seq, 'no longer wanted');
      continue;
    }
    const evidence = await probe(action, intent.seq);
    if (evidence.found === 'nothing') {
      again.set(action.key, intent.seq);
      continue;
    }
    const stored =
      evidence.found === 'outcome'
        ? position.finish(intent.seq, action, evidence.outcome)
        : position.recovered(intent.seq, action);
    if (!stored.ok) return stored.failure;
  }
  return again;
}
