// Owns what a session is started with: the measured settings, the environment, and the two doors of the tool policy.
import type { SessionSpec, ToolPolicy } from '../port.ts';
import { SCRUB, scrubs } from './box.ts';
import { TOOLS, toolCall } from './calls.ts';
import type { HookAnswer, PermissionAnswer, QueryOptions, SpawnOptions } from './sdk.ts';

/** Quiet, and short of temper: retries, updates and side jobs belong to the harness. A configured value wins. */
const SETTINGS = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_MAX_RETRIES: '2',
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: '1',
  CLAUDE_CODE_DISABLE_WORKFLOWS: '1',
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS: '1',
} as const;

type Denied = (id: string, tool: string, why: string) => void;
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
    // Prompts carry text of the repository: no `@path` in it is read, no `/command` obeyed.
    verbatimPrompts: true,
    persistSession: spec.mode !== 'complete',
    ...(spec.mode === 'complete' ? { systemPrompt: 'Answer the request. You have no tools.' } : {}),
    ...(spec.resume === null ? { sessionId: start.id } : { resume: spec.resume.id }),
    canUseTool: async (tool, input, more): Promise<PermissionAnswer> => {
      const why = judge(more.toolUseID ?? '', tool, input);
      return why === null ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny', message: why };
    },
    hooks: {
      PreToolUse: [
        {
          hooks: [
            async (call): Promise<HookAnswer> => {
              const why = judge(call.tool_use_id ?? '', call.tool_name ?? '', call.tool_input);
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
  ...spec.env,
  ...spec.agent.env,
  // Only exec has shells, and only where a person asked for it is there a box: without one the program does not start.
  [SCRUB]: spec.mode === 'exec' && scrubs(spec.agent, spec.env) ? '1' : '0',
  HARNESS_TOKEN: spec.token,
});

const deny = (why: string): HookAnswer => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: why },
});

/** Asks the policy once per call, though two doors ask for it. null: allowed. A policy that throws allows nothing. */
function judgeOf(start: Start): (id: string, tool: string, input: unknown) => string | null {
  const known = new Map<string, string | null>();
  return (id, tool, input) => {
    const before = known.get(id);
    if (id !== '' && before !== undefined) return before;
    const why = whyNot(start, tool, input);
    known.set(id, why);
    if (why !== null) start.denied(id, tool, why);
    return why;
  };
}

function whyNot({ spec, policy }: Start, tool: string, input: unknown): string | null {
  if (!TOOLS[spec.mode].includes(tool)) return `tool-not-in-mode: ${spec.mode}`;
  try {
    const verdict = policy(toolCall(tool, input, spec.cwd));
    return verdict.allow ? null : verdict.why;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
