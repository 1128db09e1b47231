// The harness's own changes to its committed files, as whole texts.
import { z } from 'zod';
import type { Listing } from '../../engine/backlog.ts';
import { defineEdit, type ReadContext } from '../../engine/definitions.ts';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { ignores } from './initialised.ts';
import {
  agentEntry,
  appendEntry,
  entryOf,
  looseNote,
  progressDate,
  withPending,
  type ProgressEntry,
} from './progress.ts';

const entryInput = z.object({
  /** null: the session was on no item. */
  item: z.string().nullable(),
  session: z.number(),
  /** When the session ended, ISO 8601. */
  at: z.string(),
  /** The revision whose files are changed: the checkpoint of the session. */
  base: z.string(),
  verification: z.string(),
  /** Facts of the harness: part of the entry even if the agent wrote it. */
  state: z.array(z.string()).readonly(),
});
type EntryInput = z.output<typeof entryInput>;

/** The item landed: its entry in the list, and the log entry of its session. */
export const accept = defineEdit({
  id: 'features.accept',
  input: entryInput.extend({ item: z.string() }),
  async texts(context, given) {
    const { view, backlog, config } = context;
    const file = config.paths.backlog;
    // A list that git ignores is in no checkpoint. Agents may not write it during their session, so it is unchanged.
    const before = (await view.readAt(given.base, file)) ?? (await view.read(file));
    if (before === null) return err(failure('backlog-missing', { file }, { at: { file } }));
    const landed = backlog.change(before, given.item, { type: 'landed', at: given.at });
    const progress = await progressText(context, given, listIn(context, landed));
    return ok({ [file]: landed, [config.paths.progress]: progress });
  },
});

/** The item is done in a pull request: its flag alone, and the log as it was, so that pull requests of several items can be merged in any order. */
export const propose = defineEdit({
  id: 'features.propose',
  input: z.object({ item: z.string(), base: z.string() }),
  async texts({ view, backlog, config }, { item, base }) {
    const { backlog: file, progress } = config.paths;
    const [before, log] = await Promise.all([view.readAt(base, file), view.readAt(base, progress)]);
    if (before === null) return err(failure('backlog-missing', { file }, { at: { file } }));
    const landed = backlog.change(before, item, { type: 'landed' });
    return ok({ [file]: landed, ...(log === null ? {} : { [progress]: log }) });
  },
});

/** A cleanup landed: the log with the entry of its session. */
export const logEntry = defineEdit({
  id: 'features.log-entry',
  input: entryInput,
  async texts(context, given) {
    const { view, config } = context;
    const text = await view.readAt(given.base, config.paths.backlog);
    return ok({ [config.paths.progress]: await progressText(context, given, listIn(context, text)) });
  },
});

/** The session ended without a landing: its entry alone, for the next landing. */
export const pendingEntry = defineEdit({
  id: 'features.pending-entry',
  input: entryInput,
  async texts(context, given) {
    const { view, config } = context;
    const text = await view.readAt(given.base, config.paths.backlog);
    const log = await progressText(context, given, listIn(context, text));
    return ok({ [config.paths.progress]: entryOf(log, given.session)?.raw ?? '' });
  },
});

/** Session 0: the state folder is ignored, the log has a header and an entry 0. */
export const initFiles = defineEdit({
  id: 'features.init',
  input: z.object({ at: z.string() }),
  async texts(context, { at }) {
    const { view, config } = context;
    const { backlog, progress, stateDir } = config.paths;
    const [gitignore, log, text] = await Promise.all([
      view.read('.gitignore'),
      view.read(progress),
      view.read(backlog),
    ]);
    const list = listIn(context, text);
    const entry: ProgressEntry = {
      session: 0,
      date: progressDate(at),
      feature: null,
      did: [`Set up the project: ${list?.items.length ?? 0} features in ${backlog}`],
      verification: '',
      decisions: [],
      state: ['No feature is implemented yet'],
      next: nextOf(list),
    };
    return ok({
      '.gitignore': ignored(gitignore, stateDir),
      [progress]: appendEntry(log, entry, config.project.name),
    });
  },
});

const listIn = ({ backlog }: ReadContext, text: string | null): Listing | null => {
  const read = backlog.read(text ?? '', '');
  return read.ok ? read.value : null;
};

/** The log at `base` with one entry: the agent's if it is valid, else one of the harness. */
async function progressText({ view, config }: ReadContext, given: EntryInput, list: Listing | null): Promise<string> {
  const file = config.paths.progress;
  const [before, current, pending] = await Promise.all([
    view.readAt(given.base, file),
    view.read(file),
    view.pendingEntries(file),
  ]);
  const base = withPending(before, pending, given.session, config.project.name);
  const item = list?.items.find(({ id }) => id === given.item);
  const own: ProgressEntry = {
    session: given.session,
    date: progressDate(given.at),
    feature: item === undefined ? null : { id: item.id, title: item.title },
    did: [],
    verification: given.verification,
    decisions: [],
    state: given.state,
    next: nextOf(list),
  };
  const theirs = agentEntry(current, before, given.session);
  const note = theirs === null ? looseNote(current, before) : [];
  const noted = (lines: readonly string[]) => ({ ...own, state: [...own.state, ...lines] });
  // A process that crashed before its commit already wrote this entry.
  const known = (entryOf(current, own.session)?.state ?? []).filter((line) => line.startsWith(NOTED));
  if (current !== null && appendEntry(base, noted(known), config.project.name) === current) return current;
  const lines = note.map((line) => `${NOTED}${line}`);
  return appendEntry(base, theirs === null ? noted(lines) : merged(own, theirs), config.project.name);
}

const NOTED = 'Noted by the agent: ';

/** The agent reports what it did and decided; number, date, feature and verified facts come from the harness. */
function merged(own: ProgressEntry, theirs: ProgressEntry): ProgressEntry {
  const facts = new Set(own.state);
  return {
    ...own,
    did: theirs.did,
    verification: own.verification || theirs.verification,
    decisions: theirs.decisions.length > 0 ? theirs.decisions : own.decisions,
    state: [...theirs.state.filter((line) => !facts.has(line)), ...own.state],
    next: theirs.next || own.next,
  };
}

function nextOf(list: Listing | null): string {
  const next = list?.next() ?? null;
  const title = list?.items.find(({ id }) => id === next)?.title ?? '';
  return next === null ? '' : `Feature #${next} (${title})`;
}

function ignored(text: string | null, folder: string): string {
  if (ignores(text, folder)) return text ?? '';
  const base = text ?? '';
  const eol = base.includes('\r\n') ? '\r\n' : '\n';
  return `${base}${base === '' || base.endsWith('\n') ? '' : eol}${folder}/${eol}`;
}
