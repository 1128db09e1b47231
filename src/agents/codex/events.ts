// Translates a turn's items into agent events, in order. Remembers open calls, because not every end is reported, and text that came in
// chunks.
import { resolve } from 'node:path';
import { entryOf } from '../../model/entry.ts';
import type { AgentEvent } from '../../model/event.ts';
import type { Json } from '../../model/json.ts';
import { isTool, readItem, toolOf, type ThreadItem } from './items.ts';
import { scriptOf } from './shell-script.ts';

/** A chunk of an item's text or thought. */
export type TextChunk = { readonly item: string; readonly t: 'text' | 'thought'; readonly text: string };

export type Items = {
  started(value: unknown): readonly AgentEvent[];
  completed(value: unknown): readonly AgentEvent[];
  chunk(of: TextChunk): readonly AgentEvent[];
  /** Records that a call was refused: its output will be the reason. */
  refused(id: string, reason: string): void;
  /** The item with this id, while it is open. */
  open(id: string): ThreadItem | null;
  /** An open call of a server's tool with these arguments that no approval was requested for yet. */
  serverCall(server: string, args: unknown): ThreadItem | null;
  /** At the end of the turn: calls without a reported end have failed. */
  closeOpen(): readonly AgentEvent[];
  /** A message has begun and not ended. */
  isSpeaking(): boolean;
  /** The last message. */
  lastMessage(): string;
};

export function openItems(root: string): Items {
  const open = new Map<string, ThreadItem>();
  const sent = new Map<string, string>();
  const reasons = new Map<string, string>();
  const approved = new Set<string>();
  let message = '';

  const started = (one: ThreadItem): readonly AgentEvent[] => {
    if (!isTool(one) || open.has(one.id)) return [];
    open.set(one.id, one);
    return [{ t: 'tool-start', id: one.id, name: toolOf(one), input: inputOf(one) }];
  };
  const ended = (one: ThreadItem): readonly AgentEvent[] => {
    const begun = started(one); // for some kinds only the end is reported
    open.delete(one.id);
    const refusal = reasons.get(one.id);
    const ok = refusal === undefined && hasSucceeded(one);
    const end: AgentEvent = { t: 'tool-end', id: one.id, ok, output: refusal ?? outputOf(one) };
    return [...begun, end, ...(ok ? changesOf(one, root) : [])];
  };
  /** The part of a finished text that did not come in chunks. */
  const rest = (id: string, whole: string): string => {
    const chunks = sent.get(id) ?? '';
    sent.delete(id);
    if (chunks === '') return whole;
    return whole.startsWith(chunks) ? whole.slice(chunks.length) : '';
  };

  return {
    started(value) {
      const one = readItem(value);
      return one === null ? [] : started(one);
    },
    completed(value) {
      const one = readItem(value);
      if (one === null) return [{ t: 'notice', text: 'unreadable-item' }];
      if (one.type === 'agentMessage') {
        message = one.text || message;
        return textEvent('text', rest(one.id, one.text ?? ''));
      }
      if (one.type === 'reasoning') return textEvent('thought', rest(one.id, (one.summary ?? []).join('\n')));
      if (one.type === 'contextCompaction') return [{ t: 'compacted' }];
      return isTool(one) ? ended(one) : [];
    },
    chunk({ item: id, t, text }) {
      const whole = (sent.get(id) ?? '') + text;
      sent.set(id, whole);
      if (t === 'text') message = whole;
      return textEvent(t, text);
    },
    refused: (id, reason) => void reasons.set(id, reason),
    open: (id) => open.get(id) ?? null,
    serverCall(server, args) {
      const wanted = JSON.stringify(args);
      for (const one of open.values())
        if (one.server === server && JSON.stringify(one.arguments) === wanted && !approved.has(one.id)) {
          approved.add(one.id);
          return one;
        }
      return null;
    },
    closeOpen() {
      const events = [...open.values()].flatMap((one) => ended({ ...one, status: 'failed' }));
      open.clear();
      return events;
    },
    isSpeaking: () => sent.size > 0,
    lastMessage: () => message,
  };
}

const textEvent = (t: 'text' | 'thought', text: string): readonly AgentEvent[] => (text === '' ? [] : [{ t, text }]);

function inputOf(one: ThreadItem): Json {
  if (one.type === 'commandExecution')
    return { command: scriptOf(one.command ?? ''), ...(one.cwd === null ? {} : { folder: one.cwd }) };
  if (one.type === 'fileChange') {
    const changes = one.changes ?? [];
    return {
      paths: changes.flatMap(({ path, kind }) => [path, ...(kind.move_path === null ? [] : [kind.move_path])]),
      changes: changes.map(({ path, kind, diff }) => ({ path, kind: kind.type, diff })),
    };
  }
  return one.arguments === undefined ? { path: one.path } : one.arguments;
}

/** A command that exited with another code than 0 has failed, whatever its status. */
const hasSucceeded = ({ status, exitCode, error }: ThreadItem): boolean =>
  (status === 'completed' || status === null) && (exitCode ?? 0) === 0 && error === null;

function outputOf({ aggregatedOutput, error, result }: ThreadItem): string {
  if (error !== null) return error.message;
  if (aggregatedOutput !== null) return aggregatedOutput;
  return (result?.content ?? []).map(textOf).join('\n');
}

const textOf = (part: unknown): string =>
  typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : '';

const CHANGES: { readonly [kind: string]: 'add' | 'update' | 'delete' } = { add: 'add', delete: 'delete' };

function changesOf(one: ThreadItem, root: string): readonly AgentEvent[] {
  if (one.type !== 'fileChange') return [];
  return (one.changes ?? []).flatMap(({ path, kind }): AgentEvent[] => {
    const file = resolve(root, path);
    if (kind.move_path === null)
      return [{ t: 'file-change', path: file, change: entryOf(CHANGES, kind.type) ?? 'update' }];
    return [
      { t: 'file-change', path: file, change: 'delete' },
      { t: 'file-change', path: resolve(root, kind.move_path), change: 'add' },
    ];
  });
}
