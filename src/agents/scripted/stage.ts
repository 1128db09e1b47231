// What a script can act on: the conversation with the harness, the lane, and its own life. main.ts gives the real one.
import type { SessionUpdate, ToolKind } from '@agentclientprotocol/sdk';
import type { Context } from './match.ts';

export type AskedCall = {
  readonly id: string;
  readonly kind: ToolKind;
  readonly title: string;
  readonly path: string | null;
  readonly command: string | null;
};

export type Stage = {
  /** The lane, absolute. */
  readonly cwd: string;
  /** The folder of the scenario file: `from` is relative to it. */
  readonly scenarioFolder: string;
  readonly context: Context;
  /** Aborts when the harness cancels the turn. */
  readonly signal: AbortSignal;
  readonly newCallId: () => string;
  readonly update: (update: SessionUpdate) => Promise<void>;
  /** Whether the harness allowed it for this one time; null: it did, else why not. */
  readonly permit: (call: AskedCall) => Promise<string | null>;
  readonly writeThroughClient: (path: string, text: string) => Promise<void>;
  readonly runThroughClient: (line: string) => Promise<{ readonly code: number | null; readonly output: string }>;
  /** Bytes on stdout that are no message. */
  readonly garbage: (text: string) => void;
  /** From now on neither a cancel nor TERM nor the end of stdin ends this program. */
  readonly turnDeaf: () => void;
  readonly exit: (code: number, stderr: string) => Promise<never>;
};
