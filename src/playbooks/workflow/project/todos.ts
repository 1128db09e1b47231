// TODO and FIXME comments that a task added: lines of changed files that were not there before.
import { z } from 'zod';
import { defineSurvey } from '../../../engine/definitions.ts';
import type { RepositoryView } from '../../../model/repository-view.ts';

/** `line` counts from 1; `text`: the line, trimmed and cut. */
const todoSchema = z.object({ path: z.string(), line: z.number(), text: z.string() });
export type Todo = z.output<typeof todoSchema>;

/** Outside of the task's documents, and the time of the survey. */
export const addedTodos = defineSurvey({
  id: 'workflow.todos',
  input: z.object({ docs: z.string() }),
  facts: z.object({ todos: z.array(todoSchema).readonly(), at: z.string() }),
  async read({ view }, { docs }) {
    const changed = (await view.changedSince('HEAD')).filter((path) => !path.startsWith(docs));
    return { todos: await newTodos(view, changed, 'HEAD'), at: view.now };
  },
});

const MARK = /\b(?:TODO|FIXME)\b/;
const MAX_TODOS = 200;
const MAX_FILE = 4_000_000;
const MAX_LINE = 200;

/** `since`: a revision. A line that only moved is not new. */
export async function newTodos(
  view: Pick<RepositoryView, 'read' | 'readAt'>,
  paths: readonly string[],
  since: string,
): Promise<readonly Todo[]> {
  const found: Todo[] = [];
  for (const path of new Set(paths)) {
    const now = await view.read(path);
    if (now === null || now.length > MAX_FILE || now.includes('\0') || !MARK.test(now)) continue;
    const before = marked((await view.readAt(since, path)) ?? '');
    for (const { text, line } of marked(now)) {
      const known = before.findIndex((one) => one.text === text);
      if (known >= 0) before.splice(known, 1);
      else if (found.length < MAX_TODOS) found.push({ path, line, text: text.slice(0, MAX_LINE).toWellFormed() });
    }
  }
  return found;
}

const marked = (text: string): { readonly text: string; readonly line: number }[] =>
  text.split('\n').flatMap((line, n) => (MARK.test(line) ? [{ text: line.trim(), line: n + 1 }] : []));
