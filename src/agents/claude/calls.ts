// Owns what a tool call of Claude means to the tool policy: which paths it touches, which command it runs. Pure.
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Json } from '../../model/json.ts';
import type { AgentMode, ToolCall } from '../port.ts';

/** The tools that exist in a session at all: what is not here, the model cannot call. */
export const TOOLS: { readonly [mode in AgentMode]: readonly string[] } = {
  exec: ['Read', 'Edit', 'Write', 'Bash', 'Grep', 'Glob'],
  review: ['Read', 'Grep', 'Glob'],
  complete: [],
};

/** Paths are absolute; a search without a folder touches the lane. */
export function toolCall(tool: string, input: unknown, cwd: string, folder: string | null = null): ToolCall {
  const text = (key: string): string | null => textOf(input, key);
  const file = text('file_path') ?? text('notebook_path');
  const command = tool === 'Bash' ? text('command') : null;
  if (file !== null) return { tool, paths: [resolve(cwd, file)], command, ...changeOf(text) };
  if (tool === 'Grep' || tool === 'Glob') {
    const base = resolve(cwd, text('path') ?? '.');
    const pattern = tool === 'Glob' ? text('pattern') : null; // the one of Grep only narrows its folder
    const root = pattern === null ? base : patternRoot(base, pattern);
    return { tool, paths: root === base ? [base] : [base, root], command };
  }
  const path = text('path');
  const place = folder === null || command === null ? {} : { folder };
  return { tool, paths: path === null ? [] : [resolve(cwd, path)], command, ...place };
}

/** What is replaced by what, where the input says so. */
function changeOf(text: (key: string) => string | null): Pick<ToolCall, 'change'> {
  const after = text('new_string') ?? text('content');
  return after === null ? {} : { change: { before: text('old_string'), after } };
}

/** The folder a pattern cannot leave: an absolute one, or one with `..`, leaves the folder it is said to search. */
function patternRoot(base: string, pattern: string): string {
  // Alternatives that are absolute or climb, or hide how deep the rest climbs: anywhere.
  if (/\{(?:[^}]*,)?\/|\{[^}]*\.\./.test(pattern) || /\{[^}]*\/.*\.\./.test(pattern)) return '/';
  let root = isAbsolute(pattern) ? '/' : base;
  let depth = 0;
  let isFixed = true;
  for (const segment of pattern.split('/')) {
    isFixed &&= !/[*?[{(]/.test(segment);
    if (segment === '' || segment === '.' || segment === '**') continue; // `**` can stand for no folder at all
    if (segment === '..' && depth > 0) depth--;
    else if (segment === '..') root = dirname(root);
    else if (isFixed) root = join(root, segment);
    else depth++;
  }
  return root === base || root.startsWith(`${base}/`) ? base : root;
}

export function textOf(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const found: unknown = (value as { readonly [key: string]: unknown })[key];
  return typeof found === 'string' ? found : null;
}

/** A tool's input as it was parsed from the wire: JSON by birth. */
export const asJson = (value: unknown): Json => (value === undefined ? null : (value as Json));
