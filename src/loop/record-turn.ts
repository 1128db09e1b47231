// One turn on its way into the cassette: what was said, what was handed out, and what it changed, taken by the harness itself
// from the tree before and after; never from an agent's words. Also what a harness file held whose text has times in it.
import { Buffer } from 'node:buffer';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { statsOf } from '../host/paths.ts';
import { z } from 'zod/mini';
import { entryOf } from '../model/entry.ts';
import { mapStrings } from '../agents/host/recorder.ts';
import type { RecordedChange, FileContent, RecordedTurn } from '../agents/replay/cassette.ts';
import { contentOf, stateOf } from '../agents/replay/changes.ts';
import { divergence } from '../agents/replay/divergence.ts';
import {
  normalized,
  withoutPaths,
  withoutTimes,
  firstDifference,
  type LocalPaths,
} from '../agents/replay/normalize.ts';
import { agentEnvironment, wholeEnvironment } from '../host/environment.ts';
import { sha256 } from '../host/files.ts';
import { createRedactor } from '../host/redact.ts';
import type { SessionAsk, TurnOutcome } from '../model/action.ts';
import type { AgentEvent } from '../model/event.ts';
import type { Failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { readObjects } from '../repos/objects.ts';
import { entriesBetween, type EntryChange } from '../repos/tree-walk.ts';
import { treeOf } from '../repos/tree.ts';
import { agentOf } from './agent.ts';
import type { RunContext, RunEvents, RunHost, RunRepository, RunSettings, RunStores } from './run-context.ts';
import { protectedFiles } from './protected.ts';
import { eventsIn } from './sessions.ts';
import { emptied, type Recording } from './tape.ts';

/** What must be known from before the turn; kept with the record that begins it. */
export const beforeTurnSchema = z.object({
  prompt: z.string(),
  /** Bytes of the session's events so far. */
  events: z.number(),
  /** Hashes of the harness's own files that are in no tree. */
  own: z.record(z.string(), z.nullable(z.string())),
});
type BeforeTurn = Readonly<z.infer<typeof beforeTurnSchema>>;

export const beforeTurn = (context: RunRepository & RunSettings, folder: string, prompt: string): BeforeTurn => ({
  prompt,
  events: statsOf(eventsOf(folder))?.size ?? 0,
  own: Object.fromEntries(ownFiles(context).map((path) => [path, stateAt(context, path)])),
});

/** `tree`: what the work tree was before. */
export async function recordTurn(
  context: RunRepository & RunSettings & RunHost & RunEvents,
  tape: Recording,
  turn: {
    readonly ask: SessionAsk;
    readonly folder: string;
    readonly outcome: TurnOutcome;
    readonly tree: string;
    readonly before: BeforeTurn;
  },
): Promise<void> {
  const { ask, before, folder, outcome } = turn;
  const agent = agentOf(context.config, ask);
  const env = agentEnvironment(agent.env);
  const own = createRedactor({ ...wholeEnvironment(), ...(env.ok ? env.value : {}) });
  const redact = (text: string): string => own(context.redact(text));
  const places = placesOf(context);
  const clean = <T>(value: T): T => mapStrings(value, (text) => withoutPaths(redact(text), places));
  const said = normalized(redact(before.prompt), places);
  const empty: RecordedTurn = {
    t: 'turn',
    session: ask.session,
    turn: ask.turn,
    role: ask.role,
    item: ask.item,
    provider: agent.provider,
    prompt: { sha256: sha256(said), text: said },
    events: [],
    outcome: { ...clean(outcome), resume: outcome.resume },
    tree: { before: turn.tree, after: '' },
    changes: [],
    unplayable: null,
  };
  const taken = await changesOf(context, turn.tree, before, (text) => redact(text) !== text);
  const line =
    'why' in taken
      ? emptied(empty, taken.why)
      : {
          ...empty,
          tree: { before: turn.tree, after: taken.after },
          changes: taken.changes,
          events: eventsSince(folder, before.events, ask.turn).map(clean),
        };
  tape.add(line);
  const why = tape.turns().find((one) => one.session === ask.session && one.turn === ask.turn)?.unplayable ?? null;
  if (why !== null)
    context.notify({ type: 'turn-unplayable', level: 'critical', session: ask.session, data: { turn: ask.turn, why } });
}

export const placesOf = ({ root }: Pick<RunContext, 'root'>): LocalPaths => ({ root, home: homedir(), tmp: tmpdir() });

type Taken = { readonly after: string; readonly changes: RecordedChange[] } | { readonly why: string };

async function changesOf(
  context: RunRepository & RunSettings,
  tree: string,
  before: BeforeTurn,
  isSecret: (text: string) => boolean,
): Promise<Taken> {
  const after = await treeOf(context.git);
  if (!after.ok) return { why: after.failure.reason };
  const differ = await entriesBetween(context.git, tree, after.value);
  if (!differ.ok) return { why: differ.failure.reason };
  const ids = differ.value.flatMap(({ before: was, after: is }) => [was?.id, is?.id].filter((id) => id !== undefined));
  const read = await readObjects(context.git, ids);
  if (!read.ok) return { why: read.failure.reason };
  const bytes = new Map(ids.map((id, at) => [id, read.value[at]?.bytes ?? null]));
  const own = ownFiles(context)
    .filter((path) => stateAt(context, path) !== (before.own[path] ?? null))
    .map((path) => ({ path, now: contentAt(context, path) }));
  const changes: RecordedChange[] = [];
  for (const entry of differ.value) {
    const change = changeOf(entry, bytes);
    if (change === null) return { why: 'no-plain-file' };
    changes.push(change);
  }
  changes.push(...own);
  for (const { path, now } of changes) {
    const held =
      now === null ? null : Buffer.from(now.base64 ?? now.text ?? '', now.base64 === undefined ? 'utf8' : 'base64');
    // As text and byte by byte: a secret in a binary file is one too.
    if (isSecret(path) || (held !== null && (isSecret(held.toString('utf8')) || isSecret(held.toString('latin1')))))
      return { why: 'secret-in-file' };
  }
  return { after: after.value, changes };
}

const MODES: { readonly [mode: string]: FileContent['mode'] } = {
  '100644': 'file',
  '100755': 'executable',
  '120000': 'link',
};

/** null: it is no file (a submodule), or cannot be read. */
function changeOf(
  { path, before, after }: EntryChange,
  bytes: ReadonlyMap<string, Buffer | null>,
): RecordedChange | null {
  const side = (entry: EntryChange['before']): { mode: FileContent['mode']; held: Buffer } | null | undefined => {
    if (entry === null) return null;
    const [mode, held] = [entryOf(MODES, entry.mode), bytes.get(entry.id)];
    return mode === undefined || held === null || held === undefined ? undefined : { mode, held };
  };
  const [was, now] = [side(before), side(after)];
  // Git shows a name that is no UTF-8 with this sign; it could not be written back.
  if (was === undefined || now === undefined || path.includes('\uFFFD')) return null;
  return {
    path,
    was: was === null ? null : stateOf(was.mode, was.held),
    now: now === null ? null : contentOf(now.mode, now.held),
  };
}

/** Those that an agent may not write, and that are in no tree: what it did to them decides the verdict all the same. */
const ownFiles = (context: RunSettings): readonly string[] =>
  protectedFiles(context)
    .map(({ path }) => path)
    .filter((path) => path.startsWith(`${context.config.paths.stateDir}/`));

function contentAt(context: RunRepository, path: string): FileContent | null {
  const at = join(context.root, path);
  const facts = statsOf(at);
  if (facts?.isSymbolicLink() === true) return { mode: 'link', text: readlinkSync(at) };
  return facts?.isFile() === true
    ? contentOf((facts.mode & 0o100) === 0 ? 'file' : 'executable', readFileSync(at))
    : null;
}

function stateAt(context: RunRepository, path: string): string | null {
  const found = contentAt(context, path);
  return found === null ? null : sha256(JSON.stringify(found));
}

const eventsOf = (folder: string): string => join(folder, 'events.jsonl');

function eventsSince(folder: string, from: number, turn: number): readonly AgentEvent[] {
  const file = eventsOf(folder);
  if (!existsSync(file)) return [];
  return eventsIn(readFileSync(file).subarray(from).toString('utf8')).flatMap(({ ts: _ts, turn: of, ...event }) =>
    of === turn ? [event] : [],
  );
}

/**
 * Files that the harness is about to commit. Where they differ from the recorded ones by times alone, the recorded times
 * are written: the trees are the same then, and what an agent wrote into these files fits.
 */
export function timedFiles(
  context: RunHost & RunStores,
  key: string,
  files: { readonly [path: string]: string },
): Result<{ readonly [path: string]: string }> {
  const { tape } = context;
  if (tape === null) return ok(files);
  const timed = Object.entries(files).filter(([, text]) => withoutTimes(text) !== text);
  if (timed.length === 0) return ok(files);
  const known =
    tape.is === 'recording'
      ? tape.own(key)
      : tape.cassette.own.filter((one) => one.key === key).map((one) => one.files);
  const chosen: { [path: string]: string } = { ...files };
  let wrong: Failure | null = null;
  for (const [path, text] of timed) {
    const texts = known.flatMap((one) => one[path] ?? []);
    const same = texts.find((one) => withoutTimes(one) === withoutTimes(text));
    if (same !== undefined) chosen[path] = same;
    else if (tape.is === 'playing' && texts[0] !== undefined)
      wrong ??= divergence(tape.cassette, 'departed-own', {
        path,
        ...firstDifference(withoutTimes(texts[0]), withoutTimes(text)),
      });
  }
  if (wrong !== null) return err(wrong);
  const texts = Object.fromEntries(timed);
  if (tape.is === 'recording' && known.length === 0 && timed.every(([, text]) => context.redact(text) === text))
    tape.add({ t: 'own', key, files: texts });
  return ok(chosen);
}
