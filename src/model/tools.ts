// What a person lets the agents' tools do (reference 000, Tool & MCP Configuration), and the codes of refusals.
import type { Params } from './failure.ts';

export type McpServer = {
  readonly command: string;
  readonly args: readonly string[];
  /** `${NAME}` in a value, an argument or the command stands for a variable of the harness's environment. */
  readonly env: { readonly [name: string]: string };
};

export type ToolSettings = {
  readonly filesystem: {
    readonly enabled: boolean;
    /** Where may be written, relative to the project; nothing outside of it becomes writable by this. */
    readonly allowedPaths: readonly string[];
    /** What is neither written nor read. */
    readonly deniedPaths: readonly string[];
  };
  readonly shell: {
    readonly enabled: boolean;
    /** For one command of the agent. */
    readonly timeoutSeconds: number;
    readonly deniedCommands: readonly string[];
  };
  /** Those that are enabled, by name. */
  readonly mcpServers: { readonly [name: string]: McpServer };
};

export const STANDARD_TOOLS: ToolSettings = {
  filesystem: { enabled: true, allowedPaths: ['.'], deniedPaths: [] },
  shell: { enabled: true, timeoutSeconds: 300, deniedCommands: [] },
  mcpServers: {},
};

/** Lane-relative files that the harness rests on. */
export type OwnFiles = {
  readonly state: string;
  readonly backlog: string;
  /** Only the harness and people change them. */
  readonly closed: readonly string[];
  /** Agents change them and never remove them. */
  readonly kept: readonly string[];
  /** Files of the state folder that an agent is asked to write; left out: none. */
  readonly open?: readonly string[];
};

/** All that a policy is made of, as data: it travels to the process that a session runs under. */
export type ToolRules = {
  readonly settings: ToolSettings;
  readonly own: OwnFiles;
  /** What was filled in for `${NAME}`s, by a name that says it is secret: masked wherever it is kept or shown. */
  readonly secrets: { readonly [name: string]: string };
};

/** Why a call of a tool was refused. The sentence is `tool.<rule>` of the catalogue. */
export const TOOL_RULES = [
  'mode-has-no-tools',
  'mode-only-reads',
  'tool-not-in-mode',
  'tool-disabled',
  'outside-the-lane',
  'target-unknown',
  'path-denied',
  'git-folder',
  'harness-file',
  'harness-file-removed',
  'backlog-beyond-claim',
  'secret',
  'device',
  'unreadable-path',
  'command-unreadable',
  'command-unknown',
  'command-denied',
  'unknown-code',
  'variable',
  'remove-everything',
  'fork-bomb',
  'privilege',
  'disk',
  'machine',
  'persistence',
  'remote-shell',
  'publish',
  'container',
  'kill',
  'harness-command',
  'git-push',
  'git-history',
  'git-config',
  'git-branch',
  'no-option-for-once',
  'leaves-the-sandbox',
] as const;
export type ToolRule = (typeof TOOL_RULES)[number];

export type Refusal = {
  readonly allow: false;
  readonly why: ToolRule;
  /** `about`: the path, the command or the word it is about. */
  readonly params: Params;
};
