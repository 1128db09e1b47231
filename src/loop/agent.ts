// Who works: the agent and the model of a role, from the configuration.
import { lookAt } from '../agents/here.ts';
import { knownAs } from '../agents/known.ts';
import { runnerFor } from '../agents/registry.ts';
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Capabilities } from '../agents/port.ts';
import { accountOf, type Account } from '../agents/quota/ledger.ts';
import { agentEnvironment, type Variables } from '../host/environment.ts';
import { realPath } from '../host/paths.ts';
import type { AgentConfig, Config, ProviderName } from '../model/config.ts';
import { entryOf } from '../model/entry.ts';
import type { Failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { RunContext } from './run-context.ts';

/** A role, and which of its agents: 0 or left out is its own, the others are `agents.fallback`, then `agents.competitors`. */
export type AgentSlot = { readonly role: string; readonly agent?: number; readonly model?: string | null };

/** All that may work in this role, in the order in which they are wanted. */
export const agentsOf = ({ agents }: Config, role: string): readonly AgentConfig[] => [
  agents.roles[role] ?? agents.default,
  ...agents.fallback,
];

/** One that the configuration does not have any more is the role's own. */
export const agentOf = (config: Config, { role, agent = 0 }: AgentSlot): AgentConfig =>
  [...agentsOf(config, role), ...config.agents.competitors][agent] ??
  config.agents.roles[role] ??
  config.agents.default;

/**
 * What the session itself was given: what `models.<name>` means by it, or the name, where its agent knows it. Else the role's own
 * agent says it, else `models.<role>`, else `models.default`, else the provider decides. A fallback agent
 * has its own or its provider’s: the name of a model means nothing to another provider.
 */
export function modelOf(config: Config, part: AgentSlot): string | null {
  const { role, agent = 0, model = null } = part;
  if (agent > 0) return agentOf(config, part).model;
  const named = model === null ? null : (config.models[model] ?? (knowsNames(agentOf(config, part)) ? model : null));
  return (
    named ??
    config.agents.roles[role]?.model ??
    config.models[role] ??
    config.models['default'] ??
    config.agents.default.model
  );
}

/** `opus`, `sonnet`, `haiku`: names that Claude Code knows for its models, and a rehearsal writes down. */
const knowsNames = ({ provider }: AgentConfig): boolean => provider === 'claude' || provider === 'scripted';

/** Whether a session with this agent could be started here, with its version where it says one. Makes no request. */
export async function isReady(agent: AgentConfig): Promise<Result<string | null>> {
  const runner = await runnerFor(agent.provider);
  if (!runner.ok) return runner;
  const probed = await runner.value.probe(agent);
  return probed.ready ? ok(probed.version) : err(probed.failure);
}

/** null: there is no adapter for it. */
export async function capabilitiesOf({ provider }: AgentConfig): Promise<Capabilities | null> {
  const runner = await runnerFor(provider);
  return runner.ok ? runner.value.capabilities : null;
}

/** Where known agents keep settings, log-ins and transcripts, below the home. The configuration names the folders of others. */
const OWN_FOLDERS: { readonly [P in ProviderName]: readonly string[] } = {
  claude: ['.claude', '.claude.json'],
  acp: [
    '.claude',
    '.claude.json',
    '.codex',
    '.gemini',
    '.copilot',
    '.cursor',
    '.qwen',
    '.config/goose',
    '.local/share/goose',
    '.config/opencode',
    '.local/share/opencode',
    '.local/state/opencode',
  ],
  codex: ['.codex'],
  scripted: [],
  replay: [],
};

/**
 * What the program of an agent needs to read in the box: each file that its command names, and the folder of the package
 * around it. Never a whole home or temporary folder. Absolute.
 */
export async function readBy(agent: AgentConfig, root: string, env: Variables): Promise<readonly string[]> {
  const shared = [env['HOME'] ?? homedir(), tmpdir(), '/'].map(realPath);
  const runner = await runnerFor(agent.provider);
  const own = runner.ok ? (runner.value.folders?.(agent, env) ?? []) : [];
  const files = agent.command.map((word) => resolve(root, word)).filter((path) => existsSync(path));
  return [...new Set([...own, ...files.flatMap((path) => [path, ...packageAround(realPath(path), shared)])])];
}

function packageAround(file: string, shared: readonly string[]): readonly string[] {
  for (let folder = dirname(file); !shared.includes(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return [folder];
  return [];
}

/** Of agents over ACP: without it, sessions could not be reopened. */
const MADE: { readonly [name: string]: string } = {
  opencode: '.local/share/opencode',
  gemini: '.gemini',
  qwen: '.qwen',
  copilot: '.copilot',
  'claude-agent-acp': '.claude',
  'codex-acp': '.codex',
};

/** A folder that the program makes at its first start, and could not make in the box; absolute. null: none is known. */
export function madeBy(agent: Pick<AgentConfig, 'provider' | 'command'>, env: Variables): string | null {
  const { provider } = agent;
  const home = env['HOME'] ?? homedir();
  if (provider === 'acp') {
    const folder = entryOf(MADE, knownAs(agent)?.name ?? '');
    return folder === undefined ? null : join(home, folder);
  }
  if (provider === 'claude') return env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude');
  return provider === 'codex' ? (env['CODEX_HOME'] ?? join(home, '.codex')) : null;
}

/** The variables by which a user moves such a folder. */
const MOVED_BY = ['CLAUDE_CONFIG_DIR', 'CODEX_HOME'] as const;

/** Where the program of an agent keeps what was said in its sessions; absolute. */
export function transcriptsOf(agent: AgentConfig, env: Variables): readonly string[] {
  const { provider } = agent;
  const made = provider === 'acp' ? null : madeBy(agent, env);
  if (made === null || !isAbsolute(made)) return [];
  return [join(made, provider === 'claude' ? 'projects' : 'sessions')];
}

/** What an agent in the box may write outside of the work tree; absolute. `env` is the agent's whole environment. */
export function writtenBy({ provider }: AgentConfig, more: readonly string[], env: Variables): readonly string[] {
  const home = env['HOME'] ?? homedir();
  return [
    ...OWN_FOLDERS[provider].map((folder) => join(home, folder)),
    ...MOVED_BY.flatMap((name) => env[name] ?? []).filter((folder) => isAbsolute(folder)),
    ...more.map((folder) => (folder.startsWith('~/') ? join(home, folder.slice(2)) : folder)),
  ];
}

/**
 * The quota ledger of the account that an agent's requests count against. An agent whose variables cannot be filled in fails when its
 * session begins.
 */
export function accountIn(
  { config, personDir, root }: Pick<RunContext, 'config' | 'personDir' | 'root'>,
  agent: AgentConfig,
): Account {
  const env = agentEnvironment(agent.env);
  return {
    folder: join(personDir, 'quota', accountOf(agent, env.ok ? env.value : {}, root)),
    rules: config.quota.windows.filter(({ provider }) => provider === agent.provider),
  };
}

/**
 * Why no agent can work in this role, as the failure of its own one: it is not installed, or its program reports that it has no login. Null: one
 * can, as far as is seen. A program in the repository may still be installed by the project's own scripts, so its session finds out. Makes no
 * request.
 */
export async function unusableAgent(config: Config, role: string): Promise<Failure | null> {
  const all = agentsOf(config, role);
  if (all.some(isInRepository)) return null;
  const [own = null, ...others] = await Promise.all(all.map(hindranceOf));
  const isSeen = own?.reason === 'agent-not-installed' || own?.reason === 'agent-auth';
  return isSeen && others.every((why) => why !== null) ? own : null;
}

async function hindranceOf(agent: AgentConfig): Promise<Failure | null> {
  const ready = await isReady(agent);
  return ready.ok ? await lacksLogin(agent) : ready.failure;
}

/** A variable or a file of a login is enough; without a sign of one the program itself is asked. */
async function lacksLogin(agent: AgentConfig): Promise<Failure | null> {
  const known = knownAs(agent);
  const runner = await runnerFor(agent.provider);
  const env = agentEnvironment(agent.env);
  if (known === null || !runner.ok || !env.ok || lookAt(known, agent).login !== null) return null;
  return (await runner.value.lacksLogin?.(agent, env.value)) ?? null;
}

const isInRepository = ({ command: [program = ''] }: AgentConfig): boolean =>
  program.includes('/') && !isAbsolute(program);
