// What a session is started with: the settings, the environment, and the two callbacks that ask the tool policy.
import type { ToolRules } from '../../model/tools.ts';
import type { Denial, SessionSpec, ToolPolicy } from '../port.ts';
import { SCRUB, scrubs } from './box.ts';
import { TOOLS, toolCall } from './calls.ts';
import type { HookAnswer, PermissionAnswer, QueryOptions, SpawnOptions } from './sdk.ts';

/** Retries, updates and background jobs belong to the harness. A configured value takes precedence. */
const SETTINGS = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_MAX_RETRIES: '2',
  // A full context ends the session with a handover; compacted by the program it would lose what is not written down.
  DISABLE_AUTO_COMPACT: '1',
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: '1',
  CLAUDE_CODE_DISABLE_WORKFLOWS: '1',
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS: '1',
} as const;

type Denied = (id: string, tool: string, denial: Denial) => void;
export type QueryStart = {
  readonly spec: SessionSpec;
  readonly policy: ToolPolicy;
  /** Called once per refused call. */
  readonly denied: Denied;
  /** The session's id: chosen by us for a new one. */
  readonly id: string;
  readonly spawn: (options: SpawnOptions) => ReturnType<QueryOptions['spawnClaudeCodeProcess']>;
};

export function optionsOf(start: QueryStart): QueryOptions {
  const { spec } = start;
  const judge = judgeOf(start);
  return {
    cwd: spec.cwd,
    ...(spec.agent.model === null ? {} : { model: spec.agent.model }),
    env: environmentOf(spec),
    tools: TOOLS[spec.mode],
    // Nothing is allowed in advance: what the program would run without asking goes through the hook, the rest through both.
    permissionMode: 'default',
    settingSources: [],
    strictMcpConfig: true,
    ...(spec.mode === 'exec' && spec.tools !== undefined ? { mcpServers: serversOf(spec.tools) } : {}),
    // Prompts contain text of the repository: no `@path` in it is read, no `/command` is run.
    verbatimPrompts: true,
    persistSession: spec.mode !== 'complete',
    ...(spec.mode === 'complete' ? { systemPrompt: 'Answer the request. You have no tools.' } : {}),
    ...(spec.resume === null ? { sessionId: start.id } : { resume: spec.resume.id }),
    canUseTool: async (tool, input, more): Promise<PermissionAnswer> => {
      const why = judge(more.toolUseID ?? '', tool, input, null);
      return why === null ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny', message: why };
    },
    hooks: {
      PreToolUse: [
        {
          hooks: [
            async (call): Promise<HookAnswer> => {
              const why = judge(call.tool_use_id ?? '', call.tool_name ?? '', call.tool_input, call.cwd ?? null);
              return why === null ? {} : deny(why);
            },
          ],
        },
      ],
    },
    spawnClaudeCodeProcess: start.spawn,
  };
}

/** Replaces the environment that the program would inherit. The user's own login is found through `spec.env`. */
const environmentOf = (spec: SessionSpec): { readonly [name: string]: string } => ({
  ...SETTINGS,
  ...shellLimits(spec),
  ...spec.env,
  ...spec.agent.env,
  // Only exec has shells, and they are boxed only where the user set it: without the programs for it Claude does not start.
  [SCRUB]: spec.mode === 'exec' && scrubs(spec.agent, spec.env) ? '1' : '0',
  HARNESS_TOKEN: spec.token,
});

const deny = (why: string): HookAnswer => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: why },
});

type Judge = (id: string, tool: string, input: unknown, folder: string | null) => string | null;

/** Asks the policy once per call, though both callbacks ask. Null: allowed, else the reason for the model. A policy that throws allows nothing. */
function judgeOf(start: QueryStart): Judge {
  const known = new Map<string, string | null>();
  return (id, tool, input, folder) => {
    const before = known.get(id);
    if (id !== '' && before !== undefined) return before;
    const refusal = whyNot(start, tool, input, folder);
    known.set(id, refusal?.say ?? refusal?.why ?? null);
    if (refusal !== null) start.denied(id, tool, refusal);
    return refusal?.say ?? refusal?.why ?? null;
  };
}

function whyNot({ spec, policy }: QueryStart, tool: string, input: unknown, folder: string | null): Denial | null {
  if (!hasTool(spec, tool))
    return { why: 'tool-not-in-mode', params: { tool, about: tool }, say: `tool-not-in-mode: ${spec.mode}` };
  try {
    const verdict = policy(toolCall(tool, input, spec.cwd, folder));
    return verdict.allow ? null : verdict;
  } catch (error) {
    const say = error instanceof Error ? error.message : String(error);
    return { why: 'command-unreadable', params: { tool, about: say }, say };
  }
}

/** The tools of the mode, and those of configured servers, which the program calls `mcp__SERVER__TOOL`. */
const hasTool = ({ mode, tools }: SessionSpec, tool: string): boolean =>
  TOOLS[mode].includes(tool) ||
  (mode === 'exec' &&
    Object.keys(tools?.settings.mcpServers ?? {}).some((server) => tool.startsWith(`mcp__${server}__`)));

const serversOf = ({ settings }: ToolRules): NonNullable<QueryOptions['mcpServers']> =>
  Object.fromEntries(Object.entries(settings.mcpServers).map(([name, server]) => [name, { type: 'stdio', ...server }]));

/** The time limit of a command, as the program's default and as its maximum, in milliseconds. */
function shellLimits({ tools }: SessionSpec): { readonly [name: string]: string } {
  if (tools === undefined) return {};
  const limitMs = String(tools.settings.shell.timeoutSeconds * 1_000);
  return { BASH_DEFAULT_TIMEOUT_MS: limitMs, BASH_MAX_TIMEOUT_MS: limitMs };
}
