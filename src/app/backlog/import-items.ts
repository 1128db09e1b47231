// Imports items into the list: each is added as `harness add` would, those that are there already are left.
import { resolve } from 'node:path';
import { readText } from '../../host/files.ts';
import { addEdit, type TestFile } from '../../engine/list-edits.ts';
import type { Draft } from '../../engine/backlog.ts';
import { checkEnvironment, readEnvironment } from '../../host/environment.ts';
import { runCommand } from '../../host/process.ts';
import { failure } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { post } from '../list/inbox.ts';
import { tokenBase } from '../open/run-lock.ts';
import type { Watcher } from '../open/run-context.ts';
import { listText, type Target } from '../open/target.ts';
import { applyChange, type ChangeResult } from './changes.ts';
import { pendingEntries } from '../list/pending.ts';
import { draftOf, stubOf } from '../list/draft.ts';
import { failingTests } from './import-tests.ts';
import { fromIssues, fromText, type Imported } from '../list/import-sources.ts';

export type ImportedItem = Pick<Draft, 'id' | 'testFile'> & {
  readonly title: string;
  readonly isNew: boolean;
  /** Its test file was made: it fails until the work is done. */
  readonly hasStub: boolean;
};
export type ImportReport = { readonly items: readonly ImportedItem[]; readonly changed: ChangeResult };

const COMMAND = 'harness import';
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_ITEMS = 500;

type From = {
  readonly source: string;
  readonly cwd: string;
  readonly verify: string | null;
  /** A failing test is committed with each item whose test file does not exist. */
  readonly stubs: boolean;
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
  const drafts = await draftsOf(target, read.value, from);
  if (!drafts.ok) return drafts;
  const fresh = drafts.value.filter(({ draft }) => !draft.isThere);
  const { workspaceDir, io, clock, config } = target;
  for (const { draft, title, stub } of fresh)
    post(workspaceDir, io, clock.now(), {
      type: 'change',
      item: draft.id,
      subject: `chore(harness): #${draft.id} imported: ${title}`,
      edit: addEdit(config.paths.backlog, draft.entry, stub),
    });
  const changed =
    fresh.length === 0 ? ok<ChangeResult>({ result: 'already' }) : await applyChange(target, null, COMMAND);
  if (!changed.ok) return changed;
  const items = drafts.value.map(({ draft: { id, testFile, isThere }, title, stub }) => ({
    id,
    testFile,
    title,
    isNew: !isThere,
    hasStub: stub !== null,
  }));
  return ok({ items, changed: changed.value });
}

type Drafted = { readonly draft: Draft; readonly title: string; readonly stub: TestFile | null };

async function draftsOf(
  target: Target,
  wanted: readonly Imported[],
  { verify, stubs }: Pick<From, 'verify' | 'stubs'>,
): Promise<Result<readonly Drafted[]>> {
  const list = await listText(target);
  if (!list.ok) return list;
  const text = list.value;
  const queued: Json[] = [...pendingEntries(target)];
  const drafts: Drafted[] = [];
  for (const one of wanted) {
    const draft = draftOf(target, { text, queued }, { ...NOTHING_MORE, ...one }, verify);
    if (!draft.ok) return draft;
    if (!draft.value.isThere) queued.push(draft.value.entry);
    const { isThere, testFile } = draft.value;
    const stub = stubs && !isThere ? await stubOf(target, one, testFile) : null;
    drafts.push({ draft: draft.value, title: one.title, stub });
  }
  return ok(drafts);
}

const NOTHING_MORE = { dependsOn: [], priority: null, notes: '' };
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
