// What a script can use: the connection to the harness, the work folder, and its own process. main.ts provides it.
import type { SessionUpdate, ToolKind } from '@agentclientprotocol/sdk';
import type { Context } from './match.ts';

export type AskedCall = {
  readonly id: string;
  readonly kind: ToolKind;
  readonly title: string;
  readonly path: string | null;
  readonly command: string | null;
};

export type ScriptHost = {
  /** The work folder, absolute. */
  readonly cwd: string;
  /** The folder of the scenario file: `from` is relative to it. */
  readonly scenarioFolder: string;
  readonly context: Context;
  /** Aborts when the harness cancels the turn. */
  readonly signal: AbortSignal;
  readonly newCallId: () => string;
  readonly update: (update: SessionUpdate) => Promise<void>;
  /** Asks the harness for permission for one time. Null: allowed, else why not. */
  readonly permit: (call: AskedCall) => Promise<string | null>;
  readonly writeThroughClient: (path: string, text: string) => Promise<void>;
  readonly runThroughClient: (line: string) => Promise<{ readonly code: number | null; readonly output: string }>;
  /** Writes bytes to stdout that are not a message. */
  readonly garbage: (text: string) => void;
  /** From now on neither a cancel nor TERM nor the end of stdin ends this program. */
  readonly turnDeaf: () => void;
  readonly exit: (code: number, stderr: string) => Promise<never>;
};
