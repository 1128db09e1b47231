// Owns the translation of a turn's items into agent events, in their order. Remembers which calls are open, since not every
// end is told, and what was said in pieces.
import { resolve } from 'node:path';
import { entryOf } from '../../model/entry.ts';
import type { AgentEvent } from '../../model/event.ts';
import type { Json } from '../../model/json.ts';
import { isTool, readItem, toolOf, type Item } from './items.ts';
import { scriptOf } from './script.ts';

/** A piece of what an item says or thinks. */
export type Piece = { readonly item: string; readonly t: 'text' | 'thought'; readonly text: string };

export type Items = {
  started(value: unknown): readonly AgentEvent[];
  completed(value: unknown): readonly AgentEvent[];
  piece(of: Piece): readonly AgentEvent[];
  /** What became of a call that was refused: the reason stands where its output would. */
  refused(id: string, reason: string): void;
  /** The item with this id, while it is open. */
  open(id: string): Item | null;
  /** A call of a server's tool with these arguments, while it is open and nobody has asked for it yet. */
  serverCall(server: string, args: unknown): Item | null;
  /** Calls whose end was never told have failed. */
  left(): readonly AgentEvent[];
  /** A message was begun and not ended. */
  isSpeaking(): boolean;
  /** The last message in words. */
  words(): string;
};

export function openItems(lane: string): Items {
  const open = new Map<string, Item>();
  const said = new Map<string, string>();
  const reasons = new Map<string, string>();
  const asked = new Set<string>();
  let words = '';

  const started = (one: Item): readonly AgentEvent[] => {
    if (!isTool(one) || open.has(one.id)) return [];
    open.set(one.id, one);
    return [{ t: 'tool-start', id: one.id, name: toolOf(one), input: inputOf(one) }];
  };
  const ended = (one: Item): readonly AgentEvent[] => {
    const begun = started(one); // of some kinds only the end is told
    open.delete(one.id);
    const refusal = reasons.get(one.id);
    const ok = refusal === undefined && isGood(one);
    const end: AgentEvent = { t: 'tool-end', id: one.id, ok, output: refusal ?? outputOf(one) };
    return [...begun, end, ...(ok ? changesOf(one, lane) : [])];
  };
  /** What of a finished text was not told in pieces. */
  const rest = (id: string, whole: string): string => {
    const told = said.get(id) ?? '';
    said.delete(id);
    if (told === '') return whole;
    return whole.startsWith(told) ? whole.slice(told.length) : '';
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
        words = one.text || words;
        return told('text', rest(one.id, one.text ?? ''));
      }
      if (one.type === 'reasoning') return told('thought', rest(one.id, (one.summary ?? []).join('\n')));
      if (one.type === 'contextCompaction') return [{ t: 'compacted' }];
      return isTool(one) ? ended(one) : [];
    },
    piece({ item: id, t, text }) {
      const whole = (said.get(id) ?? '') + text;
      said.set(id, whole);
      if (t === 'text') words = whole;
      return told(t, text);
    },
    refused: (id, reason) => void reasons.set(id, reason),
    open: (id) => open.get(id) ?? null,
    serverCall(server, args) {
      const wanted = JSON.stringify(args);
      for (const one of open.values())
        if (one.server === server && JSON.stringify(one.arguments) === wanted && !asked.has(one.id)) {
          asked.add(one.id);
          return one;
        }
      return null;
    },
    left() {
      const events = [...open.values()].flatMap((one) => ended({ ...one, status: 'failed' }));
      open.clear();
      return events;
    },
    isSpeaking: () => said.size > 0,
    words: () => words,
  };
}

const told = (t: 'text' | 'thought', text: string): readonly AgentEvent[] => (text === '' ? [] : [{ t, text }]);

/** It came out of JSON.parse, so it is made of nothing else. */
const asJson = (value: unknown): Json => (value === undefined ? null : (value as Json));

function inputOf(one: Item): Json {
  if (one.type === 'commandExecution')
    return { command: scriptOf(one.command ?? ''), ...(one.cwd === null ? {} : { folder: one.cwd }) };
  if (one.type === 'fileChange') {
    const changes = one.changes ?? [];
    return {
      paths: changes.flatMap(({ path, kind }) => [path, ...(kind.move_path === null ? [] : [kind.move_path])]),
      changes: changes.map(({ path, kind, diff }) => ({ path, kind: kind.type, diff })),
    };
  }
  return one.arguments === undefined ? { path: one.path } : asJson(one.arguments);
}

/** A command that ended with another code than 0 has failed, whatever its status. */
const isGood = ({ status, exitCode, error }: Item): boolean =>
  (status === 'completed' || status === null) && (exitCode ?? 0) === 0 && error === null;

function outputOf({ aggregatedOutput, error, result }: Item): string {
  if (error !== null) return error.message;
  if (aggregatedOutput !== null) return aggregatedOutput;
  return (result?.content ?? []).map(textOf).join('\n');
}

const textOf = (part: unknown): string =>
  typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : '';

const CHANGES: { readonly [kind: string]: 'add' | 'update' | 'delete' } = { add: 'add', delete: 'delete' };

function changesOf(one: Item, lane: string): readonly AgentEvent[] {
  if (one.type !== 'fileChange') return [];
  return (one.changes ?? []).flatMap(({ path, kind }): AgentEvent[] => {
    const file = resolve(lane, path);
    if (kind.move_path === null)
      return [{ t: 'file-change', path: file, change: entryOf(CHANGES, kind.type) ?? 'update' }];
    return [
      { t: 'file-change', path: file, change: 'delete' },
      { t: 'file-change', path: resolve(lane, kind.move_path), change: 'add' },
    ];
  });
}
