// The process of a session's agent: which agent it is, what it sees and may do, the box that it is in, and its limits.
import { mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { openHostedSession, type HostedSession } from '../../agents/host/client.ts';
import { knownCost } from '../../agents/host/turn-results.ts';
import type { MonitorRules } from '../../agents/monitor/rules.ts';
import type { WrapperProcess } from '../../agents/host/wrapper-process.ts';
import type { SessionSpec } from '../../agents/port.ts';
import { agentEnvironment, type Variables } from '../../host/environment.ts';
import { entryFile } from '../../host/package-root.ts';
import type { SessionAsk } from '../../model/action.ts';
import type { AgentConfig } from '../../model/config.ts';
import { ok, type Result } from '../../model/result.ts';
import type { ToolRules } from '../../model/tools.ts';
import { accountIn, agentOf, madeBy, modelOf, readBy, writtenBy } from '../agent.ts';
import { closedFiles, closedMasks } from '../closed-files.ts';
import { toolRules } from '../protected.ts';
import {
  laneVariables,
  type RunContext,
  type RunEvents,
  type RunHost,
  type RunRepository,
  type RunSettings,
  type RunStores,
} from '../run-context.ts';
import { masksOf, unseenRules, type ViewAsk } from '../session-view.ts';

type AgentHere = {
  readonly config: AgentConfig;
  readonly env: Variables;
  readonly tools: ToolRules;
  /** What of it must be shown in a box. */
  readonly readable: readonly string[];
  /** null: it may see everything. */
  readonly view: ViewAsk | null;
};

export async function agentFor(context: RunRepository & RunSettings, ask: SessionAsk): Promise<Result<AgentHere>> {
  const config = agentOf(context.config, ask);
  const env = agentEnvironment(config.env);
  if (!env.ok) return env;
  const { unseen } = ask;
  const view = unseen === undefined ? null : { unseen, agent: config, env: env.value };
  const tools = toolRules(context, ask, view === null ? undefined : unseenRules(context, view));
  if (!tools.ok) return tools;
  const readable = await readBy(config, context.root, env.value);
  return ok({ config, env: { ...laneVariables(context), ...env.value }, tools: tools.value, readable, view });
}

/** The process of its session, which loads its code while the turn is prepared. */
export const startAgent = ({ sessions }: RunStores, { config, env }: AgentHere): WrapperProcess =>
  sessions.wrappers.take({ entry: entryFile('session'), env, provider: config.provider });

export function openAgent(
  context: RunRepository & RunSettings & RunHost & RunEvents & Pick<RunContext, 'lanes'>,
  ask: SessionAsk,
  at: {
    readonly folder: string;
    readonly owner: string;
    readonly mode: 'exec' | 'review' | 'complete';
    readonly signal: AbortSignal;
    readonly wrapper: WrapperProcess | null;
    readonly agent: AgentHere;
    readonly rules: MonitorRules;
  },
): HostedSession {
  const { config: agent, env } = at.agent;
  const home = join(at.folder, 'home');
  mkdirSync(home, { recursive: true });
  const { session } = context.config;
  const model = modelOf(context.config, ask);
  context.notify({
    type: 'session-started',
    level: 'important',
    session: ask.session,
    ...(ask.item === null ? {} : { item: ask.item }),
    data: { role: ask.role, provider: agent.provider, ...(model === null ? {} : { model }) },
  });
  return openHostedSession({
    entry: entryFile('session'),
    token: at.owner,
    results: at.folder,
    limits: {
      wallMs: session.timeoutMinutes * 60_000,
      idleMs: session.idleSeconds * 1_000,
      outputBytes: session.maxOutputBytes,
    },
    spec: {
      agent: { ...agent, env: filledIn(agent.env, env), model },
      mode: at.mode,
      cwd: context.root,
      env,
      resume: ask.resume === null ? null : { id: ask.resume, costUsd: knownCost(at.folder, ask.resume) },
      tools: at.agent.tools,
      ...boxOf(context, at.agent, at.folder),
      home,
    },
    signal: at.signal,
    rules: at.rules,
    quota: accountIn(context, agent),
    ...(at.wrapper === null ? {} : { wrapper: at.wrapper }),
    onEvent(_turn, event) {
      // Its agent runs: the next item starts.
      if (ask.item !== null) context.lanes?.starts.leave(ask.item);
      context.notifyAgentEvent(ask.session, event);
    },
  });
}

/** A rehearsal is our own program with a script of the user: both exchange files beside the work tree. */
function boxOf(
  context: RunRepository & RunSettings & RunHost,
  { config: agent, env, readable, view }: AgentHere,
  folder: string,
): Pick<SessionSpec, 'box'> {
  const { agents, agentFolders } = context.config.sandbox;
  if (agents === 'outside' || agent.provider === 'scripted' || agent.provider === 'replay') return {};
  const made = madeBy(agent, env);
  if (made !== null && isAbsolute(made)) mkdirSync(made, { recursive: true, mode: 0o700 });
  const closed = closedMasks(context.root, closedFiles(context, agent.provider));
  const masks =
    view === null || context.box.level !== 'bwrap' ? closed : [...closed, ...masksOf(context, view, folder)];
  const box = context.box.enclose({ readable, writable: writtenBy(agent, agentFolders, env), masks });
  return box.argv.length === 0 ? {} : { box };
}

/** The configured variables with their `${NAME}`s filled in: an adapter lets them win over the rest of the environment. */
const filledIn = (configured: Variables, whole: Variables): Variables =>
  Object.fromEntries(Object.keys(configured).map((name) => [name, whole[name] ?? '']));
