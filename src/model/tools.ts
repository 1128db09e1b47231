// What the configuration lets the agents' tools do (docs/policy.md), and the codes of refusals.
import type { Params } from './failure.ts';

export type McpServer = {
  readonly command: string;
  readonly args: readonly string[];
  /** `${NAME}` in a value, an argument or the command is replaced by that variable of the harness's environment. */
  readonly env: { readonly [name: string]: string };
};

export type ToolSettings = {
  readonly filesystem: {
    readonly enabled: boolean;
    /** The paths that may be written, relative to the project. An entry outside the project has no effect. */
    readonly allowedPaths: readonly string[];
    /** Paths that are neither written nor read. */
    readonly deniedPaths: readonly string[];
  };
  readonly shell: {
    readonly enabled: boolean;
    /** Limit for one command of the agent. */
    readonly timeoutSeconds: number;
    readonly deniedCommands: readonly string[];
  };
  /** The enabled servers, by name. */
  readonly mcpServers: { readonly [name: string]: McpServer };
};

export const STANDARD_TOOLS: ToolSettings = {
  filesystem: { enabled: true, allowedPaths: ['.'], deniedPaths: [] },
  shell: { enabled: true, timeoutSeconds: 300, deniedCommands: [] },
  mcpServers: {},
};

/** The files that the harness depends on, relative to the work tree. */
export type OwnFiles = {
  /** The folder of the harness's state. */
  readonly state: string;
  readonly backlog: string;
  /** Only the harness and people change these. */
  readonly closed: readonly string[];
  /** Agents may change these and never remove them. */
  readonly kept: readonly string[];
  /** Files of the state folder that the session is asked to write, and folders, which end in a slash; left out: none. */
  readonly open?: readonly string[];
  /** What the session must not see; left out: it may read everything. */
  readonly unseen?: Unseen & {
    /** The same outside of the work tree, absolute: transcripts and records of other sessions. */
    readonly outside: readonly string[];
  };
};

/** What a session must not see, relative to the work tree: all that is in these folders, but for some files. */
export type Unseen = { readonly folders: readonly string[]; readonly but: readonly string[] };

/** The input of a tool policy as data: it is sent to the process that runs the session. */
export type ToolRules = {
  readonly settings: ToolSettings;
  readonly own: OwnFiles;
  /** Values that replaced a `${NAME}`, each under a name that marks it as secret: masked wherever they are stored or shown. */
  readonly secrets: { readonly [name: string]: string };
};

/** The reason codes of refused tool calls. The sentence for each is `tool.<rule>` of the catalogue. */
export const TOOL_RULES = [
  'mode-has-no-tools',
  'mode-only-reads',
  'tool-not-in-mode',
  'tool-disabled',
  'outside-the-lane',
  'target-unknown',
  'path-denied',
  'unseen',
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
  /** `tool`, and `about`: the path, command or variable that was refused. */
  readonly params: Params;
};
