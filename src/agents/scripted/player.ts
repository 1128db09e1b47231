// Plays the steps of one turn and reports them to the harness as a real agent does.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import { RequestError, type StopReason, type ToolKind } from '@agentclientprotocol/sdk';
import { unreachable } from '../../model/bug.ts';
import { playFileStep } from './files.ts';
import { fill, type Context } from './match.ts';
import { runInBackground, runLine } from './shell.ts';
import type { ScriptHost } from './script-host.ts';
import type { FAILURES, ScriptStep } from './steps.ts';

/** Tokens of the turn; `used` is the context fill of its last model call. */
export type TurnSpending = { input: number; output: number; cached: number; costUsd: number; used: number };
export type TurnPlayed = { readonly stop: StopReason; readonly spent: TurnSpending };

const POLL_MS = 25;
const FLOOD_CHUNK = 8_192;
const CONTEXT_SIZE = 200_000;

/** The error responses of agents: the harness has to distinguish them by code, status and message alone. */
const ERRORS: { readonly [K in (typeof FAILURES)[number]]: readonly [code: number, message: string, data: object] } = {
  auth: [-32000, 'Authentication required', {}],
  billing: [-32603, 'Your credit balance is too low', { status: 402 }],
  'rate-limited': [-32603, 'Rate limited', { status: 429 }],
  overloaded: [-32603, 'Overloaded', { status: 529 }],
  'context-full': [-32603, "Ran out of room in the model's context window", {}],
  network: [-32603, 'fetch failed: ECONNRESET', {}],
  internal: [-32603, 'Internal error', {}],
};

/** Plays one turn. `costBefore`: the cost of the session so far, because the protocol reports cost cumulatively. */
export async function playTurn(
  steps: readonly ScriptStep[],
  host: ScriptHost,
  costBefore: number,
): Promise<TurnPlayed> {
  const spent: TurnSpending = { input: 0, output: 0, cached: 0, costUsd: 0, used: 0 };
  const stop = await playSteps(steps, host, spent, costBefore);
  return { stop: host.signal.aborted ? 'cancelled' : (stop ?? 'end_turn'), spent };
}

async function playSteps(
  steps: readonly ScriptStep[],
  host: ScriptHost,
  spent: TurnSpending,
  costBefore: number,
): Promise<StopReason | null> {
  for (const raw of steps) {
    if (host.signal.aborted) return 'cancelled';
    const step = filled(raw, host.context);
    const stop = await playStep(step, host, spent, costBefore).catch((error: unknown) => {
      if (error instanceof RequestError || host.signal.aborted) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new RequestError(-32603, `${step.at.key}: ${why}`, {
        scenario: 'step-failed',
        ...step.at,
        step: step.step,
        why,
      });
    });
    if (stop !== null) return stop;
  }
  return null;
}

const filled = <S extends ScriptStep>(step: S, context: Context): S => ({ ...step, with: fill(step.with, context) });

async function playStep(
  step: ScriptStep,
  host: ScriptHost,
  spent: TurnSpending,
  costBefore: number,
): Promise<StopReason | null> {
  switch (step.step) {
    case 'say': {
      const text = step.with.endsWith('\n') ? step.with : `${step.with}\n`; // messages are paragraphs
      await host.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
      return null;
    }
    case 'think':
      await host.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: step.with } });
      return null;
    case 'write':
    case 'append':
    case 'replace':
    case 'delete':
    case 'claim':
    case 'unclaim':
      await playFileStep(step, host);
      return null;
    case 'run':
      await run(step.with, host);
      return null;
    case 'usage': {
      const { input, output, cached, cost_usd } = step.with;
      spent.input += input;
      spent.output += output;
      spent.cached += cached;
      spent.costUsd += cost_usd;
      spent.used = input + cached + output;
      const cost = { amount: costBefore + spent.costUsd, currency: 'USD' };
      await host.update({ sessionUpdate: 'usage_update', used: spent.used, size: CONTEXT_SIZE, cost });
      return null;
    }
    case 'pause':
      await pause(step.with.seconds * 1000, undefined, { signal: host.signal }).catch(() => undefined);
      return null;
    case 'wait_for_file':
      await waitForFile(resolve(host.cwd, step.with.path), step.with.seconds, host.signal);
      return null;
    case 'crash':
      return host.exit(step.with.exit, step.with.stderr);
    case 'hang':
      return hang(step.with.deaf, host);
    case 'flood':
      for (let left = step.with.bytes; left > 0 && !host.signal.aborted; left -= FLOOD_CHUNK) {
        const text = 'x'.repeat(Math.min(left, FLOOD_CHUNK));
        await host.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
        await breathe(); // so that a cancel can arrive
      }
      return null;
    case 'garbage':
      host.garbage(step.with);
      return null;
    case 'fail': {
      const [code, message, data] = ERRORS[step.with.kind];
      const wait = step.with.retry_after_seconds;
      throw new RequestError(
        code,
        step.with.message || message,
        wait === undefined ? data : { ...data, retryAfter: wait },
      );
    }
    case 'stop':
      return step.with;
    case 'ask_permission': {
      const { tool, path = null, command = null } = step.with;
      const kind = command === null ? kindOf(tool) : 'execute';
      const call = { id: host.newCallId(), kind, title: command ?? `${tool} ${path ?? ''}`.trim(), path, command };
      const refused = await host.permit({ ...call, path: path === null ? null : resolve(host.cwd, path) });
      return playSteps(refused === null ? step.allowed : step.denied, host, spent, costBefore);
    }
    default:
      return unreachable(step);
  }
}

async function hang(deaf: boolean, host: ScriptHost): Promise<StopReason> {
  if (deaf) {
    host.turnDeaf();
    await new Promise(() => undefined);
  }
  while (!host.signal.aborted) await pause(POLL_MS);
  return 'cancelled';
}

async function run(asked: Extract<ScriptStep, { step: 'run' }>['with'], host: ScriptHost): Promise<void> {
  const { command, seconds, background, ask, via } = asked;
  const toolCallId = host.newCallId();
  const title = `Run ${command}`;
  await host.update({
    sessionUpdate: 'tool_call',
    toolCallId,
    title,
    kind: 'execute',
    status: 'in_progress',
    rawInput: { command, ...(background ? { background } : {}) },
  });
  const finish = (ok: boolean, text: string, more: object = {}): Promise<void> =>
    host.update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: ok ? 'completed' : 'failed',
      content: [{ type: 'content', content: { type: 'text', text } }],
      ...more,
    });
  const refused = ask ? await host.permit({ id: toolCallId, kind: 'execute', title, path: null, command }) : null;
  if (refused !== null) return finish(false, refused);
  if (background) {
    runInBackground(command, host.cwd);
    return finish(true, '');
  }
  if (via === 'client') {
    // A refusal by the harness is an ordinary response: agents read it and continue.
    const ran = await host.runThroughClient(command).catch((error: unknown) => {
      if (error instanceof RequestError) return { code: null, output: error.message };
      throw error;
    });
    return finish(ran.code === 0, ran.output, { rawOutput: { exitCode: ran.code } });
  }
  const ran = await runLine(command, host.cwd, seconds * 1000, host.signal);
  return finish(ran.code === 0, ran.output, { rawOutput: { exitCode: ran.code, ended: ran.ended } });
}

async function waitForFile(path: string, seconds: number, signal: AbortSignal): Promise<void> {
  for (let left = seconds * 1000; left > 0 && !signal.aborted; left -= POLL_MS) {
    if (existsSync(path)) return;
    await pause(POLL_MS);
  }
  if (!signal.aborted) throw new Error(`no such file in ${dirname(path)} after ${seconds} seconds`);
}

const KINDS: readonly ToolKind[] = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'other'];
const kindOf = (tool: string): ToolKind => KINDS.find((kind) => kind === tool) ?? 'other';
