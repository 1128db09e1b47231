// What happened, for people and programs that watch: one line each in .harness/logs/events.jsonl.
import type { Json } from './json.ts';

export type EventLevel = 'critical' | 'important' | 'routine' | 'debug';

/** `type` is kebab-case and stable; everything else is data. Sentences are made where it is shown. */
export type HarnessEvent = {
  readonly ts: string;
  readonly type: string;
  readonly level: EventLevel;
  readonly session?: number;
  readonly item?: string;
  readonly data?: { readonly [key: string]: Json };
};

/** Details of a tool call that were not known when it started. */
export type ObservedCall = {
  readonly tool: string;
  readonly paths: readonly string[];
  readonly command: string | null;
};

/** What an agent session reports while it runs. */
export type AgentEvent =
  | { readonly t: 'session'; readonly id: string; readonly version: string | null }
  | { readonly t: 'text' | 'thought'; readonly text: string }
  | { readonly t: 'tool-start'; readonly id: string; readonly name: string; readonly input: Json }
  | {
      readonly t: 'tool-end';
      readonly id: string;
      readonly ok: boolean;
      readonly output: string;
      readonly call?: ObservedCall;
    }
  | { readonly t: 'file-change'; readonly path: string; readonly change: 'add' | 'update' | 'delete' }
  | {
      readonly t: 'permission';
      readonly tool: string;
      readonly decision: 'allow' | 'deny';
      /** The rule that refused it; '' where it was allowed. */
      readonly why: string;
      /** The path, command or variable that was refused. */
      readonly about?: string;
    }
  /** A call that needed permission and did not ask, or was made despite a refusal; `about` as above. */
  | {
      readonly t: 'violation';
      readonly tool: string;
      readonly why: string;
      readonly about: string;
      readonly done: boolean;
    }
  | { readonly t: 'retry'; readonly why: string; readonly attempt: number; readonly delayMs: number | null }
  | {
      readonly t: 'usage';
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly cachedTokens: number;
      readonly costUsd: number | null;
    }
  /**
   * How full the context is after a request to the model: its input, cached included, and its output; in tokens. `window`: the
   * size, where the agent says it. `costUsd`: of the running turn so far, where it says that.
   */
  | {
      readonly t: 'context';
      readonly used: number;
      readonly window: number | null;
      readonly costUsd: number | null;
      /** Set if the harness estimated it from the text, because the agent does not report it. */
      readonly source?: 'estimated';
    }
  /** Share of a quota window that an account has used, as reported to its sessions. See src/model/quota.ts. */
  | { readonly t: 'quota'; readonly window: string; readonly used: number; readonly resetsAt: string | null }
  /** The agent's own program shortened its context. */
  | { readonly t: 'compacted' }
  /** A limit was near or reached: what the harness did, and how its notice was delivered. */
  | {
      readonly t: 'limit';
      readonly limit: string;
      readonly did: 'told' | 'wrap-up' | 'ended';
      readonly how: 'delivered' | 'next-turn' | 'unsupported' | 'new-turn' | null;
      /** Tokens in the context, and the context window they are compared with. */
      readonly used: number;
      readonly window: number;
      readonly source: 'reported' | 'estimated';
    }
  | { readonly t: 'notice'; readonly text: string };
