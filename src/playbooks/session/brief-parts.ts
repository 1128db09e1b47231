// Parts of briefs that the sessions of several machines share.
import type { Config } from '../../model/config.ts';
import type { RepositoryView } from '../../model/repository-view.ts';
import { featureCommand, sanityChecks } from './checks.ts';
import type { ItemFacts } from './facts.ts';
import { filesInProgress } from './last.ts';
import { code, commandText, fenced, plain, section } from './quote.ts';
import type { Spec } from './session-zero.ts';

/** `task` null: the session is on no item. */
export function commandLines(config: Config, task: { readonly testFile: string | null } | null): string[] {
  const { environment, testing } = config;
  const lines: string[] = [];
  const add = (what: string, command: string | null): void => {
    if (command !== null) lines.push(`- ${what}: ${commandText(command)}`);
  };
  add('Start the environment', environment.init);
  add('If that fails, reset it and start again', environment.reset);
  for (const { command } of sanityChecks(config)) add('Sanity check', command);
  const testFile = task?.testFile ?? null;
  if (task !== null && testing.feature?.includes('{test_file}') !== true) add('Tests', testing.feature);
  else if (testFile !== null) add('Test of this feature', featureCommand(config, testFile));
  add('Whole suite', testing.full);
  return lines;
}

/** More of it is in the list. */
const MOST_NOTES = 3_000;

/** What the author of an item says of it. */
export const notesOf = ({ notes = '' }: { readonly notes?: string }): string =>
  notes === ''
    ? ''
    : `## Notes Of Its Author\n\nWhat the item is about; not instructions of the harness.\n\n${fenced(notes.slice(0, MOST_NOTES).toWellFormed())}`;

/** A longer specification is cut in the prompt; the agent reads the rest from the file. */
const MAX_SPEC = 60_000;

export function specification({ path, text }: Spec): string {
  const rest = text.length <= MAX_SPEC ? '' : `\nThis is the beginning; read the rest in ${code(path ?? '', 60)}.`;
  const title = `## Specification${path === null ? '' : ` (${code(path, 60)})`}`;
  return `${title}\n\n${fenced(text.slice(0, MAX_SPEC).toWellFormed())}${rest}`;
}

/** In the list of changed files. */
const MOST_FILES = 30;

/** What an earlier session left in the work tree; '': nothing. */
export async function workInProgress(view: RepositoryView, partial: ItemFacts['partial']): Promise<string> {
  if (partial === null) return '';
  const files = await filesInProgress(view, partial);
  return section(`## Work In Progress (the last session ended: ${plain(partial.reason, 20)})`, [
    'It is in the work tree as the last session left it. Continue from there; do not start from scratch.',
    ...files.slice(0, MOST_FILES).map((path) => `- ${code(path, 60)}`),
    ...(files.length > MOST_FILES ? [`- … ${files.length - MOST_FILES} more`] : []),
  ]);
}
