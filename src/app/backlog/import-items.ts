// Imports items into the list: each is added as `harness add` would, those that are there already are left.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readText, sha256 } from '../../host/files.ts';
import { entryOf } from '../../model/entry.ts';
import { addEdit } from '../../engine/list-edits.ts';
import type { Draft, NewItem } from '../../engine/backlog.ts';
import { checkEnvironment, readEnvironment } from '../../host/environment.ts';
import { runCommand } from '../../host/process.ts';
import { failure } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { playbookNamed } from '../../playbooks/registry.ts';
import { post } from '../run/inbox.ts';
import { tokenBase } from '../open/run-lock.ts';
import type { Watcher } from '../open/run-context.ts';
import type { Target } from '../open/target.ts';
import { applyChange, pendingEntries, type ChangeResult } from './changes.ts';
import { failingTests } from './import-tests.ts';
import { fromIssues, fromText, type Imported } from './import-sources.ts';

export type ImportedItem = Pick<Draft, 'id' | 'testFile'> & { readonly title: string; readonly isNew: boolean };
export type ImportReport = { readonly items: readonly ImportedItem[]; readonly changed: ChangeResult };

const COMMAND = 'harness import';
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_ITEMS = 500;

/** The names of test files by runner; `{slug}` is the title. */
const TEST_FILES: { readonly [runner: string]: string } = {
  pytest: 'tests/test_{slug_}.py',
  vitest: 'test/{slug}.test.js',
  jest: 'test/{slug}.test.js',
  mocha: 'test/{slug}.js',
  node: 'test/{slug}.test.mjs',
};

type From = {
  readonly source: string;
  readonly cwd: string;
  readonly verify: string | null;
  readonly stdin: () => string;
  /** For `tests`, which run for a while. */
  readonly watcher: Watcher;
  readonly signal: AbortSignal;
};

/** `from`: a file, `-` (`stdin`), `github`, or `tests`: the failing ones. `verify`: the proof of items that name none. Fails with `usage`; then nothing is written. */
export async function importItems(target: Target, from: From): Promise<Result<ImportReport>> {
  const read = await sourceOf(target, from);
  if (!read.ok) return read;
  if (read.value.length === 0)
    return err(
      failure('usage', {
        what: `${from.source} has no list of items`,
        hint: 'harness import TODO.md   (lines: - [ ] what is to be built)',
      }),
    );
  if (read.value.length > MOST_ITEMS)
    return err(
      failure('usage', { what: `${from.source} has ${read.value.length} items: at most ${MOST_ITEMS}`, hint: COMMAND }),
    );
  const drafts = await draftsOf(target, read.value, from.verify);
  if (!drafts.ok) return drafts;
  const fresh = drafts.value.filter(({ draft }) => !draft.isThere);
  const { workspaceDir, io, clock, config } = target;
  for (const { draft, title } of fresh)
    post(workspaceDir, io, clock.now(), {
      type: 'change',
      item: draft.id,
      subject: `chore(harness): #${draft.id} imported: ${title}`,
      edit: addEdit(config.paths.backlog, draft.entry),
    });
  const changed =
    fresh.length === 0 ? ok<ChangeResult>({ result: 'already' }) : await applyChange(target, null, COMMAND);
  if (!changed.ok) return changed;
  const items = drafts.value.map(({ draft: { id, testFile, isThere }, title }) => ({
    id,
    testFile,
    title,
    isNew: !isThere,
  }));
  return ok({ items, changed: changed.value });
}

type Drafted = { readonly draft: Draft; readonly title: string };

async function draftsOf(
  target: Target,
  wanted: readonly Imported[],
  verify: string | null,
): Promise<Result<readonly Drafted[]>> {
  const file = target.config.paths.backlog;
  const text = await target.view.read(file);
  if (text === null) return err(failure('backlog-missing', { file }, { at: { file } }));
  const queued: Json[] = [...pendingEntries(target)];
  const drafts: Drafted[] = [];
  for (const one of wanted) {
    const proof = one.verify === null ? proofFor(target, one.title, verify) : ok(one.verify);
    if (!proof.ok) return proof;
    const item: NewItem = {
      title: one.title,
      category: null,
      verify: proof.value,
      timeoutSeconds: null,
      dependsOn: [],
      priority: null,
      steps: [],
    };
    const options = { maxSteps: target.config.features.maxVerificationSteps, queued };
    const whole = target.backlog.draft(text, file, { ...item, steps: one.steps }, options);
    // A format without steps has the item all the same.
    const draft = whole.ok || one.steps.length === 0 ? whole : target.backlog.draft(text, file, item, options);
    if (!draft.ok) return draft;
    if (!draft.value.isThere) queued.push(draft.value.entry);
    drafts.push({ draft: draft.value, title: one.title });
  }
  return ok(drafts);
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

async function sourceOf(
  target: Target,
  { source, cwd, stdin, watcher, signal }: From,
): Promise<Result<readonly Imported[]>> {
  if (source === 'github') return issuesOf(target);
  if (source === 'tests') return failingTests(target, watcher, signal);
  if (source === '-') return fromText(stdin(), '-');
  const file = resolve(cwd, source);
  const text = readText(file);
  if (!text.ok) return text;
  if (text.value === null)
    return err(
      failure('usage', {
        what: `there is no file ${source}`,
        hint: 'harness import TODO.md | harness import github | harness import tests | echo "…" | harness import -',
      }),
    );
  return fromText(text.value, source);
}

/** Open issues, as the user's own `gh` lists them. */
async function issuesOf(target: Target): Promise<Result<readonly Imported[]>> {
  const exit = await runCommand({
    argv: ['gh', 'issue', 'list', '--state', 'open', '--limit', String(MOST_ITEMS), '--json', 'number,title,body'],
    cwd: target.root,
    // The user's own login.
    env: { ...checkEnvironment(), HOME: readEnvironment().home ?? '' },
    token: `${tokenBase(target)}import-${process.pid}`,
    wallMs: 60_000,
    idleMs: null,
    keepBytes: MOST_BYTES,
    floodBytes: null,
  });
  if (exit.code === 0) return fromIssues(exit.stdout, 'gh issue list');
  const words = exit.stderr.trim().split('\n').at(-1) ?? '';
  return err(
    failure('usage', {
      what: `gh issue list failed${words === '' ? '' : `: ${words}`}`,
      hint: 'gh auth login   (or: gh issue list --json number,title,body > issues.json elsewhere, and harness import issues.json)',
    }),
  );
}
