// The event log of one run, `events/<run>.jsonl` in the private folder, where no agent in a box can write: every event with its number,
// never sampled, for programs that watch (docs/operations.md). It is derived data: it is not synced, decides nothing, and a line that cannot be
// written never stops the run. The copy for people, sampled by level, is `.harness/logs/events.jsonl` (log.ts).
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent, HarnessEvent } from '../model/event.ts';
import { toJson, type Json } from '../model/json.ts';
import type { Clock } from './clock.ts';
import { redactJson, type Redactor } from './redact.ts';

export type EventLog = {
  event(event: Omit<HarnessEvent, 'ts'>): void;
  agent(session: number, event: AgentEvent): void;
  /** Events after this are dropped. Safe to call twice. */
  close(): void;
};

export const eventsFolder = (workspaceDir: string): string => join(workspaceDir, 'events');

/** The file is made with the first event. */
export function openRunEvents(
  workspaceDir: string,
  run: string,
  { redact, clock }: { readonly redact: Redactor; readonly clock: Clock },
): EventLog {
  let [seq, file, closed]: [number, number | null, boolean] = [0, null, false];
  const write = (event: Omit<HarnessEvent, 'ts'>): void => {
    if (closed) return;
    seq += 1;
    try {
      file ??= openFile(eventsFolder(workspaceDir), run);
      const line = redactJson(redact, toJson({ seq, run, ts: clock.iso(), ...event }));
      writeSync(file, `${JSON.stringify(line)}\n`);
    } catch {
      // a full disk: the gap in the numbers shows that a line is missing
    }
  };
  return {
    event: write,
    agent(session, event) {
      const seen = watchedEvent(event);
      if (seen !== null) write({ ...seen, level: 'routine', session });
    },
    close() {
      closed = true;
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

function openFile(folder: string, run: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return openSync(join(folder, `${run}.jsonl`), 'a', 0o600);
}

/** More of a text is in the session's own log. */
const LONGEST = 400;
const clipped = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** What those who watch a session need: the tool at work, tokens, cost, the last words. The rest is in the session's own log. */
export function watchedEvent(event: AgentEvent): Pick<HarnessEvent, 'type' | 'data'> | null {
  switch (event.t) {
    case 'tool-start':
      return { type: 'tool', data: { tool: event.name, about: aboutOf(event.input) } };
    case 'tool-end':
      return { type: 'tool-ended', data: { ok: event.ok } };
    case 'text':
      return event.text.trim() === '' ? null : { type: 'said', data: { text: clipped(event.text.trim()) } };
    case 'usage': {
      const { inputTokens: input, outputTokens: output, cachedTokens: cached, costUsd } = event;
      return { type: 'usage', data: { input, output, cached, usd: costUsd } };
    }
    case 'context':
      return { type: 'context', data: { used: event.used, window: event.window, usd: event.costUsd } };
    case 'retry':
      return { type: 'agent-retry', data: { why: clipped(event.why), attempt: event.attempt } };
    default:
      return null;
  }
}

/** The command, path or pattern that a tool works on; '' where its input names none. */
export function aboutOf(input: Json): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return '';
  const fields = new Map(Object.entries(input));
  for (const name of ['command', 'path', 'file_path', 'pattern', 'url', 'query', 'description']) {
    const value = fields.get(name);
    if (typeof value === 'string') return clipped(value);
    if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return clipped(value.join(' '));
  }
  return '';
}
