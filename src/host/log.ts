// The one sink for what is told about a run: three files of JSON lines, masked. Logs are derived: not synced, and a
// line that cannot be written is counted, never a reason to stop.
import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import type { EventLevel, HarnessEvent } from '../model/event.ts';
import type { Json } from '../model/json.ts';
import type { Clock } from './clock.ts';
import { codeOf } from './files.ts';
import { redactJson, type Redactor } from './redact.ts';

export type Decision = {
  readonly decision: string;
  readonly why: string;
  readonly session?: number;
  readonly item?: string;
  readonly data?: { readonly [key: string]: Json };
};

/** As an agent said or did it: `{"type":"file_read","path":…}` (reference 000, Structured Agent Actions). */
export type AgentActionLine = { readonly type: string; readonly [key: string]: Json };

export type Logs = {
  event(event: Omit<HarnessEvent, 'ts'>): void;
  /** Critical: every one is written. */
  decision(decision: Decision): void;
  /** Routine, unless it says otherwise; then its line does too. */
  agentAction(action: AgentActionLine, level?: EventLevel): void;
  /** `lost`: lines that could not be written. Later lines are dropped. Safe to call twice. */
  close(): { readonly lost: number };
};

export type LogOptions = {
  readonly redact: Redactor;
  readonly clock: Clock;
  /**
   * What is written beside critical and important lines, which always are. `important`: one in ten of the routine ones ·
   * `routine`: all of those · `debug`: everything · `critical`: nothing.
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
  const isMeant = sampler(level);
  return {
    event(event) {
      const meant = isMeant(`event ${event.type}`, event.level);
      if (meant !== 'no') write('events.jsonl', stamped(clock, meant === 'one' ? { ...event, ...SAMPLED } : event));
    },
    decision: (decision) => write('decisions.jsonl', stamped(clock, decision)),
    agentAction(action, of = 'routine') {
      const meant = isMeant(`action ${action.type}`, of);
      if (meant === 'no') return;
      const said = of === 'routine' ? action : { ...action, level: of };
      write('agent_actions.jsonl', stamped(clock, meant === 'one' ? { ...said, ...SAMPLED } : said));
    },
    close: () => {
      closed = true;
      return { lost };
    },
  };
}

const RANK: { readonly [level in EventLevel]: number } = { critical: 0, important: 1, routine: 2, debug: 3 };

/** Of routine lines so many are one that is written (reference 000, Event Levels). Such a line says so. */
const ONE_OF = 10;
const SAMPLED = { sampled: ONE_OF } as const;

/**
 * By count and not by chance: the first of every kind is written, then each tenth. So no kind is missing altogether, and a
 * run that is done again writes the same lines.
 */
function sampler(level: EventLevel): (kind: string, of: EventLevel) => 'all' | 'one' | 'no' {
  const seen = new Map<string, number>();
  return (kind, of) => {
    if (RANK[of] <= Math.max(RANK[level], RANK.important)) return 'all';
    if (of !== 'routine' || level !== 'important') return 'no';
    const count = seen.get(kind) ?? 0;
    seen.set(kind, count + 1);
    return count % ONE_OF === 0 ? 'one' : 'no';
  };
}

/** The time first, and no field that is undefined. */
const stamped = (clock: Clock, fields: { readonly [key: string]: Json | undefined }): Json => {
  const given = Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined);
  return Object.fromEntries([['ts', ''], ...given, ['ts', clock.iso()]]);
};

/**
 * Opened anew for each line, since the folder may be cleaned away at any time. It also lies where agents can write: a link
 * put in a log's place is not followed out of the folder, a pipe is not waited for.
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
