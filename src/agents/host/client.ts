// A hosted session from the driver's side: starts the wrapper process, gives it turns, and never waits for one that has exited.
import { setTimeout as pause } from 'node:timers/promises';
import { MAX_TIMER_MS } from '../../host/clock.ts';
import { endOrphans } from '../../host/process-tree.ts';
import type { TurnOutcome } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import type { ProviderName } from '../../model/config.ts';
import type { AgentEvent } from '../../model/event.ts';
import { failure } from '../../model/failure.ts';
import { lostTurn } from '../../model/turn.ts';
import { addUsage, NO_USAGE, type Usage } from '../../model/usage.ts';
import type { SessionSpec } from '../port.ts';
import type { Account } from '../quota/ledger.ts';
import type { MonitorRules } from '../monitor/rules.ts';
import type { TurnLimits } from './turn-limits.ts';
import type { Injection, WrapperOrder, WrapperReport, WrapperStart } from './protocol.ts';
import { readTurn } from './turn-results.ts';
import { startWrapper, type WrapperProcess } from './wrapper-process.ts';

export type HostedOptions = {
  /** The wrapper program: src/agents/host/main.ts, or its bundle. */
  readonly entry: string;
  readonly spec: Omit<SessionSpec, 'token'>;
  /** Marks the wrapper and everything that it starts. Unique to this session on this machine. */
  readonly token: string;
  /** The folder of `turn-<n>.json` and `events.jsonl`, outside the work folder; created if missing. */
  readonly results: string;
  readonly limits: TurnLimits;
  /** The rules of the session's monitor; default: only the limits apply. */
  readonly rules?: MonitorRules;
  /** The ledger that records the quota of the account; default: none. */
  readonly quota?: Account;
  readonly onEvent: (turn: number, event: AgentEvent) => void;
  /** Aborting it ends the running turn, and every later one at once. */
  readonly signal: AbortSignal;
  /** A wrapper that was started for this session in advance; default: a new one. */
  readonly wrapper?: WrapperProcess;
  /** How much longer than its wall limit a turn may take before its wrapper counts as hung. Default: 20 s. */
  readonly patienceMs?: number;
};

export type HostedSession = {
  readonly pid: number | null;
  readonly provider: ProviderName;
  /** Runs turn `n` (1-based, one at a time). Never rejects. Durable when it resolves, unless the wrapper crashed. `stable`: as for an agent's turn (port.ts). */
  turn(n: number, prompt: string, stable?: number): Promise<TurnOutcome>;
  inject(text: string): Promise<Injection>;
  /** Ends the running turn; resolves when it has ended. */
  abort(): Promise<void>;
  /** Ends the session and everything it started, if not its wrapper, which may serve another one; the usage of all its turns. Safe to call twice. */
  close(): Promise<Usage>;
  /** Its wrapper has looked for everything that it started, and ended it. */
  hasEndedAll(): boolean;
};

/** Longer than the wrapper itself waits for an adapter that does not close. */
const CLOSE_MS = 20_000;
const GRACE_MS = 1_000;

export function openHostedSession(options: HostedOptions): HostedSession {
  const { token, results } = options;
  const { env, agent } = options.spec;
  const wrapper = options.wrapper ?? startWrapper({ ...options, folder: results, env, provider: agent.provider });
  const { child, group } = wrapper;
  const send = (line: WrapperStart | WrapperOrder): void => void child.stdin.write(`${JSON.stringify(line)}\n`);

  let total = NO_USAGE;
  let reported: Usage | null = null;
  const closed = Promise.withResolvers<'closed'>();
  /** Every turn so far ended by itself. */
  let isSound = true;
  let running: { turn: number; settle: (outcome: TurnOutcome) => void; ended: Promise<TurnOutcome> } | null = null;
  let lastId = 0;
  const injections = new Map<number, (how: Injection) => void>();
  const receive = (report: WrapperReport): void => {
    if (report.report === 'event') options.onEvent(report.turn, report.event);
    if (report.report === 'turn' && running?.turn === report.turn) running.settle(report.outcome);
    if (report.report === 'injected') {
      injections.get(report.id)?.(report.how);
      injections.delete(report.id);
    }
    if (report.report === 'closed') {
      reported = report.usage;
      closed.resolve('closed');
    }
  };
  wrapper.listen(receive);

  const crashed = wrapper.ended.then(async ({ code, signal }) => {
    // A wrapper that was killed leaves its agent; one that has closed the session has ended everything.
    if (reported === null) await endOrphans(token, GRACE_MS);
    const [stderr, program] = [wrapper.stderr(), 'session'];
    return failure('agent-crashed', { program, code: code ?? -1, signal: signal ?? '', stderr });
  });
  const { limits, rules, quota } = options;
  send({
    spec: { ...options.spec, token },
    results,
    limits,
    ...(rules === undefined ? {} : { rules }),
    ...(quota === undefined ? {} : { quota }),
  });

  const abort = async (): Promise<void> => {
    if (running === null) return;
    send({ order: 'abort' });
    await running.ended;
  };
  const onSignal = (): void => void abort();
  options.signal.addEventListener('abort', onSignal);

  let finished: Promise<Usage> | null = null;
  const finish = async (): Promise<Usage> => {
    // What is still to be answered might be answered to the next session.
    const isIdle = running === null && injections.size === 0;
    options.signal.removeEventListener('abort', onSignal);
    send({ order: 'close' });
    const late = (): Promise<null> => pause(CLOSE_MS, null, { ref: false });
    const how = await Promise.race([closed.promise, crashed, late()]);
    if (how === 'closed' && isSound && isIdle && wrapper.release !== undefined) {
      wrapper.release();
      return reported ?? total;
    }
    wrapper.dismiss();
    const exited = how === null ? null : await Promise.race([crashed, late()]);
    if (exited === null) {
      group.signal('SIGKILL');
      await crashed;
    }
    return reported ?? total;
  };

  return {
    pid: child.pid ?? null,
    provider: agent.provider,
    async turn(n, prompt, stable) {
      if (running !== null) throw new Bug('a session has one turn at a time');
      const { promise, resolve } = Promise.withResolvers<TurnOutcome>();
      running = { turn: n, settle: resolve, ended: promise };
      // Where the wrapper crashed, or the session was closed during the turn.
      void crashed.then((why) => resolve(readTurn(results, n) ?? lostTurn(finished === null ? why : null)));
      send({ order: 'turn', turn: n, prompt, ...(stable === undefined ? {} : { stable }) });
      if (options.signal.aborted) send({ order: 'abort' });
      // The wrapper enforces the limits; one that is stopped or hangs is ended here, so that every turn ends.
      const patience = Math.min(options.limits.wallMs + (options.patienceMs ?? CLOSE_MS), MAX_TIMER_MS);
      const timer = setTimeout(() => group.signal('SIGKILL'), patience);
      const outcome = await promise;
      clearTimeout(timer);
      total = addUsage(total, outcome.usage);
      isSound &&= outcome.end === 'end-turn';
      running = null;
      return outcome;
    },
    inject(text) {
      const id = ++lastId;
      const answered = new Promise<Injection>((resolve) => injections.set(id, resolve));
      send({ order: 'inject', id, text });
      return Promise.race([answered, crashed.then((): Injection => 'unsupported')]);
    },
    abort,
    close: () => (finished ??= finish()),
    hasEndedAll: () => reported !== null,
  };
}
