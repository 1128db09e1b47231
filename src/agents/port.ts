// The port every agent stands behind: one session with one agent as a stream of events.
// An adapter turns a provider's words into ours. It decides nothing: limits, retries and verdicts belong to the harness.
import type { Enclosure } from '../host/sandbox/level.ts';
import type { TurnOutcome } from '../model/action.ts';
import type { AgentConfig } from '../model/config.ts';
import type { AgentEvent } from '../model/event.ts';
import type { Failure } from '../model/failure.ts';
import type { Refusal, ToolRules } from '../model/tools.ts';
import type { Usage } from '../model/usage.ts';

/** exec may write, review reads only, complete has no tools. */
export type AgentMode = 'exec' | 'review' | 'complete';

/** Stated, not discovered by failure. Shown by `doctor`. */
export type Capabilities = {
  readonly inject: 'mid-turn' | 'next-turn' | 'none';
  readonly resume: boolean;
  readonly usage: 'reported' | 'partial' | 'none';
  /** How full the context is: with each request · where the agent chooses to say it, estimated from the text until then. */
  readonly context: 'reported' | 'estimated';
  /** Whether it says how much of its account's windows is used: with its requests · only of a subscription · never. */
  readonly quota: 'reported' | 'subscription' | 'none';
  /** Whether tool calls can be refused before they happen. */
  readonly policy: 'every-call' | 'when-asked' | 'none';
};

export type ToolCall = {
  readonly tool: string;
  readonly paths: readonly string[];
  readonly command: string | null;
  /** Where the command starts, where that is not the lane; absolute. */
  readonly folder?: string;
  /** What of a file is replaced by what; `before` null: all of it. */
  readonly change?: { readonly before: string | null; readonly after: string } | null;
};
/** `say`: the reason in words, for the agent. */
export type ToolPolicy = (call: ToolCall) => { readonly allow: true } | (Refusal & { readonly say?: string });

/**
 * `id` is the provider's own. `costUsd`: what it cost as far as the harness has heard, in US dollars, null where that is not
 * known. A turn that nobody heard of is not in it, so that its cost is counted with the next one.
 */
export type Resumed = { readonly id: string; readonly costUsd: number | null };

export type SessionSpec = {
  readonly agent: AgentConfig;
  readonly mode: AgentMode;
  /** The lane: the agent works here and nowhere else. */
  readonly cwd: string;
  /** Marks every process of this session (HARNESS_TOKEN). */
  readonly token: string;
  /** The whole environment of the agent process. */
  readonly env: { readonly [name: string]: string };
  /** The earlier session to go on with; null: a fresh one. */
  readonly resume: Resumed | null;
  /** What its tools may do; left out: the standard. */
  readonly tools?: ToolRules;
  /** What its programs are started behind; left out: nothing. */
  readonly box?: Enclosure;
  /** A private folder for the provider's own files (HOME, transcripts), outside the lane. */
  readonly home: string;
};

/** How a turn ended by the agent's own doing. Limits are not here: they are the harness's. */
export type TurnResult =
  | { readonly end: 'end-turn'; readonly text: string; readonly usage: Usage }
  | { readonly end: 'aborted'; readonly text: string; readonly usage: Usage }
  | { readonly end: 'agent-failed'; readonly failure: Failure; readonly text: string; readonly usage: Usage };

/** One live session. Turns run one after another; `usage` of a turn is that turn's alone, never cumulative. */
export type AgentSession = {
  /** The provider's id, known after the first turn began; null where the provider has none. */
  readonly id: () => string | null;
  /** Never rejects: whatever goes wrong is a result. Events are handed out as they come, in order, before the result. */
  turn(prompt: string, onEvent: (event: AgentEvent) => void): Promise<TurnResult>;
  /** Only of who plays a recording: turn `number` (1-based) as it ended then, limits included. Never rejects. */
  readonly replay?: (number: number, prompt: string, onEvent: (event: AgentEvent) => void) => Promise<TurnOutcome>;
  inject(text: string): Promise<'delivered' | 'next-turn' | 'unsupported'>;
  /** Ends the running turn; its result is `aborted`. Safe without a turn. */
  abort(): Promise<void>;
  /** Ends the agent's processes. Safe to call twice. */
  close(): Promise<void>;
};

export type AgentRunner = {
  readonly provider: string;
  readonly capabilities: Capabilities;
  /** Whether a session could be started here: installed, configured. Makes no request. */
  probe(
    agent: AgentConfig,
  ): Promise<
    { readonly ready: true; readonly version: string | null } | { readonly ready: false; readonly failure: Failure }
  >;
  open(spec: SessionSpec, policy: ToolPolicy): Promise<AgentSession>;
  /** Folders of a program that comes with the adapter and not by a command: a box must show them. Absolute. */
  folders?(agent: AgentConfig, env: { readonly [name: string]: string }): readonly string[];
  /** Loads what a session will need, so that opening one is quick. Starts nothing. */
  load?(): Promise<unknown>;
};
