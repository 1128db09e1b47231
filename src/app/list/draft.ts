// What is imported as an entry of the list: its proof, where it names none, and what the format of the list has no place for.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Draft, NewItem } from '../../engine/backlog.ts';
import { sha256 } from '../../host/files.ts';
import { entryOf } from '../../model/entry.ts';
import { failure } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { playbookNamed } from '../../playbooks/registry.ts';
import type { Target } from '../open/target.ts';
import type { Imported } from './import-sources.ts';

/** The names of test files by runner; `{slug}` is the title. */
const TEST_FILES: { readonly [runner: string]: string } = {
  pytest: 'tests/test_{slug_}.py',
  vitest: 'test/{slug}.test.js',
  jest: 'test/{slug}.test.js',
  mocha: 'test/{slug}.js',
  node: 'test/{slug}.test.mjs',
};

type Wanted = Imported & Pick<NewItem, 'dependsOn' | 'priority'> & { readonly notes: string };

/** The item as the list would have it, also where its format has no steps or another kind of priority. `queued`: entries that are not in the text yet. */
export function draftOf(
  target: Target,
  { text, queued }: { readonly text: string; readonly queued: readonly Json[] },
  { title, steps, verify, dependsOn, priority, notes }: Wanted,
  pattern: string | null,
): Result<Draft> {
  const file = target.config.paths.backlog;
  const proof = verify === null ? proofFor(target, title, pattern) : ok(verify);
  if (!proof.ok) return proof;
  const item: NewItem = {
    title,
    category: null,
    verify: proof.value,
    timeoutSeconds: null,
    dependsOn,
    priority: null,
    steps: [],
    ...(notes === '' ? {} : { notes }),
  };
  const options = { maxSteps: target.config.features.maxVerificationSteps, queued };
  const tried = [
    { ...item, steps, priority },
    { ...item, priority },
    { ...item, steps },
  ].map((one) => () => target.backlog.draft(text, file, one, options));
  for (const draft of tried) {
    const made = draft();
    if (made.ok) return made;
  }
  return target.backlog.draft(text, file, item, options);
}

/** A test file that is named by the title, where items of this list need one. null: a person says whether it holds. */
function proofFor({ config, root }: Target, title: string, pattern: string | null): Result<string | null> {
  const { needsTestCommand } = playbookNamed(config.playbook.backlog).list;
  const name = pattern ?? (needsTestCommand ? entryOf(TEST_FILES, config.testing.runner) : null);
  if (name === undefined)
    return err(
      failure('usage', {
        what: `each item needs a test file, and the runner ${config.testing.runner} has no usual name for one`,
        hint: "harness import TODO.md --verify 'tests/{slug}.test'",
      }),
    );
  if (name === null) return ok(null);
  const slug = slugOf(title);
  const isTypeScript = pattern === null && existsSync(join(root, 'tsconfig.json'));
  const path = name.replaceAll('{slug_}', slug.replaceAll('-', '_')).replaceAll('{slug}', slug);
  return ok(isTypeScript ? path.replace(/\.test\.js$/, '.test.ts') : path);
}

/** Lower case, ASCII, at most 50 characters. */
const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^-+|-+$/g, '') || `item-${sha256(title).slice(0, 8)}`;
