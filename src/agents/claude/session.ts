// One live session with Claude: its program, its turns, and how either is ended.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { settlesWithin, systemClock } from '../../host/clock.ts';
import { Bug } from '../../model/bug.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { NO_USAGE } from '../../model/usage.ts';
import type { AgentSession, Denial, SessionSpec, ToolPolicy, TurnResult } from '../port.ts';
import { classify, crashed, EMPTY_SYMPTOM } from './errors.ts';
import { optionsOf } from './options.ts';
import { promptOf } from './prompt.ts';
import { startProgram, type Program } from '../program.ts';
import type { SdkQuery, Sdk, SdkMessage, SpawnOptions, UserMessage } from './sdk.ts';
import { openTurn, type ClaudeTurn } from './turn.ts';
import { NO_TOTALS, shareOf, totalsOf, type Totals } from './usage.ts';

/** How long the program may take to react to an interrupt before it is ended. */
const INTERRUPT_MS = 5_000;
/** An interrupt that arrives before the program has read the prompt has no effect: it is repeated after this time. */
const REPEAT_MS = 500;
/** How long an idle program may take to exit by itself after its input has ended. */
const EXIT_MS = 2_000;
/** On TERM the program ends its own shells first, which took 1.5 s where it was measured. */
const GRACE_MS = { program: 3_000, leftovers: 0 };

export function openSession(sdk: Sdk, spec: SessionSpec, policy: ToolPolicy): AgentSession {
  const id = spec.resume?.id ?? randomUUID();
  let program: Program | null = null;
  const input = openPromptStream();
  const held: string[] = [];
  let query: SdkQuery | null = null;
  let turn: ClaudeTurn | null = null;
  let failed: Failure | null = null;
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
    let why = 'the program ended';
    try {
      for await (const message of messages) receive(message);
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
    }
    failed ??= crashed({ message: why, stderr: program?.stderr() ?? '' });
    turn?.lost(failed);
  };

  const receive = (m: SdkMessage): void => {
    if (m.type === 'result') {
      const share = shareOf(m, before);
      before = { known: totalsOf(m) };
      if (spec.mode !== 'complete') keepTotals(spec.home, id, before.known);
      turn?.finish(m, share);
      return;
    }
    // The program reports its session before every turn; we do once.
    if (m.subtype === 'init' && isNamed) return;
    isNamed ||= m.subtype === 'init';
    turn?.receive(m);
    // A wrong key stays wrong: ten retries would take minutes.
    if (m.subtype === 'api_retry' && m.error === 'authentication_failed' && turn !== null) {
      turn.fail(classify({ ...EMPTY_SYMPTOM, error: m.error, status: m.error_status ?? null, text: m.error }));
      void interrupt(turn);
    }
  };

  /** Repeats the interrupt until the turn is over. A program that does not react is ended, and the session with it. */
  const interrupt = async (running: ClaudeTurn): Promise<void> => {
    const until = performance.now() + INTERRUPT_MS;
    while (performance.now() < until) {
      await settlesWithin(REPEAT_MS, query?.interrupt() ?? Promise.resolve());
      // A command that ignores TERM survives the program's own way of ending it.
      if (await settlesWithin(REPEAT_MS, running.done)) return program?.sweep();
    }
    await program?.end(0);
    running.lost(crashed({ message: 'ended', stderr: program?.stderr() ?? '' }));
  };

  const run: AgentSession['turn'] = async (prompt, onEvent, stable = 0): Promise<TurnResult> => {
    if (turn !== null) throw new Bug('a turn was begun while another one runs');
    if (failed !== null) return { end: 'agent-failed', failure: failed, text: '', usage: NO_USAGE };
    const current = openTurn(onEvent, () => systemClock.now());
    turn = current;
    try {
      // A conversation has one mark of ours: more than four in all are refused.
      const isMarked = query === null && spec.resume === null && spec.mode !== 'complete' && held.length === 0;
      if (query === null) begin();
      const uuid = randomUUID();
      current.pushed(uuid);
      const text = [...held.splice(0), prompt].join('\n\n');
      input.push(userMessage(uuid, isMarked ? promptOf(text, stable, { ...spec.env, ...spec.agent.env }) : text));
    } catch (error) {
      current.lost(crashed({ message: error instanceof Error ? error.message : String(error), stderr: '' }));
    }
    const result = await current.done;
    turn = null;
    return result;
  };

  return {
    id: () => (query === null ? (spec.resume?.id ?? null) : id),
    turn: run,
    async inject(text) {
      if (failed !== null) return 'unsupported';
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
      failed ??= failure('agent-crashed', { provider: 'claude', detail: 'closed' });
      input.end();
      await program?.end(EXIT_MS);
      query?.close();
    },
  };
}

const defined = (env: SpawnOptions['env']): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const listed = <T>(value: T | null): T[] => (value === null ? [] : [value]);

/** The totals of a session are stored in its private folder, so that a resumed session continues counting. */
const totals = z.object({ input: z.number(), output: z.number(), cached: z.number(), costUsd: z.number() });

const fileOf = (home: string, id: string): string => join(home, `claude-totals-${id}.json`);

/** As of the last turn that ended; null if unknown. */
function readTotals(home: string, id: string): Totals | null {
  try {
    return totals.parse(JSON.parse(readFileSync(fileOf(home, id), 'utf8')));
  } catch {
    return null;
  }
}

/** A lost write only makes one later turn's cost unknown. */
function keepTotals(home: string, id: string, known: Totals): void {
  try {
    mkdirSync(home, { recursive: true });
    writeFileSync(fileOf(home, id), JSON.stringify(known));
  } catch {
    // see the comment of the function
  }
}

type PromptStream = {
  readonly messages: AsyncIterable<UserMessage>;
  push(message: UserMessage): void;
  /** After this the program exits by itself when it has nothing left to do. Safe to call twice. */
  end(): void;
};

/** The stream of prompts to the program: pushed at any time, read one by one, ended once. */
function openPromptStream(): PromptStream {
  const waiting: UserMessage[] = [];
  let ended = false;
  let wake: () => void = () => undefined;
  async function* messages(): AsyncGenerator<UserMessage> {
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (ended) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  return {
    messages: messages(),
    push(message) {
      waiting.push(message);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
  };
}

const userMessage = (uuid: string, content: UserMessage['message']['content']): UserMessage => ({
  type: 'user',
  uuid,
  parent_tool_use_id: null,
  message: { role: 'user', content },
});
