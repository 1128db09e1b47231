// What the machine keeps beside state.json, which has no room for it: the session's own style and step, counters, what was said last.
import { NO_USAGE, type Usage } from '../../../model/usage.ts';
import type { Confidence } from './gates.ts';
import type { RunStyle } from '../file/state.ts';

export const STEPS = ['plan', 'generate', 'verify', 'evaluate'] as const;
/** A step that the command names: only it is run. */
export type Step = (typeof STEPS)[number];

/** What the file has no room for; it is gone with the journal, and then the resume table decides. */
export type Mem = {
  /** Of this session: a named step has its own, whatever the file says. */
  readonly style: RunStyle;
  readonly only: Step | null;
  /** Rows gone through: a key made with it is used once. */
  readonly visits: number;
  /** Sessions of this stage that were sent once more. */
  readonly tries: number;
  readonly scans: number;
  readonly revisions: number;
  /** The last first line that somebody returned. */
  readonly line: string;
  readonly confidence: Confidence;
  /** The answer at the commit gate. */
  readonly finish: 'code-only' | 'all' | 'none' | null;
  /** Why it ended; '' before that. */
  readonly why: string;
  /** The number of the next session that is sent. */
  readonly session: number;
  /** That of the generator that was sent last; 0: none in this life. */
  readonly built: number;
  /** What a person wants changed in the spec; '': nothing. */
  readonly note: string;
  /** Which layer the last retry is about: its report is told with it. */
  readonly failed: 1 | 2;
  /** The diff that a person was asked about; null: none, or it lies there from an earlier life. */
  readonly diff: string | null;
  /** Files that a proposed patch would change, as they were judged. */
  readonly paths: readonly string[];
  /** Of the last Layer 1 that passed; null: none has. */
  readonly evidence: string | null;
  /** Of all sessions of this life. */
  readonly usage: Usage;
  /** A person let something pass that had not passed. */
  readonly isAccepted: boolean;
  /** Somebody asked to stop: it ends as soon as what is under way has ended. */
  readonly paused: boolean;
  /** Budgets that a person raised in this life. */
  readonly raises: number;
};
export const freshMem = (style: RunStyle, only: Step | null = null): Mem => ({
  style,
  only,
  visits: 0,
  tries: 0,
  scans: 0,
  revisions: 0,
  line: '',
  confidence: 'Unknown',
  finish: null,
  why: '',
  session: 1,
  built: 0,
  note: '',
  failed: 1,
  diff: null,
  paths: [],
  evidence: null,
  usage: NO_USAGE,
  isAccepted: false,
  paused: false,
  raises: 0,
});
