// TODO and FIXME that a session brought: lines of changed files that were not there before (reference 004, `todo_blocking`).
import type { World } from '../../../model/world.ts';

/** `line` counts from 1; `text`: the line, trimmed and cut. */
export type Todo = { readonly path: string; readonly line: number; readonly text: string };

const MARK = /\b(?:TODO|FIXME)\b/;
const MOST = 200;
const MOST_OF_A_FILE = 4_000_000;
const LONGEST = 200;

/** `since`: the revision before the session. A line that only moved is not new. */
export async function newTodos(
  world: Pick<World, 'read' | 'readAt'>,
  paths: readonly string[],
  since: string,
): Promise<readonly Todo[]> {
  const found: Todo[] = [];
  for (const path of new Set(paths)) {
    const now = await world.read(path);
    if (now === null || now.length > MOST_OF_A_FILE || now.includes('\0') || !MARK.test(now)) continue;
    const before = marked((await world.readAt(since, path)) ?? '');
    for (const { text, line } of marked(now)) {
      const at = before.findIndex((one) => one.text === text);
      if (at >= 0) before.splice(at, 1);
      else if (found.length < MOST) found.push({ path, line, text: text.slice(0, LONGEST).toWellFormed() });
    }
  }
  return found;
}

const marked = (text: string): { readonly text: string; readonly line: number }[] =>
  text.split('\n').flatMap((line, at) => (MARK.test(line) ? [{ text: line.trim(), line: at + 1 }] : []));
