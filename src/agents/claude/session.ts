// Owns one live session with Claude: its program, its turns, and the few ways to end either.
import { randomUUID } from 'node:crypto';
import { settlesWithin, systemClock } from '../../host/clock.ts';
import { Bug } from '../../model/bug.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { NO_USAGE } from '../../model/usage.ts';
import type { AgentSession, SessionSpec, ToolPolicy, TurnResult } from '../port.ts';
import { classify, crashed, NO_SYMPTOM } from './errors.ts';
import { openInput, userMessage } from './input.ts';
import { optionsOf, type Denial } from './options.ts';
import { startProgram, type Program } from '../program.ts';
import type { Query, Sdk, SdkMessage, SpawnOptions } from './sdk.ts';
import { keepTotals, readTotals } from './totals.ts';
import { openTurn, type Turn } from './turn.ts';
import { NO_TOTALS, shareOf, totalsOf, type Totals } from './usage.ts';

/** How long the program may take to obey an interrupt before it is ended. */
const INTERRUPT_MS = 5_000;
/** An interrupt that arrives before the prompt was taken up does nothing: it is said again after so long. */
const AGAIN_MS = 500;
/** How long an idle program may take to go by itself once its input has ended. */
const GOODBYE_MS = 2_000;
/** On TERM the program ends its own shells first, which took 1.5 s where it was measured. */
const GRACE_MS = { program: 3_000, leftovers: 0 };

export function openSession(sdk: Sdk, spec: SessionSpec, policy: ToolPolicy): AgentSession {
  const id = spec.resume?.id ?? randomUUID();
  let program: Program | null = null;
  const input = openInput();
  const held: string[] = [];
  let query: Query | null = null;
  let turn: Turn | null = null;
  let dead: Failure | null = null;
  let isNamed = false;
  let before: { readonly known: Totals } | { readonly either: Totals[] } =
    spec.resume === null ? { known: NO_TOTALS } : { either: [NO_TOTALS, ...listed(readTotals(spec.home, id))] };

  const begin = (): void => {
    const denied = (call: string, tool: string, denial: Denial): void => turn?.denied(call, tool, denial);
    const spawn = ({ command, args, env, ...more }: SpawnOptions): Program['child'] => {
      const { token, box } = spec;
      program = startProgram({ ...more, argv: [command, ...args], env: defined(env), token, box, graceMs: GRACE_MS });
      return program.child;
    };
    const options = optionsOf({ spec, policy, denied, id, spawn });
    query = sdk.query({ prompt: input.messages, options });
    void listen(query);
  };

  const listen = async (messages: AsyncIterable<SdkMessage>): Promise<void> => {
    let words = 'the program ended';
    try {
      for await (const message of messages) receive(message);
    } catch (error) {
      words = error instanceof Error ? error.message : String(error);
    }
    dead ??= crashed({ words, stderr: program?.stderr() ?? '' });
    turn?.lost(dead);
  };

  const receive = (m: SdkMessage): void => {
    if (m.type === 'result') {
      const share = shareOf(m, before);
      before = { known: totalsOf(m) };
      if (spec.mode !== 'complete') keepTotals(spec.home, id, before.known);
      turn?.finish(m, share);
      return;
    }
    // The program says who it is before every turn; we say it once.
    if (m.subtype === 'init' && isNamed) return;
    isNamed ||= m.subtype === 'init';
    turn?.receive(m);
    // Tried again, a wrong key stays wrong: ten times of it cost minutes.
    if (m.subtype === 'api_retry' && m.error === 'authentication_failed' && turn !== null) {
      turn.fail(classify({ ...NO_SYMPTOM, error: m.error, status: m.error_status ?? null, text: m.error }));
      void interrupt(turn);
    }
  };

  /** Says it until the turn is over; a program that does not listen is ended, and the session with it. */
  const interrupt = async (running: Turn): Promise<void> => {
    const until = performance.now() + INTERRUPT_MS;
    while (performance.now() < until) {
      await settlesWithin(AGAIN_MS, query?.interrupt() ?? Promise.resolve());
      // A command that is deaf to TERM outlives the program's own way of ending it.
      if (await settlesWithin(AGAIN_MS, running.done)) return program?.sweep();
    }
    await program?.end(0);
    running.lost(crashed({ words: 'ended', stderr: program?.stderr() ?? '' }));
  };

  const run = async (prompt: string, onEvent: Parameters<AgentSession['turn']>[1]): Promise<TurnResult> => {
    if (turn !== null) throw new Bug('a turn was begun while another one runs');
    if (dead !== null) return { end: 'agent-failed', failure: dead, text: '', usage: NO_USAGE };
    const current = openTurn(onEvent, () => systemClock.now());
    turn = current;
    try {
      if (query === null) begin();
      const uuid = randomUUID();
      current.pushed(uuid);
      input.push(userMessage(uuid, [...held.splice(0), prompt].join('\n\n')));
    } catch (error) {
      current.lost(crashed({ words: error instanceof Error ? error.message : String(error), stderr: '' }));
    }
    const result = await current.done;
    turn = null;
    return result;
  };

  return {
    id: () => (query === null ? (spec.resume?.id ?? null) : id),
    turn: run,
    async inject(text) {
      if (dead !== null) return 'unsupported';
      if (turn === null) {
        held.push(text);
        return 'next-turn';
      }
      const uuid = randomUUID();
      turn.pushed(uuid);
      input.push(userMessage(uuid, text));
      return 'delivered';
    },
    async abort() {
      const running = turn;
      if (running === null) return;
      running.abort();
      await interrupt(running);
    },
    async close() {
      if (turn !== null) {
        turn.abort();
        await interrupt(turn);
      }
      dead ??= failure('agent-crashed', { provider: 'claude', detail: 'closed' });
      input.end();
      await program?.end(GOODBYE_MS);
      query?.close();
    },
  };
}

const defined = (env: SpawnOptions['env']): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const listed = <T>(value: T | null): T[] => (value === null ? [] : [value]);
