// What is imported as an entry of the list: its proof, where it names none, and what the format of the list has no place for.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Draft, NewItem } from '../../engine/backlog.ts';
import { failure } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { slugOf } from '../../model/slug.ts';
import type { TestFile } from '../../engine/list-edits.ts';
import type { Config } from '../../model/config.ts';
import { playbookNamed } from '../../playbooks/registry.ts';
import { runnerNamed } from '../../verify/runners/all.ts';
import type { NewTest } from '../../verify/runners/runner.ts';
import { backlogPathOf, type Target } from '../open/target.ts';
import { oneLine, type Imported } from './import-sources.ts';

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

/** What the project's runner knows of new test files; undefined: it has no usual name for them. */
const newTestOf = ({ testing }: Config): NewTest | undefined => runnerNamed(testing.runner).newTest;

/** A failing test for an item that has none; null: its list is in no commit or has no test files, its runner has no usual name for them, or there is one. */
export async function stubOf(
  target: Target,
  { title, steps }: Pick<Imported, 'title' | 'steps'>,
  path: string | null,
): Promise<TestFile | null> {
  const { config, view } = target;
  const hasTests = playbookNamed(config.playbook.backlog).list.needsTestCommand && !backlogPathOf(target).isOwn;
  const newTest = newTestOf(config);
  if (path === null || !hasTests || newTest === undefined || (await view.stat(path)) !== null) return null;
  return { path, text: newTest.stub(title, steps.map(oneLine)) };
}

/** A test file that is named by the title, where items of this list need one. null: a person says whether it holds. */
function proofFor({ config, root }: Target, title: string, pattern: string | null): Result<string | null> {
  const { needsTestCommand } = playbookNamed(config.playbook.backlog).list;
  const name = pattern ?? (needsTestCommand ? newTestOf(config)?.path : null);
  if (name === undefined)
    return err(
      failure('usage', {
        what: `each item needs a test file, and the runner ${config.testing.runner} has no usual name for one`,
        hint: "harness import TODO.md --verify 'tests/{slug}.test'",
      }),
    );
  if (name === null) return ok(null);
  const slug = slugOf(title, 'item');
  const isTypeScript = pattern === null && existsSync(join(root, 'tsconfig.json'));
  const path = name.replaceAll('{slug_}', slug.replaceAll('-', '_')).replaceAll('{slug}', slug);
  return ok(isTypeScript ? path.replace(/\.test\.js$/, '.test.ts') : path);
}
