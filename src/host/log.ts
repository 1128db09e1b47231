// The logs of a run: three files of JSON lines with secrets masked. Logs are derived data: they are not synced, and a line that cannot be
// written is counted and never stops the run.
import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import type { EventLevel, HarnessEvent } from '../model/event.ts';
import type { Json } from '../model/json.ts';
import type { Clock } from './clock.ts';
import { codeOf } from './error-code.ts';
import { redactJson, type Redactor } from './redact.ts';

export type LoggedDecision = {
  readonly decision: string;
  readonly why: string;
  readonly session?: number;
  readonly item?: string;
  readonly data?: { readonly [key: string]: Json };
};

/** One action of an agent: `{"type":"file_read","path":…}`. */
export type AgentActionLine = { readonly type: string; readonly [key: string]: Json };

export type Logs = {
  event(event: Omit<HarnessEvent, 'ts'>): void;
  /** Critical: every one is written. */
  decision(decision: LoggedDecision): void;
  /** Routine, unless another level is given, which is then part of the line. */
  agentAction(action: AgentActionLine, level?: EventLevel): void;
  /** Lines after this are dropped. `lost`: lines that could not be written. Safe to call twice. */
  close(): { readonly lost: number };
};

export type LogOptions = {
  readonly redact: Redactor;
  readonly clock: Clock;
  /**
   * What is written in addition to critical and important lines, which always are. `important`: one in ten routine lines · `routine`:
   * all routine lines · `debug`: everything · `critical`: nothing.
   */
  readonly level: EventLevel;
};

/** Lines go to `events.jsonl`, `decisions.jsonl` and `agent_actions.jsonl` in `dir`, which is made when first needed. */
export function openLogs(dir: string, { redact, clock, level }: LogOptions): Logs {
  let lost = 0;
  let closed = false;
  const write = (name: string, line: Json): void => {
    if (closed) return;
    try {
      appendLine(dir, name, `${JSON.stringify(redactJson(redact, line))}\n`);
    } catch {
      lost += 1;
    }
  };
  const sample = sampler(level);
  return {
    event(event) {
      const choice = sample(`event ${event.type}`, event.level);
      if (choice !== 'none') write('events.jsonl', stamped(clock, choice === 'one' ? { ...event, ...SAMPLED } : event));
    },
    decision: (decision) => write('decisions.jsonl', stamped(clock, decision)),
    agentAction(action, ofLevel = 'routine') {
      const choice = sample(`action ${action.type}`, ofLevel);
      if (choice === 'none') return;
      const line = ofLevel === 'routine' ? action : { ...action, level: ofLevel };
      write('agent_actions.jsonl', stamped(clock, choice === 'one' ? { ...line, ...SAMPLED } : line));
    },
    close: () => {
      closed = true;
      return { lost };
    },
  };
}

const RANK: { readonly [level in EventLevel]: number } = { critical: 0, important: 1, routine: 2, debug: 3 };

/** At level `important` one of this many routine lines is written, and the line says so. */
const ONE_OF = 10;
const SAMPLED = { sampled: ONE_OF } as const;

/** By count, not at random: the first line of every kind, then every tenth. No kind is missing, and a repeated run writes the same lines. */
function sampler(level: EventLevel): (kind: string, ofLevel: EventLevel) => 'all' | 'one' | 'none' {
  const seen = new Map<string, number>();
  return (kind, ofLevel) => {
    if (RANK[ofLevel] <= Math.max(RANK[level], RANK.important)) return 'all';
    if (ofLevel !== 'routine' || level !== 'important') return 'none';
    const count = seen.get(kind) ?? 0;
    seen.set(kind, count + 1);
    return count % ONE_OF === 0 ? 'one' : 'none';
  };
}

/** The time comes first; fields that are undefined are left out. */
const stamped = (clock: Clock, fields: { readonly [key: string]: Json | undefined }): Json => {
  const given = Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined);
  return Object.fromEntries([['ts', ''], ...given, ['ts', clock.iso()]]);
};

/**
 * Opens the file for each line, because the folder may be removed at any time. Agents can write there too: a link in place of a log is not
 * followed out of the folder, and a pipe is not waited for.
 */
function appendLine(dir: string, name: string, line: string): void {
  const file = openForAppend(dir, join(dir, name));
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${name} is not a file`);
    const bytes = Buffer.from(line, 'utf8');
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
  } finally {
    closeSync(file);
  }
}

function openForAppend(dir: string, path: string): number {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const flags = O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK;
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    mkdirSync(dir, { recursive: true });
    return openSync(path, flags, 0o600);
  }
}
