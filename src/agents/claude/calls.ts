// A tool call of Claude for the tool policy: which paths it touches, which command it runs. Pure.
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { AgentMode, ToolCall } from '../port.ts';

/** The tools of a session: the model cannot call any other one. */
export const TOOLS: { readonly [mode in AgentMode]: readonly string[] } = {
  exec: ['Read', 'Edit', 'Write', 'Bash', 'Grep', 'Glob'],
  review: ['Read', 'Grep', 'Glob'],
  complete: [],
};

/** Paths are absolute; a search without a folder touches the work folder. */
export function toolCall(tool: string, input: unknown, cwd: string, folder: string | null = null): ToolCall {
  const text = (key: string): string | null => textOf(input, key);
  const file = text('file_path') ?? text('notebook_path');
  const command = tool === 'Bash' ? text('command') : null;
  if (file !== null) return { tool, paths: [resolve(cwd, file)], command, ...changeOf(text) };
  if (tool === 'Grep' || tool === 'Glob') {
    const base = resolve(cwd, text('path') ?? '.');
    const pattern = tool === 'Glob' ? text('pattern') : null; // that of Grep only narrows its folder
    const root = pattern === null ? base : patternRoot(base, pattern);
    return { tool, paths: root === base ? [base] : [base, root], command };
  }
  const path = text('path');
  const place = folder === null || command === null ? {} : { folder };
  return { tool, paths: path === null ? [] : [resolve(cwd, path)], command, ...place };
}

/** Which text is replaced by which, where the input has it. */
function changeOf(text: (key: string) => string | null): Pick<ToolCall, 'change'> {
  const after = text('new_string') ?? text('content');
  return after === null ? {} : { change: { before: text('old_string'), after } };
}

/** The folder that a pattern cannot leave: with an absolute pattern, or with `..`, it is not the folder that is searched. */
function patternRoot(base: string, pattern: string): string {
  // Alternatives that are absolute, contain `..`, or hide how many levels the rest goes up: anywhere.
  if (/\{(?:[^}]*,)?\/|\{[^}]*\.\./.test(pattern) || /\{[^}]*\/.*\.\./.test(pattern)) return '/';
  let root = isAbsolute(pattern) ? '/' : base;
  let depth = 0;
  let isFixed = true;
  for (const segment of pattern.split('/')) {
    isFixed &&= !/[*?[{(]/.test(segment);
    if (segment === '' || segment === '.' || segment === '**') continue; // `**` can match no folder at all
    if (segment === '..' && depth > 0) depth--;
    else if (segment === '..') root = dirname(root);
    else if (isFixed) root = join(root, segment);
    else depth++;
  }
  return root === base || root.startsWith(`${base}/`) ? base : root;
}

export function textOf(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' ? found : null;
}
