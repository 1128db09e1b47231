// Gathers the facts of the orientation summary.
import { z } from 'zod';
import type { BriefContext } from '../../engine/definitions.ts';
import { Bug } from '../../model/bug.ts';
import type { Item, ItemId } from '../../model/item.ts';
import { problemsSchema } from '../../model/verdict.ts';
import type { CommitFacts, RepositoryView } from '../../model/repository-view.ts';
import { itemFacts } from '../session/facts.ts';
import { isDone } from '../session/surveys.ts';
import type { OrientationFacts } from './orientation.ts';
import { entryOf, parseProgress, recentDecisions, withPending, type ParsedEntry } from './progress.ts';
import { filesInProgress } from '../session/last.ts';

export const orientationInput = z.object({
  item: z.string(),
  session: z.number(),
  last: itemFacts.shape.last,
  /** What was wrong with the last attempt at this item. */
  failed: problemsSchema,
  /** What failed before the session: it is fixed first. */
  first: problemsSchema,
  /** Set for a continuation. */
  partial: itemFacts.shape.partial,
});
export type OrientationInput = z.output<typeof orientationInput>;

const DECISION_SESSIONS = 3;
const COMMITS_READ = 60;
const COMMITS_COMPARED = 5;
const KEY_FILES = 8;
/** Of the log, so that a prompt costs the same after ten sessions and after ten thousand: the last hundreds of entries. */
const LOG_END_BYTES = 256 * 1024;

/** Throws a Bug if the list cannot be read or lacks the item: preflight and selection have checked both. */
export async function gatherOrientation(
  { view, backlog, config: { paths, project }, sentence }: BriefContext,
  input: OrientationInput,
): Promise<OrientationFacts> {
  const [text, log, pending, commits] = await Promise.all([
    view.read(paths.backlog),
    view.read(paths.progress, LOG_END_BYTES),
    view.pendingEntries(paths.progress),
    view.recentCommits(COMMITS_READ),
  ]);
  const progressText = withPending(log, pending, input.session, project.name);
  const read = backlog.read(text ?? '', paths.backlog);
  if (!read.ok) throw new Bug(`${paths.backlog} cannot be read where it was read before`);
  const list = read.value;
  const subject = list.subject(input.item);
  const item = list.items.find(({ id }) => id === input.item);
  if (subject === null || item === undefined) throw new Bug(`no item ${input.item}`);
  const passing = new Set(list.items.filter(isDone).map(({ id }) => id));
  const entries = parseProgress(progressText).filter((entry) => entry.session < input.session);
  const { verification } = subject;
  const own = [paths.backlog, paths.progress];
  return {
    session: input.session,
    project: project.name || (list.project ?? ''),
    passing: passing.size,
    total: list.items.length,
    health:
      input.first.length === 0
        ? 'all baseline tests pass'
        : input.first.length === 1
          ? '1 thing to fix first'
          : `${input.first.length} things to fix first`,
    last: lastSession(input, entries, commits, passing),
    task: {
      id: subject.id,
      title: subject.title,
      testFile: subject.testFile,
      steps: subject.steps,
      ...(subject.notes === undefined ? {} : { notes: subject.notes }),
      verification: verification === 'hybrid' || verification === 'manual' ? verification : 'automated',
      dependencies: item.dependsOn.map((id) => ({ id, passes: passing.has(id) })),
    },
    keyFiles: await keyFiles(
      view,
      own,
      { testFile: subject.testFile, files: subject.files, dependsOn: item.dependsOn },
      commits,
      entries,
    ),
    decisions: recentDecisions(progressText, DECISION_SESSIONS),
    failed: input.failed.map(sentence),
    continuing: await continuing(
      view,
      own,
      input.partial,
      (session) => entryOf(progressText, session) ?? unreadEntry(view, paths.progress, session),
    ),
  };
}

function lastSession(
  input: OrientationInput,
  entries: readonly ParsedEntry[],
  commits: readonly CommitFacts[],
  passing: ReadonlySet<ItemId>,
): OrientationFacts['last'] {
  const entry = input.last === null ? entries.at(-1) : entries.findLast((e) => e.session === input.last?.session);
  const session = input.last?.session ?? entry?.session;
  if (session === undefined) return null;
  const feature = entry?.feature ?? null;
  const completed = feature !== null && passing.has(feature.id);
  const own = commits.filter((c) => sessionOf(c, entries) === session);
  const ended = input.last?.status ?? (completed ? 'complete' : 'partial');
  const reason = input.last?.reason ?? null;
  return {
    session,
    feature,
    completed,
    commits: own.map((c) => c.id),
    status: reason === null || reason === ended ? ended : `${ended} (${reason})`,
  };
}

/** A commit's trailer says its session; without one, the item's newest entry in the log does. */
function sessionOf(commit: CommitFacts, entries: readonly ParsedEntry[]): number | null {
  const told = Number(commit.trailers['Harness-Session'] ?? NaN);
  if (Number.isSafeInteger(told)) return told;
  const item = commit.trailers['Harness-Item'];
  if (item === undefined) return null;
  return entries.findLast((entry) => entry.feature?.id === item)?.session ?? null;
}

/** Files the feature names itself, then files that recent sessions changed: those of its dependencies first. */
async function keyFiles(
  view: RepositoryView,
  ownFiles: readonly string[],
  subject: { readonly testFile: string | null; readonly files?: readonly string[] | undefined } & Pick<
    Item,
    'dependsOn'
  >,
  commits: readonly CommitFacts[],
  entries: readonly ParsedEntry[],
): Promise<OrientationFacts['keyFiles']> {
  const own = new Set([...ownFiles, subject.testFile ?? '', '.gitignore']);
  const wanted = new Set(subject.dependsOn);
  const compared = commits.filter((c) => c.trailers['Harness-Item'] !== undefined).slice(0, COMMITS_COMPARED);
  const changed = await view.changedBy(compared.map((c) => c.id));
  const seen = new Set<string>();
  const found: { path: string; session: number | null; near: boolean }[] = [];
  for (const [place, commit] of compared.entries()) {
    for (const path of changed[place] ?? []) {
      if (seen.has(path) || own.has(path)) continue;
      seen.add(path);
      const near = wanted.has(commit.trailers['Harness-Item'] ?? '');
      found.push({ path, session: sessionOf(commit, entries), near });
    }
  }
  const named = (subject.files ?? []).map((path) => ({
    path,
    session: found.find((f) => f.path === path)?.session ?? null,
    near: true,
  }));
  const names = new Set(named.map((f) => f.path));
  const others = found.filter((f) => !names.has(f.path));
  return [...named, ...others.filter((f) => f.near), ...others.filter((f) => !f.near)]
    .slice(0, KEY_FILES)
    .map(({ path, session }) => ({ path, session }));
}

/** Work that waited for long is described before the end of the log. */
const unreadEntry = async (view: RepositoryView, log: string, session: number): Promise<ParsedEntry | null> =>
  entryOf(await view.read(log), session);

async function continuing(
  view: RepositoryView,
  ownFiles: readonly string[],
  partial: OrientationInput['partial'],
  entryIn: (session: number) => ParsedEntry | null | Promise<ParsedEntry | null>,
): Promise<OrientationFacts['continuing']> {
  if (partial === null) return null;
  const entry = await entryIn(partial.session);
  const changed = await filesInProgress(view, partial);
  return {
    session: partial.session,
    reason: partial.reason,
    done: entry?.did ?? [],
    left: [...(entry?.state ?? []), ...(entry !== null && entry.next !== '' ? [entry.next] : [])],
    files: changed.filter((path) => !ownFiles.includes(path)),
  };
}
