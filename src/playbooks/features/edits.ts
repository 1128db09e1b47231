// The harness's own changes to its committed files, as absolute texts: doing one twice is doing it once.
import type { ItemChange } from '../../model/item.ts';
import type { Backlog, Edit, Listing } from '../../engine/playbook.ts';
import { Bug } from '../../model/bug.ts';
import { failure, Impossible } from '../../model/failure.ts';
import type { World } from '../../model/world.ts';
import { backlog as features } from './backlog.ts';
import { changeFeatures } from './change.ts';
import { isDecided } from '../../model/decided.ts';
import { ignores } from './initialised.ts';
import { acceptInput, entryInput, flagInput, initEditInput } from './inputs.ts';
import { agentEntry, appendEntry, entryOf, looseNote, progressDate, type ProgressEntry } from './progress.ts';
import { readFeatures } from './read.ts';
import { select } from './select.ts';
import type { Feature } from './schema.ts';

type EntryInput = ReturnType<typeof entryInput.parse>;

/** What a session writes into list and log, whatever the list's format. */
export function sessionEdits(backlog: Backlog) {
  /** The item landed: what says so in the list, and the log entry of its session, on top of the files at `base`. */
  const accept: Edit = async (world, input) => {
    const given = acceptInput.parse(input);
    const before = (await world.readAt(given.base, given.backlog)) ?? (await ignoredText(world, given.backlog));
    const landed = backlog.change(before, given.item, { type: 'landed', at: given.at });
    return { [given.backlog]: landed, [given.progress]: await progressText(world, given, listIn(landed)) };
  };
  /** The session ended without landing: the log entry alone. */
  const logEntry: Edit = async (world, input) => {
    const given = entryInput.parse(input);
    const text = await world.readAt(given.base, given.backlog);
    return { [given.progress]: await progressText(world, given, listIn(text)) };
  };
  const listIn = (text: string | null): Listing | null => {
    const read = backlog.read(text ?? '', '');
    return read.ok ? read.value : null;
  };
  return { accept, 'log-entry': logEntry };
}

/** A list that git ignores is in no checkpoint: then it is nobody's to write while a session runs, and is as it was. */
async function ignoredText(world: World, path: string): Promise<string> {
  const text = await world.read(path);
  if (text === null) throw new Bug(`${path} is not there`);
  return text;
}

/** Session 0: the state folder is ignored, the log has a header and an entry 0. */
const init: Edit = async (world, input) => {
  const given = initEditInput.parse(input);
  const [gitignore, progress, text] = await Promise.all([
    world.read('.gitignore'),
    world.read(given.progress),
    world.read(given.backlog),
  ]);
  const features = featuresIn(text);
  const entry: ProgressEntry = {
    session: 0,
    date: progressDate(given.at),
    feature: null,
    did: [`Set up the project: ${features.length} features in ${given.backlog}`],
    verification: '',
    decisions: [],
    state: ['No feature is implemented yet'],
    next: nextText(features),
  };
  return {
    '.gitignore': ignored(gitignore, given.stateDir),
    [given.progress]: appendEntry(progress, entry, given.project),
  };
};

/** A decision of a person, or a regression, written on the item. One that stands already, or whose item is gone, changes nothing. */
const flag: Edit = async (world, input) => {
  const given = flagInput.parse(input);
  const file = given.backlog;
  const text = given.base === null ? await world.read(file) : await world.readAt(given.base, file);
  if (text === null) throw new Impossible(failure('backlog-missing', { file }, { at: { file } }));
  const read = readFeatures(text, file, { requireTestFile: false, allowCycles: true });
  if (!read.ok) throw new Impossible(read.failure);
  const change: ItemChange = given.change;
  const feature = read.value.features.find((f) => String(f.id) === given.item);
  const isIdle = feature === undefined || isDecided(feature, change);
  return { [file]: isIdle ? text : changeFeatures(text, given.item, change) };
};

export const edits = { ...sessionEdits(features), init, flag } as const satisfies { readonly [name: string]: Edit };

/** The log at `base` with one entry: in the agent's words if it wrote a good one, in the harness's own if not. */
async function progressText(world: World, given: EntryInput, list: Listing | null): Promise<string> {
  const [base, current] = await Promise.all([world.readAt(given.base, given.progress), world.read(given.progress)]);
  const item = list?.items.find(({ id }) => id === given.item);
  const own: ProgressEntry = {
    session: given.session,
    date: progressDate(given.at),
    feature: item === undefined ? null : { id: item.id, title: item.title },
    did: given.entry.did,
    verification: given.entry.verification,
    decisions: given.entry.decisions,
    state: given.entry.state,
    next: given.entry.next || nextOf(list),
  };
  const theirs = agentEntry(current, base, given.session);
  const note = theirs === null ? looseNote(current, base) : [];
  const noted = (lines: readonly string[]) => ({ ...own, state: [...own.state, ...lines] });
  // A life that died before its commit wrote this very entry: it stands there as it is to be.
  const known = (entryOf(current, own.session)?.state ?? []).filter((line) => line.startsWith(NOTED));
  if (current !== null && appendEntry(base, noted(known), given.project) === current) return current;
  const lines = note.map((line) => `${NOTED}${line}`);
  return appendEntry(base, theirs === null ? noted(lines) : merged(own, theirs), given.project);
}

const NOTED = 'Noted by the agent: ';

/** Deeds and decisions are the agent's to tell; number, date, feature and verified facts are the harness's. */
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

function featuresIn(text: string | null): readonly Feature[] {
  const read = readFeatures(text ?? '', '', { requireTestFile: false });
  return read.ok ? read.value.features : [];
}

function nextText(features: readonly Feature[]): string {
  const { next } = select(features);
  return next === null ? '' : `Feature #${next.id} (${next.description})`;
}

function ignored(text: string | null, folder: string): string {
  if (ignores(text, folder)) return text ?? '';
  const base = text ?? '';
  const eol = base.includes('\r\n') ? '\r\n' : '\n';
  return `${base}${base === '' || base.endsWith('\n') ? '' : eol}${folder}/${eol}`;
}
