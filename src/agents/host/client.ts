// The driver's side of a hosted session: starts the wrapper process, hands it turns, and never waits for a dead one.
import { setTimeout as pause } from 'node:timers/promises';
import { endOrphans } from '../../host/process-tree.ts';
import type { TurnOutcome } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import type { AgentEvent } from '../../model/event.ts';
import { failure } from '../../model/failure.ts';
import { lostTurn } from '../../model/turn.ts';
import { addUsage, NO_USAGE, type Usage } from '../../model/usage.ts';
import type { SessionSpec } from '../port.ts';
import { onLines } from '../lines.ts';
import type { Account } from '../quota/book.ts';
import type { MonitorRules } from '../monitor/rules.ts';
import { LONGEST_TIMER_MS, type TurnLimits } from './limits.ts';
import { readReport, type Injected, type Order, type Report, type Start } from './protocol.ts';
import { readTurn } from './results.ts';
import { startWrapper, type Wrapper } from './start.ts';

export type HostedOptions = {
  /** The wrapper program: src/agents/host/main.ts, or its bundle. */
  readonly entry: string;
  readonly spec: Omit<SessionSpec, 'token'>;
  /** Marks the wrapper and everything under it. Unique to this session on this machine. */
  readonly token: string;
  /** The folder of `turn-<n>.json` and `events.jsonl`: outside the lane, made if it is not there. */
  readonly results: string;
  readonly limits: TurnLimits;
  /** What the session is watched by beside its limits; left out: nothing. */
  readonly rules?: MonitorRules;
  /** Where what is heard of the account's quota is noted; left out: nowhere. */
  readonly quota?: Account;
  readonly onEvent: (turn: number, event: AgentEvent) => void;
  /** Aborting ends the running turn, and every later one at once. */
  readonly signal: AbortSignal;
  /** A wrapper that was started for this session before; default: a new one. */
  readonly wrapper?: Wrapper;
  /** How much longer than its wall limit a turn may last before its wrapper is taken for stuck. Default: 20 s. */
  readonly patienceMs?: number;
};

export type HostedSession = {
  readonly pid: number | null;
  /** Runs turn `n` (1-based, one at a time). Never rejects; durable before it resolves unless the wrapper died. */
  turn(n: number, prompt: string): Promise<TurnOutcome>;
  inject(text: string): Promise<Injected>;
  /** Ends the running turn; resolves when it has ended. */
  abort(): Promise<void>;
  /** Ends the session and everything it started; the usage of all its turns. Safe to call twice. */
  close(): Promise<Usage>;
};

/** Longer than the wrapper's own patience with an adapter that does not close. */
const CLOSE_MS = 20_000;
const GRACE_MS = 1_000;

export function openHostedSession(options: HostedOptions): HostedSession {
  const { token, results } = options;
  const { env, agent } = options.spec;
  const wrapper = options.wrapper ?? startWrapper({ ...options, folder: results, env, provider: agent.provider });
  const { child, group } = wrapper;
  const say = (line: Start | Order): void => void child.stdin.write(`${JSON.stringify(line)}\n`);

  let total = NO_USAGE;
  let told: Usage | null = null;
  let running: { turn: number; settle: (outcome: TurnOutcome) => void; ended: Promise<TurnOutcome> } | null = null;
  let asked = 0;
  const injections = new Map<number, (how: Injected) => void>();
  const hear = (report: Report): void => {
    if (report.report === 'event') options.onEvent(report.turn, report.event);
    if (report.report === 'turn' && running?.turn === report.turn) running.settle(report.outcome);
    if (report.report === 'injected') injections.get(report.id)?.(report.how);
    if (report.report === 'closed') told = report.usage;
  };
  onLines(child.stdout, (line) => {
    const report = readReport(line);
    if (report !== null) hear(report);
  });

  const dead = wrapper.ended.then(async ({ code, signal }) => {
    // The agent of a wrapper that was killed; one that took its leave has ended everything itself.
    if (told === null || code !== 0) await endOrphans(token, GRACE_MS);
    const [stderr, program] = [wrapper.stderr(), 'session'];
    return failure('agent-crashed', { program, code: code ?? -1, signal: signal ?? '', stderr });
  });
  const { limits, rules, quota } = options;
  say({
    spec: { ...options.spec, token },
    results,
    limits,
    ...(rules === undefined ? {} : { rules }),
    ...(quota === undefined ? {} : { quota }),
  });

  const abort = async (): Promise<void> => {
    if (running === null) return;
    say({ order: 'abort' });
    await running.ended;
  };
  const onSignal = (): void => void abort();
  options.signal.addEventListener('abort', onSignal);

  let finished: Promise<Usage> | null = null;
  const finish = async (): Promise<Usage> => {
    options.signal.removeEventListener('abort', onSignal);
    say({ order: 'close' });
    const gone = await Promise.race([dead, pause(CLOSE_MS, null, { ref: false })]);
    if (gone === null) {
      group.signal('SIGKILL');
      await dead;
    }
    return told ?? total;
  };

  return {
    pid: child.pid ?? null,
    async turn(n, prompt) {
      if (running !== null) throw new Bug('a session has one turn at a time');
      const { promise, resolve } = Promise.withResolvers<TurnOutcome>();
      running = { turn: n, settle: resolve, ended: promise };
      // Its wrapper died, or the session was closed over it.
      void dead.then((why) => resolve(readTurn(results, n) ?? lostTurn(finished === null ? why : null)));
      say({ order: 'turn', turn: n, prompt });
      if (options.signal.aborted) say({ order: 'abort' });
      // The wrapper keeps the limits; one that is stopped or hangs is ended here, so that no turn lasts for ever.
      const patience = Math.min(options.limits.wallMs + (options.patienceMs ?? CLOSE_MS), LONGEST_TIMER_MS);
      const watchdog = setTimeout(() => group.signal('SIGKILL'), patience);
      const outcome = await promise;
      clearTimeout(watchdog);
      total = addUsage(total, outcome.usage);
      running = null;
      return outcome;
    },
    inject(text) {
      const id = ++asked;
      const answered = new Promise<Injected>((resolve) => injections.set(id, resolve));
      say({ order: 'inject', id, text });
      return Promise.race([answered, dead.then((): Injected => 'unsupported')]);
    },
    abort,
    close: () => (finished ??= finish()),
  };
}
