// The test files of an item that brings a command as its proof: those that the command names, else those that its work adds or changes.
import { z } from 'zod';
import { defineSurvey } from '../../engine/definitions.ts';
import type { RepositoryView } from '../../model/repository-view.ts';
import { looksLikeTest } from '../../model/test-names.ts';

/** A command that tests: whether it calls the runner of the project itself or by a script, and the test files that the work changes. */
export const testCommand = defineSurvey({
  id: 'test-command',
  input: z.object({ command: z.string(), since: z.string() }),
  /** `base`: the last commit; null: there is none. */
  facts: z.object({ isReported: z.boolean(), files: z.array(z.string()).readonly(), base: z.string().nullable() }),
  async read({ view, config }, { command, since }) {
    const { runner } = config.testing;
    const line = `${command} ${await scriptOf(view, command, since)}`;
    const changed = (await view.changedSince(since)).filter(looksLikeTest);
    const { commit: base } = await view.head();
    return { isReported: callsRunner(line, runner), files: await existing(view, changed), base };
  },
});

const callsRunner = (line: string, runner: string): boolean =>
  runner === 'node' ? /\bnode\b[^;&|]*\s--test(?=\s|$)/.test(line) : line.split(/[^\w-]+/).includes(runner);

/** So many are run as the item's own test. */
const MOST_FILES = 8;

export const ownTests = defineSurvey({
  id: 'own-tests',
  /** `since`: a revision of the tree where the work began. */
  input: z.object({ command: z.string(), since: z.string() }),
  facts: z.object({ files: z.array(z.string()).readonly() }),
  async read({ view }, { command, since }) {
    const words = namedIn(`${command} ${await scriptOf(view, command, since)}`);
    const named = await existing(view, words.filter(looksLikeTest));
    if (named.length > 0) return { files: named };
    const changed = (await view.changedSince(since)).filter(looksLikeTest);
    return { files: await existing(view, changed) };
  },
});

async function existing(view: RepositoryView, paths: readonly string[]): Promise<readonly string[]> {
  const stats = await Promise.all(paths.map((path) => view.stat(path)));
  return [...new Set(paths.filter((_, n) => stats[n]?.kind === 'file'))].sort().slice(0, MOST_FILES);
}

/** The words of a shell line that may be paths of the repository, also as a pytest id or the name of a Python module. */
export function namedIn(command: string): readonly string[] {
  const words = command.split(/[\s;&|<>()'"`=]+/).map((word) => word.replace(/^(?:\.\/)+/, '').replace(/::.*$/, ''));
  return words.flatMap((word) => {
    if (word === '' || word.startsWith('-') || word.startsWith('/') || word.split('/').includes('..')) return [];
    return /^\w+(?:\.\w+)+$/.test(word) ? [word, `${word.replaceAll('.', '/')}.py`] : [word];
  });
}

const packageJson = z.looseObject({ scripts: z.record(z.string(), z.unknown()) });

/** The script of package.json that the command runs, as it was before the work; '': none. */
async function scriptOf(view: RepositoryView, command: string, since: string): Promise<string> {
  const name = scriptNameIn(command);
  return name === null ? '' : scriptIn(await view.readAt(since, 'package.json'), name);
}

export const scriptNameIn = (command: string): string | null =>
  /\b(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?(?:-\S+\s+)*([\w:.-]+)/.exec(command)?.[1] ?? null;

/** '': the package.json has no such script, or cannot be read. */
export function scriptIn(text: string | null, name: string): string {
  try {
    const { scripts } = packageJson.parse(JSON.parse(text ?? ''));
    const line = Object.hasOwn(scripts, name) ? scripts[name] : '';
    return typeof line === 'string' ? line : '';
  } catch {
    return '';
  }
}
