// One live session with an agent that speaks the Agent Client Protocol v1: its process and its turns.
// Every error becomes the result of a turn; nothing is judged here.
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientContext } from '@agentclientprotocol/sdk';
import { Bug } from '../../model/bug.ts';
import type { AgentEvent } from '../../model/event.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { AgentSession, SessionSpec, ToolPolicy, TurnResult } from '../port.ts';
import { startProgram, type ProgramExit } from '../program.ts';
import { openSession } from './connect.ts';
import { failureInWords, failureOfError, startProblem, type RpcError } from './errors.ts';
import { serveAgent } from './serve.ts';
import { openTerminals } from './terminals.ts';
import { translator } from './translate.ts';
import { contextOf, turnUsage, NO_REPORT, type UsageReport } from './usage.ts';
import { openWire } from './wire.ts';

export type AcpOptions = {
  readonly spec: SessionSpec;
  readonly policy: ToolPolicy;
  /** The agent program and its arguments. */
  readonly command: readonly string[];
  /** How long an agent may take to end a turn after `session/cancel` before its processes are ended; milliseconds. */
  readonly abortGraceMs?: number;
  /** The turn is over when nothing has arrived for this time after its response. */
  readonly drainMs?: number;
  /** The agent reads and writes files by itself, not through us; default: through us. */
  readonly ownFiles?: boolean;
  /** A provider's own interpretation of an error response; null: the general one applies. */
  readonly explain?: (error: RpcError) => Failure | null;
};

type Connection = {
  readonly agent: ClientContext;
  readonly close: () => void;
  readonly id: string;
  readonly version: string | null;
};
/** How the exchange of one turn ended: with a response, with a failure, or forced by us. */
type ExchangeEnd = { readonly answer: unknown } | { readonly failure: Failure } | 'forced';
type Turn = {
  readonly emit: (event: AgentEvent) => void;
  readonly force: () => void;
  readonly done: Promise<void>;
  text: string;
  aborted: boolean;
  asked: boolean;
  /** The last event was not text. */
  interrupted: boolean;
  /** A call succeeded, or a file was changed. */
  worked: boolean;
};

const ABORT_GRACE_MS = 3_000;
const TEXT_CHARS = 200_000;
/** Updates may follow the response: a turn ends when none arrived during one pause, or after this many pauses. */
const DRAIN_MS = 25;
const DRAIN_PAUSES = 40;
const EXIT_AFTER_EOF_MS = 1_000;
const GRACE_MS = { program: 1_500, leftovers: 1_500 };
/** A heading for the agent's model; the sentences under it come from the catalogue. */
const REFUSED_BEFORE = 'Refused in the last turn:';

/** The protocol's library: large, so it is only loaded where it is used. */
export const loadProtocol = () => import('@agentclientprotocol/sdk');

export function openAcpSession(options: AcpOptions): AgentSession {
  const { spec } = options;
  const env = { ...spec.env, ...spec.agent.env };
  const agent = startProgram({ ...spec, argv: options.command, env, graceMs: GRACE_MS });
  const terminals = openTerminals(spec);
  const translate = translator(spec.cwd);
  const injected: string[] = [];
  /** Why permission requests were refused: sent with the next prompt, because the protocol's response has no field for it. */
  const refusals = new Set<string>();
  let current: Turn | null = null;
  let link: Connection | null = null;
  let updates = 0;
  let announced = false;
  let firstGarbage = '';
  /** What the session cost before the running turn. */
  let costBefore: number | null = spec.resume === null ? 0 : spec.resume.costUsd;
  let report: UsageReport = NO_REPORT;
  /** In an earlier turn. */
  let hasWorked = spec.resume !== null;

  const emit = (event: AgentEvent): void => {
    if (current === null) return; // output after the end
    if (event.t === 'text') {
      // Text before and after a tool call are two messages, though the protocol only sends chunks of text.
      const gap = current.interrupted && current.text !== '' && !current.text.endsWith('\n') ? '\n' : '';
      current.text = (current.text + gap + event.text).slice(-TEXT_CHARS);
    }
    current.interrupted = event.t !== 'text';
    current.worked ||= event.t === 'file-change' || (event.t === 'tool-end' && event.ok);
    current.emit(event);
  };
  const hopeless = Promise.withResolvers<Failure>();
  const wire = openWire(agent.child.stdin, agent.child.stdout, {
    onUpdate(params) {
      updates++;
      const { events, update } = translate.update(params);
      // An agent that opens a session again reports its history first.
      const isOver = current === null || link === null;
      if (!isOver) for (const event of events) emit(event);
      if (update.kind !== 'usage') return;
      if (isOver) costBefore ??= update.costUsd;
      else {
        report = { costUsd: update.costUsd ?? report.costUsd, used: update.used };
        emit(contextOf(update, costBefore));
      }
    },
    onGarbage(line) {
      firstGarbage ||= line.slice(0, 200);
      emit({ t: 'notice', text: line.slice(0, 200) });
    },
    onHopeless: () => hopeless.resolve(failure('agent-malformed', { what: 'not-the-protocol', line: firstGarbage })),
  });
  const whyExited = (exit: ProgramExit): Failure => {
    const program = basename(spec.agent.command[0] ?? options.command[0] ?? '');
    const problem = startProblem(exit.error, agent.stderr(), spec);
    if (problem !== null) return failure('agent-not-installed', { program, why: problem });
    const { messages, garbage } = wire.seen();
    if (messages === 0 && garbage > 0)
      return failure('agent-malformed', { what: 'not-the-protocol', line: firstGarbage });
    return failure('agent-crashed', {
      program,
      code: exit.code ?? -1,
      signal: exit.signal ?? '',
      stderr: agent.stderr(),
    });
  };
  const broken = Promise.race([agent.exited.then(whyExited), hopeless.promise]);
  /** Why the connection ended without a response: the process is about to exit with the reason, unless it only closed its output. */
  const whyUnanswered = (): Promise<Failure> =>
    Promise.race([
      broken,
      pause(EXIT_AFTER_EOF_MS, failure('agent-crashed', { what: 'output-closed' }), { ref: false }),
    ]);
  const explain = (error: RpcError): Failure => options.explain?.(error) ?? failureOfError(error);

  async function connect(): Promise<Result<Connection>> {
    const acp = await loadProtocol();
    const app = acp.client({ name: 'harness' });
    const { policy } = options;
    const callOf = (call: unknown) => translate.call(call);
    const refused = (reason: string): void => void refusals.add(reason);
    serveAgent(acp, app, { spec, env, policy, terminals, emit, callOf, refused });
    const connection = app.connect(wire.stream);
    try {
      const met = await openSession(acp, connection.agent, spec, { explain, ownFiles: options.ownFiles ?? false });
      if (!met.ok) return met;
      const { sessionId: id, version } = met.value;
      link = { agent: connection.agent, close: () => connection.close(), id, version };
      return ok(link);
    } catch {
      return err(await whyUnanswered());
    }
  }
  const connected = connect();

  async function exchange(turn: Turn, prompt: string): Promise<ExchangeEnd> {
    const met = await connected;
    if (!met.ok) return { failure: met.failure };
    const { agent: peer, id, version } = met.value;
    if (!announced) emit({ t: 'session', id, version });
    announced = true;
    if (turn.aborted) return 'forced';
    turn.asked = true;
    const acp = await loadProtocol();
    const before = [...refusals].map((reason) => `- ${reason}`);
    refusals.clear();
    const notes = before.length === 0 ? [] : [[REFUSED_BEFORE, ...before].join('\n')];
    const blocks = [...notes, ...injected.splice(0), prompt].map((text) => ({ type: 'text' as const, text }));
    try {
      return { answer: await peer.request(acp.methods.agent.session.prompt, { sessionId: id, prompt: blocks }) };
    } catch (error) {
      return { failure: error instanceof acp.RequestError ? explain(error) : await whyUnanswered() };
    }
  }

  async function drain(): Promise<void> {
    for (let round = 0; round < DRAIN_PAUSES; round++) {
      const before = updates;
      await pause(options.drainMs ?? DRAIN_MS);
      if (updates === before) return;
    }
  }

  const end = (): Promise<void> => {
    agent.child.stdin.end();
    return agent.end(0);
  };
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    if (current !== null) current.aborted = true;
    current?.force();
    terminals.killAll();
    link?.close();
    await end();
  };

  return {
    id: () => link?.id ?? spec.resume?.id ?? null,
    async turn(prompt, onEvent) {
      if (current !== null) throw new Bug('a session has one turn at a time');
      const forced = Promise.withResolvers<ExchangeEnd>();
      const done = Promise.withResolvers<void>();
      const force = (): void => forced.resolve('forced');
      const turn: Turn = {
        emit: onEvent,
        force,
        done: done.promise,
        text: '',
        aborted: false,
        asked: false,
        interrupted: false,
        worked: false,
      };
      report = NO_REPORT;
      current = turn;
      const ended = await Promise.race([
        exchange(turn, prompt),
        forced.promise,
        broken.then((why): ExchangeEnd => ({ failure: why })),
      ]);
      if (ended !== 'forced') await drain();
      const answer = ended !== 'forced' && 'answer' in ended ? ended.answer : null;
      const usage = turnUsage(answer, costBefore, report);
      costBefore = report.costUsd ?? costBefore;
      if (usage.source !== 'none') {
        const { inputTokens, outputTokens, cachedTokens, costUsd } = usage;
        emit({ t: 'usage', inputTokens, outputTokens, cachedTokens, costUsd });
      }
      const result = resultOf(turn, ended, usage, { emit, stderr: agent.stderr(), mode: spec.mode, hasWorked });
      hasWorked ||= turn.worked;
      current = null;
      done.resolve();
      return result;
    },
    inject(text) {
      injected.push(text);
      return Promise.resolve('next-turn');
    },
    async abort() {
      const turn = current;
      if (turn === null || turn.aborted) return turn?.done;
      turn.aborted = true;
      terminals.killAll();
      if (link !== null && turn.asked) {
        const acp = await loadProtocol();
        await link.agent.notify(acp.methods.agent.session.cancel, { sessionId: link.id }).catch(() => undefined);
        await Promise.race([turn.done, pause(options.abortGraceMs ?? ABORT_GRACE_MS, undefined, { ref: false })]);
      }
      if (current !== turn) return;
      // It ignored the cancellation, or was not connected yet: nothing of it may continue working.
      turn.force();
      await end();
      await turn.done;
    },
    close: () => (closing ??= close()),
  };
}

/** A failure whose reason is not known has what the agent said last, and what it printed. */
function withLastWords(why: Failure, text: string, stderr: string): Failure {
  if (why.reason !== 'agent-unknown') return why;
  const words = {
    ...(text.trim() === '' ? {} : { words: text.trim().slice(-300) }),
    ...(stderr === '' ? {} : { stderr: stderr.slice(-500) }),
  };
  return { ...why, params: { ...why.params, ...words } };
}

function resultOf(
  turn: Turn,
  ended: ExchangeEnd,
  usage: TurnResult['usage'],
  {
    emit,
    stderr,
    mode,
    hasWorked,
  }: {
    readonly emit: (event: AgentEvent) => void;
    readonly stderr: string;
    readonly mode: SessionSpec['mode'];
    readonly hasWorked: boolean;
  },
): TurnResult {
  const { text } = turn;
  if (turn.aborted || ended === 'forced') return { end: 'aborted', text, usage };
  const failed = (why: Failure): TurnResult => {
    if (stderr !== '') emit({ t: 'notice', text: `stderr: ${stderr}` });
    return { end: 'agent-failed', failure: withLastWords(why, text, stderr), text, usage };
  };
  if ('failure' in ended) return failed(ended.failure);
  const { answer } = ended;
  const reason = typeof answer === 'object' && answer !== null && 'stopReason' in answer ? answer.stopReason : null;
  switch (reason) {
    case 'end_turn': {
      // Some agents end a turn well that their provider refused, and say so in words.
      const spoken = turn.worked ? null : failureInWords(text, mode, hasWorked);
      return spoken === null ? { end: 'end-turn', text, usage } : failed(spoken);
    }
    case 'max_turn_requests':
      emit({ t: 'notice', text: 'max_turn_requests' });
      return { end: 'end-turn', text, usage };
    case 'max_tokens':
      return failed(failure('agent-context-full', { what: 'max_tokens' }));
    case 'refusal':
      return failed(failure('agent-refused', { what: 'refusal' }));
    case 'cancelled':
      return failed(failure('agent-unknown', { code: 0, message: 'cancelled without being asked' }));
    default:
      return failed(failure('agent-malformed', { what: 'stop-reason', found: JSON.stringify(reason ?? null) }));
  }
}
