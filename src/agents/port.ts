// The interface of every agent adapter: one session with one agent as a stream of events.
// An adapter translates a provider's messages into ours. It decides nothing: limits, retries and verdicts belong to the harness.
import type { Enclosure } from '../host/sandbox/level.ts';
import type { TurnOutcome } from '../model/action.ts';
import type { AgentConfig } from '../model/config.ts';
import type { AgentEvent } from '../model/event.ts';
import type { Failure, Params } from '../model/failure.ts';
import type { Refusal, ToolRules } from '../model/tools.ts';
import type { Usage } from '../model/usage.ts';

/** `exec` may write, `review` only reads, `complete` has no tools. */
export type AgentMode = 'exec' | 'review' | 'complete';

/** Declared, not discovered by failing. Shown by `doctor`. */
export type Capabilities = {
  readonly inject: 'mid-turn' | 'next-turn' | 'none';
  readonly resume: boolean;
  readonly usage: 'reported' | 'partial' | 'none';
  /** How full the context is: reported with each request · reported when the agent chooses to, estimated from the text until then. */
  readonly context: 'reported' | 'estimated';
  /** How much of its account's quota is used: reported with its requests · only for a subscription · never. */
  readonly quota: 'reported' | 'subscription' | 'none';
  /** Whether tool calls can be refused before they happen. */
  readonly policy: 'every-call' | 'when-asked' | 'none';
};

export type ToolCall = {
  readonly tool: string;
  readonly paths: readonly string[];
  readonly command: string | null;
  /** The working folder of the command where that is not the work folder; absolute. */
  readonly folder?: string;
  /** Which text of a file is replaced by which; `before` null: all of it. */
  readonly change?: { readonly before: string | null; readonly after: string } | null;
};
/** `say`: the reason as a sentence for the agent. */
/** Why a call was refused. `say`: the reason as a sentence for the agent. */
export type Denial = { readonly why: string; readonly params: Params; readonly say?: string };
export type ToolPolicy = (call: ToolCall) => { readonly allow: true } | (Refusal & { readonly say?: string });

/**
 * An earlier session to continue. `id` is the provider's own. `costUsd`: the cost that was reported to the harness, in US dollars, null
 * where it is unknown. The cost of a turn whose report was lost is not included, so it is counted with the next turn.
 */
export type ResumedSession = { readonly id: string; readonly costUsd: number | null };

export type SessionSpec = {
  readonly agent: AgentConfig;
  readonly mode: AgentMode;
  /** The work folder: the one folder that the agent works in. */
  readonly cwd: string;
  /** Marks every process of this session (HARNESS_TOKEN). */
  readonly token: string;
  /** The whole environment of the agent process. */
  readonly env: { readonly [name: string]: string };
  /** Null: a new session. */
  readonly resume: ResumedSession | null;
  /** What its tools may do; default: the standard rules. */
  readonly tools?: ToolRules;
  /** What its programs are started behind; default: nothing. */
  readonly box?: Enclosure;
  /** A private folder for the provider's own files (HOME, transcripts), outside the work folder. */
  readonly home: string;
};

/** How the agent ended a turn. Limits are not here: they belong to the harness. */
export type TurnResult =
  | { readonly end: 'end-turn'; readonly text: string; readonly usage: Usage }
  | { readonly end: 'aborted'; readonly text: string; readonly usage: Usage }
  | { readonly end: 'agent-failed'; readonly failure: Failure; readonly text: string; readonly usage: Usage };

/** One live session. Turns run one after another; `usage` of a turn is that turn's alone, never cumulative. */
export type AgentSession = {
  /** The provider's id, known once the first turn has started; null where the provider has none. */
  readonly id: () => string | null;
  /**
   * Never rejects: every error is a result. Events are passed on as they arrive, in order, before the result. `stable`: length of the prompt's beginning that
   * other sessions begin with too, for providers whose cache must know it.
   */
  turn(prompt: string, onEvent: (event: AgentEvent) => void, stable?: number): Promise<TurnResult>;
  /** Only for a recording: turn `number` (1-based) as it ended when it was recorded, limits included. Never rejects. */
  readonly replay?: (number: number, prompt: string, onEvent: (event: AgentEvent) => void) => Promise<TurnOutcome>;
  inject(text: string): Promise<'delivered' | 'next-turn' | 'unsupported'>;
  /** Ends the running turn, whose result is `aborted`. Does nothing without a turn. */
  abort(): Promise<void>;
  /** Ends the agent's processes. Safe to call twice. */
  close(): Promise<void>;
};

export type AgentRunner = {
  readonly provider: string;
  readonly capabilities: Capabilities;
  /** Whether a session could be started here: installed and configured. Makes no request. */
  probe(
    agent: AgentConfig,
  ): Promise<
    { readonly ready: true; readonly version: string | null } | { readonly ready: false; readonly failure: Failure }
  >;
  /**
   * Where the program itself reports, without a request to its provider, that it has no login: `agent-auth`. Null: it has one, needs none, or
   * does not report it. `env`: the agent's whole environment.
   */
  lacksLogin?(agent: AgentConfig, env: { readonly [name: string]: string }): Promise<Failure | null>;
  open(spec: SessionSpec, policy: ToolPolicy): Promise<AgentSession>;
  /** Absolute folders of a program that comes with a package instead of a configured command: a box has to show them. */
  folders?(agent: AgentConfig, env: { readonly [name: string]: string }): readonly string[];
  /** Loads what a session will need, so that opening one is fast. Starts nothing. */
  load?(): Promise<unknown>;
};
