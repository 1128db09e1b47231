// Events of a session on their way out: chunks of text joined, long texts shortened, secrets masked, then stored and reported.
import { appendFileSync, mkdirSync } from 'node:fs';
import { Buffer } from 'node:buffer';
import { dirname, join } from 'node:path';
import type { Clock } from '../../host/clock.ts';
import type { AgentEvent } from '../../model/event.ts';

export type Redact = (text: string) => string;
export type Recorder = {
  readonly event: (turn: number, event: AgentEvent) => void;
  /** Passes on the text that is still held. */
  readonly flush: () => void;
};
export type RecorderOptions = {
  readonly results: string;
  readonly redact: Redact;
  readonly clock: Clock;
  readonly report: (turn: number, event: AgentEvent) => void;
};

/** Text comes in chunks. It is held until the end of a line, because a secret that is cut in two would not be recognised. */
const HOLD_CHARS = 4_000;
const KEEP_CHARS = 20_000;

/** Losing the last events in a power failure is accepted: they are for display, and for whether a cut turn can continue in its session. */
export function openRecorder(options: RecorderOptions): Recorder {
  const file = join(options.results, 'events.jsonl');
  mkdirSync(dirname(file), { recursive: true });
  let held: { turn: number; t: 'text' | 'thought'; text: string } | null = null;

  const out = (turn: number, event: AgentEvent): void => {
    const masked = mapStrings(event, (text) => shortened(options.redact(text)));
    appendFileSync(file, `${JSON.stringify({ ts: options.clock.iso(), turn, ...masked })}\n`);
    options.report(turn, masked);
  };
  const flush = (): void => {
    const last = held;
    held = null;
    if (last !== null && last.text !== '') out(last.turn, { t: last.t, text: last.text });
  };
  return {
    flush,
    event(turn, event) {
      if (event.t !== 'text' && event.t !== 'thought') {
        flush();
        out(turn, event);
        return;
      }
      if (held !== null && (held.t !== event.t || held.turn !== turn)) flush();
      const text = (held?.text ?? '') + event.text;
      const end = text.length > HOLD_CHARS ? text.length : text.lastIndexOf('\n') + 1;
      if (end > 0) out(turn, { t: event.t, text: text.slice(0, end) });
      held = { turn, t: event.t, text: text.slice(end) };
    },
  };
}

/** The same JSON value with every string replaced, names unchanged. */
export function mapStrings<T>(value: T, replace: (text: string) => string): T;
export function mapStrings(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part: unknown) => mapStrings(part, replace));
  return Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => [key, mapStrings(part, replace)]),
  );
}

/** What counts towards the output limit: text, thoughts, and input and output of tools; in bytes. */
export function bytesOf(event: AgentEvent): number {
  switch (event.t) {
    case 'text':
    case 'thought':
    case 'notice':
      return Buffer.byteLength(event.text);
    case 'tool-start':
      return Buffer.byteLength(JSON.stringify(event.input));
    case 'tool-end':
      return Buffer.byteLength(event.output);
    default:
      return 0;
  }
}

function shortened(text: string): string {
  if (text.length <= KEEP_CHARS) return text;
  const half = KEEP_CHARS >> 1;
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`;
}
