// What the scripted agent answers: it speaks the Agent Client Protocol v1 and follows a scenario file.
import { randomUUID } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import * as acp from '@agentclientprotocol/sdk';
import { findSession, readContext, type Context } from './match.ts';
import { afterTurn, FRESH, answerReceived, pastFor, recall, remember, type SessionMemory } from './memory.ts';
import { playTurn } from './player.ts';
import { readScenario, type Scenario, type ScriptedSession } from './scenario.ts';
import type { AskedCall, ScriptHost } from './script-host.ts';

type OpenSession = { readonly cwd: string; memory: SessionMemory; cancel: AbortController };

async function serve(scenario: Scenario, home: string): Promise<void> {
  const sessions = new Map<string, OpenSession>();
  let calls = 0;
  let deaf = false;
  const { agent, client } = acp.methods;
  const leave = (code: number): void => {
    if (!deaf) process.exit(code);
  };
  process.on('SIGTERM', () => leave(143));

  const open = (id: string, cwd: string, memory: SessionMemory): void => {
    sessions.set(id, { cwd, memory, cancel: new AbortController() });
  };
  const reopen = (id: string, cwd: string): void => {
    const memory = recall(home, id);
    if (memory === null) throw acp.RequestError.sessionNotFound(id);
    open(id, cwd, memory);
  };
  const hostOf = (id: string, live: OpenSession, context: Context, peer: acp.AgentContext): ScriptHost => ({
    cwd: live.cwd,
    scenarioFolder: dirname(scenario.file),
    context,
    signal: live.cancel.signal,
    newCallId: () => `call-${++calls}`,
    update: (update) => peer.notify(client.session.update, { sessionId: id, update }),
    permit: async (call) => chosen(await peer.request(client.session.requestPermission, asking(id, call))),
    writeThroughClient: async (path, content) => {
      await peer.request(client.fs.writeTextFile, { sessionId: id, path, content });
    },
    runThroughClient: async (line) => {
      const terminal = await peer.createTerminal({
        sessionId: id,
        command: '/bin/sh',
        args: ['-c', line],
        cwd: live.cwd,
      });
      const { exitCode = null } = await terminal.waitForExit();
      const { output } = await terminal.currentOutput();
      await terminal.release();
      return { code: exitCode, output };
    },
    garbage: (text) => void process.stdout.write(text),
    turnDeaf: () => {
      deaf = true;
      setInterval(() => undefined, 1 << 30); // nothing else would keep this program alive
    },
    exit: (code, stderr) => {
      if (stderr !== '') process.stderr.write(`${stderr}\n`);
      process.exit(code);
    },
  });

  const app = acp
    .agent({ name: 'scripted' })
    .onRequest(agent.initialize, () => ({
      protocolVersion: acp.PROTOCOL_VERSION,
      agentInfo: { name: 'scripted', version: '1' },
      agentCapabilities: { loadSession: false, sessionCapabilities: { resume: {} } },
      authMethods: [],
    }))
    .onRequest(agent.session.new, ({ params }) => {
      const sessionId = `scripted-${randomUUID()}`;
      open(sessionId, params.cwd, FRESH);
      return { sessionId };
    })
    .onRequest(agent.session.resume, ({ params }) => {
      reopen(params.sessionId, params.cwd);
      return {};
    })
    .onNotification(agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.cancel.abort())
    .onRequest(agent.session.prompt, async ({ params, client: peer }) => {
      const id = params.sessionId;
      const live = sessions.get(id);
      if (live === undefined) throw acp.RequestError.sessionNotFound(id);
      live.cancel = new AbortController();
      const prompt = params.prompt.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
      const before = pastFor(live.memory, prompt);
      const turn = before.turns + 1;
      const context = { ...readContext(prompt), TURN: String(turn) };
      const { session, index } = sessionFor(scenario, live.memory.index, context);
      const steps = session.turns[turn - 1] ?? (session.repeatLast ? session.turns.at(-1) : undefined);
      const host = hostOf(id, live, context, peer);
      if (steps === undefined) {
        const text = `The scenario has ${session.turns.length} turns for this session and nothing for turn ${turn}.`;
        await host.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
      }
      const played = (spentUsd: number, wasCut: boolean): void => {
        const memory = afterTurn(index, prompt, before, { spentUsd, wasCut });
        remember(home, id, memory);
        live.memory = answerReceived(memory);
      };
      const { stop, spent } = await playTurn(steps ?? [], host, before.costUsd).catch((error: unknown) => {
        played(0, true); // an outage is temporary: the next turn is the next one of the scenario
        throw error;
      });
      played(spent.costUsd, stop === 'cancelled');
      const { input, output, cached } = spent;
      const usage = {
        inputTokens: input,
        outputTokens: output,
        cachedReadTokens: cached,
        totalTokens: input + output + cached,
      };
      return { stopReason: stop, ...(usage.totalTokens > 0 ? { usage } : {}) };
    });
  const connection = app.connect(
    acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
  );
  process.stdout.on('error', () => leave(0)); // the harness has exited
  await connection.closed;
  leave(0);
}

/** The session of the first prompt stays the session of all later ones. */
function sessionFor(
  scenario: Scenario,
  index: number | null,
  context: Context,
): { session: ScriptedSession; index: number } {
  const session = index === null ? findSession(scenario, context) : (scenario.sessions[index] ?? null);
  if (session !== null) return { session, index: scenario.sessions.indexOf(session) };
  const { ROLE = '', ITEM = '', ATTEMPT = '' } = context;
  throw new acp.RequestError(-32603, `no session in the scenario for role=${ROLE} item=${ITEM} attempt=${ATTEMPT}`, {
    scenario: 'no-session',
    role: ROLE,
    item: ITEM,
    attempt: ATTEMPT,
  });
}

function asking(sessionId: string, call: AskedCall): acp.RequestPermissionRequest {
  return {
    sessionId,
    toolCall: {
      toolCallId: call.id,
      title: call.title,
      kind: call.kind,
      locations: call.path === null ? [] : [{ path: call.path }],
      rawInput: call.command === null ? { path: call.path } : { command: call.command },
    },
    options: [
      { optionId: 'once', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
  };
}

/** Null: allowed; else the reason, if the response has one. */
function chosen({ outcome, _meta }: acp.RequestPermissionResponse): string | null {
  if (outcome.outcome === 'selected' && outcome.optionId === 'once') return null;
  const meta: unknown = _meta?.['harness'];
  const hasReason = typeof meta === 'object' && meta !== null && 'reason' in meta && typeof meta.reason === 'string';
  return hasReason ? String(meta.reason) : 'refused';
}

/** Serves until its input ends. Exits with 2 where the scenario has a mistake. */
export async function serveScenario(): Promise<void> {
  const { values } = parseArgs({ options: { scenario: { type: 'string' }, home: { type: 'string' } } });
  const read = readScenario(resolve(values.scenario ?? 'scenario.yaml'));
  if (read.ok) return serve(read.value, values.home ?? join(tmpdir(), 'harness-scripted'));
  for (const { at, params } of read.failure.causes ?? [read.failure])
    process.stderr.write(`${at?.file}:${at?.line ?? 1}:${at?.column ?? 1} ${at?.key ?? ''}: ${params['problem']}\n`);
  process.exit(2);
}
