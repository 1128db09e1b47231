// Facts that the loop and the features machine read. Each decides nothing beyond what it read.
import { z } from 'zod';
import { defineSurvey, type ReadContext } from '../../engine/definitions.ts';
import { nextFacts, nextInput } from '../../engine/playbook.ts';
import { CLEANUP, type Item } from '../../model/item.ts';
import { PROVISIONAL, provisionalOf } from '../../model/provisional.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import { factsOf, readItem } from '../session/item/facts.ts';
import { chooseNext, workOfEnded } from '../session/item/next.ts';
import { scriptState } from '../session/scripts.ts';
import { filesFacts, isDone, listOf, missingFiles } from '../session/surveys.ts';

/** Which item is next. One that was left partly done is continued before any other. */
export const next = defineSurvey({
  id: 'features.next',
  input: nextInput,
  facts: nextFacts,
  read: (context, wanted) =>
    chooseNext(context, wanted, {
      list: { requireTestFile: true },
      leftover: leftoverOf,
      choose({ prompt, first, found, named }) {
        const { only, taken } = wanted;
        const isCleanup = only === CLEANUP || (only === null && prompt === 'cleanup');
        if (isCleanup && !taken.includes(CLEANUP)) return found(CLEANUP);
        return only === null ? found(first()) : named(only);
      },
    }),
});

/** How many commits are searched for unfinished work: older work was left on purpose. */
const COMMITS_READ = 200;

/** An item that is not continued (skipped, or done by other means), with work of its sessions; null: there is none. */
async function leftoverOf(context: ReadContext, items: readonly Item[]): Promise<string | null> {
  const wip = await workOfEnded(context, items);
  if (wip !== null) return wip;
  const {
    view,
    config: { paths },
  } = context;
  // What an older version left on the branch.
  const skipped = new Set(items.filter(({ status }) => status === 'skipped').map(({ id }) => id));
  if (skipped.size === 0) return null;
  const commits = await view.recentCommits(COMMITS_READ);
  const named = new Set(commits.map(({ trailers }) => trailers[PROVISIONAL] ?? '').filter((id) => skipped.has(id)));
  for (const id of named) {
    const changed = await view.changedBy(provisionalOf(commits, id).map((commit) => commit.id));
    if (changed.flat().some((path) => path !== paths.backlog && path !== paths.progress)) return id;
  }
  return null;
}

/** The item, and what its last session left. */
export const item = defineSurvey({
  id: 'features.item',
  input: z.object({ item: z.string() }),
  facts: readItem,
  read: (context, { item: id }) => factsOf(context, id, { requireTestFile: true }),
});

/** `nothing-claimed` where the list has no claim; other problems where the list differs in more than the claim. */
export const claim = defineSurvey({
  id: 'features.claim',
  /** `before`: a revision with the list as it was when the session started. */
  input: z.object({ before: z.string(), item: z.string() }),
  facts: z.object({ problems: problemsSchema }),
  async read({ view, backlog, config }, { before, item: id }): Promise<{ problems: readonly Problem[] }> {
    // In a list without claims the end of the turn is the claim.
    if (backlog.claim === undefined) return { problems: [] };
    const file = config.paths.backlog;
    const was = await view.readAt(before, file);
    if (was === null) return { problems: [{ code: 'backlog-unreadable', params: { why: 'missing-before' } }] };
    return { problems: backlog.claim(was, await view.read(file), id) };
  },
});

/** Preflight 2. A project that was set up for this machine has its log and scripts too. */
export const files = defineSurvey({
  id: 'features.files',
  input: z.object({}),
  facts: filesFacts,
  async read(context) {
    const { playbook, paths, environment } = context.config;
    const isOwnList = playbook.backlog === playbook.machine;
    const missing = await missingFiles(context, isOwnList ? [paths.progress] : []);
    const notExecutable: string[] = [];
    for (const command of isOwnList ? [environment.init, environment.reset] : []) {
      const state = await scriptState(context.view, command);
      if (state.is === 'missing') missing.push(state.path);
      if (state.is === 'not-executable') notExecutable.push(state.path);
    }
    return { missing, notExecutable };
  },
});

/** Whether the landing of an item makes a cleanup due: after every `quality.cleanup_interval` items. */
export const cleanupDue = defineSurvey({
  id: 'features.cleanup-due',
  input: z.object({}),
  facts: z.object({ isDue: z.boolean() }),
  async read(context) {
    const interval = context.config.quality.cleanupInterval;
    const list = await listOf(context);
    const done = list.ok ? list.value.items.filter(isDone).length : 0;
    return { isDue: interval > 0 && done > 0 && done % interval === 0 };
  },
});

export const fileSize = z.object({ path: z.string(), lines: z.number() });
const MOST_LARGE_FILES = 30;

/** Files longer than the limit, the longest first, by the last count. */
export const largeFiles = defineSurvey({
  id: 'features.large-files',
  input: z.object({}),
  facts: z.object({ largeFiles: z.array(fileSize).readonly() }),
  async read({ view, config: { quality } }) {
    const sizes = z.looseObject({ files: z.record(z.string(), z.looseObject({ lines: z.number() })) });
    const read = sizes.safeParse(parsedOrNull((await view.record('file_sizes.json'))?.text ?? null));
    const counted = read.success ? Object.entries(read.data.files) : [];
    const large = counted
      .filter(([, { lines }]) => lines > quality.maxFileLines)
      .sort((a, b) => b[1].lines - a[1].lines);
    return { largeFiles: large.slice(0, MOST_LARGE_FILES).map(([path, { lines }]) => ({ path, lines })) };
  },
});

function parsedOrNull(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null; // it is counted again at the next landing
  }
}
