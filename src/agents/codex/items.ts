// The program's items (a message, a command, a change of files …) as far as we read them, and their calls for the tool policy. An item may
// have more fields, and there are kinds that we do not know. Pure.
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Json } from '../../model/json.ts';
import type { ToolCall } from '../port.ts';
import { scriptOf } from './shell-script.ts';

/** Null: it is missing, or not a string. */
const text = z.string().nullable().catch(null);
const change = z.looseObject({
  path: z.string(),
  kind: z.looseObject({ type: z.string(), move_path: text }),
  diff: z.string().catch(''),
});
const item = z.looseObject({
  type: z.string(),
  id: z.string(),
  status: text,
  text,
  command: text,
  cwd: text,
  aggregatedOutput: text,
  exitCode: z.number().nullable().catch(null),
  changes: z.array(change).nullable().catch(null),
  server: text,
  tool: text,
  // Parsed from JSON, so it is JSON.
  arguments: z.custom<Json>().optional(),
  result: z
    .looseObject({ content: z.array(z.unknown()) })
    .nullable()
    .catch(null),
  error: z.looseObject({ message: z.string() }).nullable().catch(null),
  summary: z.array(z.string()).nullable().catch(null),
  path: text,
});
export type ThreadItem = z.output<typeof item>;
export type PatchedFile = z.output<typeof change>;

export function readItem(value: unknown): ThreadItem | null {
  const read = item.safeParse(value);
  return read.success ? read.data : null;
}

/** Kinds that are not tools: messages, thoughts, and the program's own records. */
const NO_TOOL = [
  'userMessage',
  'agentMessage',
  'reasoning',
  'plan',
  'hookPrompt',
  'functionCallOutput',
  'contextCompaction',
  'enteredReviewMode',
  'exitedReviewMode',
  'subAgentActivity',
];
export const isTool = ({ type }: ThreadItem): boolean => !NO_TOOL.includes(type);

/** The tool's name for the model; for an unknown kind, the kind. */
export function toolOf({ type, server, tool }: ThreadItem): string {
  if (type === 'commandExecution') return 'exec_command';
  if (type === 'fileChange') return 'apply_patch';
  if (type === 'mcpToolCall') return `mcp__${server ?? ''}__${tool ?? ''}`;
  return type;
}

/** The calls of an item; a patch is one call for each file it changes. Paths are absolute. */
export function callsOf(one: ThreadItem, root: string): readonly ToolCall[] {
  const tool = toolOf(one);
  if (one.type === 'commandExecution') return [commandCall(one.command ?? '', one.cwd, root)];
  if (one.type === 'fileChange') return (one.changes ?? []).flatMap((c) => changeCalls(c, root));
  const path = pathIn(one.arguments) ?? one.path;
  return [{ tool, paths: path === null ? [] : [resolve(root, path)], command: null }];
}

export function commandCall(line: string, cwd: string | null, root: string): ToolCall {
  const place = cwd === null || cwd === root ? {} : { folder: cwd };
  return { tool: 'exec_command', paths: [], command: scriptOf(line), ...place };
}

function changeCalls({ path, kind, diff }: PatchedFile, root: string): readonly ToolCall[] {
  const file = resolve(root, path);
  const to = kind.move_path;
  if (kind.type === 'delete') return [removal(file)];
  const written: ToolCall = {
    tool: 'apply_patch',
    paths: [to === null ? file : resolve(root, to)],
    command: null,
    change: kind.type === 'add' ? { before: null, after: diff } : sidesOf(diff),
  };
  return to === null ? [written] : [removal(file), written];
}

const removal = (path: string): ToolCall => ({ tool: 'delete', paths: [path], command: null });

/** The removed and the added lines of a unified diff, each with the context lines. */
function sidesOf(diff: string): { readonly before: string; readonly after: string } {
  const hunks = diff.split('\n').filter((line) => /^[-+ ]/.test(line));
  const side = (mark: string): string =>
    hunks
      .filter((line) => line.startsWith(mark) || line.startsWith(' '))
      .map((line) => line.slice(1))
      .join('\n');
  return { before: side('-'), after: side('+') };
}

function pathIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields: { readonly [name: string]: unknown } = { ...value };
  const found = fields['path'] ?? fields['file_path'];
  return typeof found === 'string' ? found : null;
}
