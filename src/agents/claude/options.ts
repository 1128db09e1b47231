// Owns what a session is started with: the measured settings, the environment, and the two doors of the tool policy.
import type { Params } from '../../model/failure.ts';
import type { ToolRules } from '../../model/tools.ts';
import type { SessionSpec, ToolPolicy } from '../port.ts';
import { SCRUB, scrubs } from './box.ts';
import { TOOLS, toolCall } from './calls.ts';
import type { HookAnswer, PermissionAnswer, QueryOptions, SpawnOptions } from './sdk.ts';

/** Quiet, and short of temper: retries, updates and side jobs belong to the harness. A configured value wins. */
const SETTINGS = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_MAX_RETRIES: '2',
  // A full context ends the session with a handover; shortened behind our back it would lose what nobody wrote down.
  DISABLE_AUTO_COMPACT: '1',
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: '1',
  CLAUDE_CODE_DISABLE_WORKFLOWS: '1',
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS: '1',
} as const;

/** `say`: the reason in words. */
export type Denial = { readonly why: string; readonly params: Params; readonly say?: string };
type Denied = (id: string, tool: string, denial: Denial) => void;
export type Start = {
  readonly spec: SessionSpec;
  readonly policy: ToolPolicy;
  /** Told once per refused call. */
  readonly denied: Denied;
  /** The session's id: chosen by us for a fresh one. */
  readonly id: string;
  readonly spawn: (options: SpawnOptions) => ReturnType<QueryOptions['spawnClaudeCodeProcess']>;
};

export function optionsOf(start: Start): QueryOptions {
  const { spec } = start;
  const judge = judgeOf(start);
  return {
    cwd: spec.cwd,
    ...(spec.agent.model === null ? {} : { model: spec.agent.model }),
    env: environmentOf(spec),
    tools: TOOLS[spec.mode],
    // Nothing is allowed beforehand: what the program would run unasked goes through the hook, the rest through both.
    permissionMode: 'default',
    settingSources: [],
    strictMcpConfig: true,
    ...(spec.mode === 'exec' && spec.tools !== undefined ? { mcpServers: serversOf(spec.tools) } : {}),
    // Prompts carry text of the repository: no `@path` in it is read, no `/command` obeyed.
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

/** Replaces what the program would inherit. The user's own login is found where `spec.env` says it is. */
const environmentOf = (spec: SessionSpec): { readonly [name: string]: string } => ({
  ...SETTINGS,
  ...shellLimits(spec),
  ...spec.env,
  ...spec.agent.env,
  // Only exec has shells, and only where a person asked for it is there a box: without one the program does not start.
  [SCRUB]: spec.mode === 'exec' && scrubs(spec.agent, spec.env) ? '1' : '0',
  HARNESS_TOKEN: spec.token,
});

const deny = (why: string): HookAnswer => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: why },
});

type Judge = (id: string, tool: string, input: unknown, folder: string | null) => string | null;

/**
 * Asks the policy once per call, though two doors ask for it. null: allowed, else what the model is told. A policy that
 * throws allows nothing.
 */
function judgeOf(start: Start): Judge {
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

function whyNot({ spec, policy }: Start, tool: string, input: unknown, folder: string | null): Denial | null {
  if (!isThere(spec, tool))
    return { why: 'tool-not-in-mode', params: { tool, about: tool }, say: `tool-not-in-mode: ${spec.mode}` };
  try {
    const verdict = policy(toolCall(tool, input, spec.cwd, folder));
    return verdict.allow ? null : verdict;
  } catch (error) {
    const say = error instanceof Error ? error.message : String(error);
    return { why: 'command-unreadable', params: { tool, about: say }, say };
  }
}

/** The mode's own tools, and those of configured servers, which the program names `mcp__SERVER__TOOL`. */
const isThere = ({ mode, tools }: SessionSpec, tool: string): boolean =>
  TOOLS[mode].includes(tool) ||
  (mode === 'exec' &&
    Object.keys(tools?.settings.mcpServers ?? {}).some((server) => tool.startsWith(`mcp__${server}__`)));

const serversOf = ({ settings }: ToolRules): NonNullable<QueryOptions['mcpServers']> =>
  Object.fromEntries(Object.entries(settings.mcpServers).map(([name, server]) => [name, { type: 'stdio', ...server }]));

/** How long one command may run; the program knows it as a default and as a ceiling, both in milliseconds. */
function shellLimits({ tools }: SessionSpec): { readonly [name: string]: string } {
  if (tools === undefined) return {};
  const limitMs = String(tools.settings.shell.timeoutSeconds * 1_000);
  return { BASH_DEFAULT_TIMEOUT_MS: limitMs, BASH_MAX_TIMEOUT_MS: limitMs };
}
