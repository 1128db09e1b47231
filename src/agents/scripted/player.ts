// Plays the steps of one turn: the scripted agent's own doing, told to the harness as a real agent would tell it.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import { RequestError, type StopReason, type ToolKind } from '@agentclientprotocol/sdk';
import { unreachable } from '../../model/bug.ts';
import { playFileStep } from './files.ts';
import { fill } from './match.ts';
import { runInBackground, runLine } from './shell.ts';
import type { Stage } from './stage.ts';
import type { FAILURES, Step } from './steps.ts';

/** Tokens of the turn; `used` is the context fill of its last model call. */
export type Spent = { input: number; output: number; cached: number; costUsd: number; used: number };
export type Played = { readonly stop: StopReason; readonly spent: Spent };

const POLL_MS = 25;
const FLOOD_CHUNK = 8_192;
const CONTEXT_SIZE = 200_000;

/** How agents answer when they fail: the harness has to tell them apart by code, status and words alone. */
const ERRORS: { readonly [K in (typeof FAILURES)[number]]: readonly [code: number, message: string, data: object] } = {
  auth: [-32000, 'Authentication required', {}],
  billing: [-32603, 'Your credit balance is too low', { status: 402 }],
  'rate-limited': [-32603, 'Rate limited', { status: 429 }],
  overloaded: [-32603, 'Overloaded', { status: 529 }],
  'context-full': [-32603, "Ran out of room in the model's context window", {}],
  network: [-32603, 'fetch failed: ECONNRESET', {}],
  internal: [-32603, 'Internal error', {}],
};

/** Plays one turn. `costBefore` is what the session cost so far: the protocol tells cost cumulatively. */
export async function playTurn(steps: readonly Step[], stage: Stage, costBefore: number): Promise<Played> {
  const spent: Spent = { input: 0, output: 0, cached: 0, costUsd: 0, used: 0 };
  const stop = await playSteps(steps, stage, spent, costBefore);
  return { stop: stage.signal.aborted ? 'cancelled' : (stop ?? 'end_turn'), spent };
}

async function playSteps(
  steps: readonly Step[],
  stage: Stage,
  spent: Spent,
  costBefore: number,
): Promise<StopReason | null> {
  for (const raw of steps) {
    if (stage.signal.aborted) return 'cancelled';
    const step: Step = { ...raw, with: fill(raw.with, stage.context) } as Step;
    const stop = await playStep(step, stage, spent, costBefore).catch((error: unknown) => {
      if (error instanceof RequestError || stage.signal.aborted) throw error;
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

async function playStep(step: Step, stage: Stage, spent: Spent, costBefore: number): Promise<StopReason | null> {
  switch (step.step) {
    case 'say': {
      const text = step.with.endsWith('\n') ? step.with : `${step.with}\n`; // messages are paragraphs
      await stage.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
      return null;
    }
    case 'think':
      await stage.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: step.with } });
      return null;
    case 'write':
    case 'append':
    case 'replace':
    case 'delete':
    case 'claim':
    case 'unclaim':
      await playFileStep(step, stage);
      return null;
    case 'run':
      await run(step.with, stage);
      return null;
    case 'usage': {
      const { input, output, cached, cost_usd } = step.with;
      spent.input += input;
      spent.output += output;
      spent.cached += cached;
      spent.costUsd += cost_usd;
      spent.used = input + cached + output;
      const cost = { amount: costBefore + spent.costUsd, currency: 'USD' };
      await stage.update({ sessionUpdate: 'usage_update', used: spent.used, size: CONTEXT_SIZE, cost });
      return null;
    }
    case 'pause':
      await pause(step.with.seconds * 1000, undefined, { signal: stage.signal }).catch(() => undefined);
      return null;
    case 'wait_for_file':
      await waitForFile(resolve(stage.cwd, step.with.path), step.with.seconds, stage.signal);
      return null;
    case 'crash':
      return stage.exit(step.with.exit, step.with.stderr);
    case 'hang':
      return hang(step.with.deaf, stage);
    case 'flood':
      for (let left = step.with.bytes; left > 0 && !stage.signal.aborted; left -= FLOOD_CHUNK) {
        const text = 'x'.repeat(Math.min(left, FLOOD_CHUNK));
        await stage.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
        await breathe(); // lets a cancel in
      }
      return null;
    case 'garbage':
      stage.garbage(step.with);
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
      const call = { id: stage.newCallId(), kind, title: command ?? `${tool} ${path ?? ''}`.trim(), path, command };
      const refused = await stage.permit({ ...call, path: path === null ? null : resolve(stage.cwd, path) });
      return playSteps(refused === null ? step.allowed : step.denied, stage, spent, costBefore);
    }
    default:
      return unreachable(step);
  }
}

async function hang(deaf: boolean, stage: Stage): Promise<StopReason> {
  if (deaf) {
    stage.turnDeaf();
    await new Promise(() => undefined);
  }
  while (!stage.signal.aborted) await pause(POLL_MS);
  return 'cancelled';
}

async function run(asked: Extract<Step, { step: 'run' }>['with'], stage: Stage): Promise<void> {
  const { command, seconds, background, ask, via } = asked;
  const toolCallId = stage.newCallId();
  const title = `Run ${command}`;
  await stage.update({
    sessionUpdate: 'tool_call',
    toolCallId,
    title,
    kind: 'execute',
    status: 'in_progress',
    rawInput: { command },
  });
  const finish = (ok: boolean, text: string, more: object = {}): Promise<void> =>
    stage.update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: ok ? 'completed' : 'failed',
      content: [{ type: 'content', content: { type: 'text', text } }],
      ...more,
    });
  const refused = ask ? await stage.permit({ id: toolCallId, kind: 'execute', title, path: null, command }) : null;
  if (refused !== null) return finish(false, refused);
  if (background) {
    runInBackground(command, stage.cwd);
    return finish(true, '');
  }
  if (via === 'client') {
    // Through the harness a refusal is an answer like any other: agents read it and go on.
    const ran = await stage.runThroughClient(command).catch((error: unknown) => {
      if (error instanceof RequestError) return { code: null, output: error.message };
      throw error;
    });
    return finish(ran.code === 0, ran.output, { rawOutput: { exitCode: ran.code } });
  }
  const ran = await runLine(command, stage.cwd, seconds * 1000, stage.signal);
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
