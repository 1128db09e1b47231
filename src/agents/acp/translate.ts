// Translates the agent's session updates into events. Remembers the tool calls of a session, because updates contain only what changed.
import { sep } from 'node:path';
import type { AgentEvent } from '../../model/event.ts';
import type { Json } from '../../model/json.ts';
import { shellWord } from '../../model/shell-quote.ts';
import type { ToolCall } from '../port.ts';
import { readTool, readUpdate, type ToolContent, type ToolFields, type Update } from './update.ts';

export type Translator = {
  /** The events of one `session/update`, and the update itself. */
  readonly update: (params: unknown) => { readonly events: readonly AgentEvent[]; readonly update: Update };
  /** The tool call of a permission request, completed from earlier updates of the same call. */
  readonly call: (toolCall: unknown) => ToolCall;
};

type TrackedCall = {
  fields: ToolFields;
  started: boolean;
  ended: boolean;
  /** The call as it was first reported, as JSON. */
  began: string;
};

/** `root`: paths of changed files inside it become relative to it. */
export function translator(root: string): Translator {
  const calls = new Map<string, TrackedCall>();
  const remember = (next: ToolFields): TrackedCall => {
    const known = calls.get(next.toolCallId) ?? { fields: next, started: false, ended: false, began: '' };
    known.fields = { ...known.fields, ...present(next) };
    calls.set(next.toolCallId, known);
    return known;
  };
  return {
    update(params) {
      const update = readUpdate(params);
      if (update.kind !== 'tool') return { events: plain(update), update };
      const known = remember(update.tool);
      const events: AgentEvent[] = [];
      if (!known.started) {
        events.push(started(known.fields));
        known.began = JSON.stringify(callOf(known.fields));
      }
      known.started = true;
      const status = update.tool.status;
      if (!known.ended && (status === 'completed' || status === 'failed')) {
        known.ended = true;
        if (status === 'completed') events.push(...changes(known.fields, root));
        events.push({
          t: 'tool-end',
          id: known.fields.toolCallId,
          ok: status === 'completed',
          output: output(known.fields),
          ...later(known),
        });
      }
      return { events, update };
    },
    call(toolCall) {
      const fields = readTool(toolCall);
      return fields === null ? { tool: 'unknown', paths: [], command: null } : callOf(remember(fields).fields);
    },
  };
}

/** The final call, where updates added to its first report. */
function later({ fields, began }: TrackedCall): { readonly call?: ToolCall } {
  const call = callOf(fields);
  return JSON.stringify(call) === began ? {} : { call };
}

const plain = (update: Update): readonly AgentEvent[] => {
  switch (update.kind) {
    case 'text':
    case 'thought':
    case 'notice':
      return update.text === '' ? [] : [{ t: update.kind, text: update.text }];
    case 'broken':
      return [{ t: 'notice', text: 'unreadable-update' }];
    default:
      return []; // tool calls and usage are handled elsewhere
  }
};

const nameOf = (fields: ToolFields): string => fields.name ?? fields.kind ?? 'other';

function started(fields: ToolFields): AgentEvent {
  const input: Json = fields.rawInput ?? { title: fields.title ?? '', paths: pathsOf(fields) };
  return { t: 'tool-start', id: fields.toolCallId, name: nameOf(fields), input };
}

function changes(fields: ToolFields, root: string): readonly AgentEvent[] {
  const diffs = (fields.content ?? []).filter((c) => c.type === 'diff');
  if (diffs.length > 0)
    return diffs.map((d) => ({
      t: 'file-change',
      path: inRoot(d.path, root),
      change: (d.oldText ?? null) === null ? 'add' : 'update',
    }));
  if (fields.kind !== 'delete') return [];
  return pathsOf(fields).map((path) => ({ t: 'file-change', path: inRoot(path, root), change: 'delete' }));
}

const inRoot = (path: string, root: string): string =>
  path.startsWith(`${root}${sep}`) ? path.slice(root.length + 1) : path;

function output(fields: ToolFields): string {
  const texts = (fields.content ?? []).flatMap((c: ToolContent) =>
    c.type === 'content' ? [c.content.text ?? ''] : [],
  );
  if (texts.length > 0) return texts.join('\n');
  const raw = fields.rawOutput ?? '';
  return typeof raw === 'string' ? raw : JSON.stringify(raw);
}

function pathsOf(fields: ToolFields): readonly string[] {
  const input = record(fields.rawInput);
  const named = ['path', 'file_path', 'filePath', 'abs_path', 'notebook_path'].flatMap((key) =>
    typeof input[key] === 'string' ? [input[key]] : [],
  );
  const diffs = (fields.content ?? []).flatMap((c) => (c.type === 'diff' ? [c.path] : []));
  return [...new Set([...(fields.locations ?? []).map((l) => l.path), ...diffs, ...named])];
}

/** Only an execution has a command: that of its input, else its title. */
function callOf(fields: ToolFields): ToolCall {
  const { command } = record(fields.rawInput);
  const line = Array.isArray(command)
    ? command.map((word) => shellWord(String(word))).join(' ')
    : typeof command === 'string'
      ? command
      : null;
  const executes = fields.kind === 'execute' || line !== null;
  return {
    tool: fields.kind ?? fields.name ?? 'other',
    paths: pathsOf(fields),
    command: executes ? (line ?? bare(fields.title ?? '')) : null,
  };
}

/** Some agents put a title that is a command in backticks. */
const bare = (title: string): string => /^`([^`]*)`$/.exec(title.trim())?.[1] ?? title;

const record = (value: unknown): { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

const present = (fields: ToolFields): Partial<ToolFields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
