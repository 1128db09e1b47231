// The memory of a machine, layer by layer (docs/memory.md). L1, the session state, is kept in the private folder, where no agent writes: what is
// confirmed is decided by it, and `raw.md` is its copy for people. L2 and L3 are the curator's, in the state folder. L4 is the user's.
// I1 entries of one call are all there or none, and a call of the same token adds nothing. I2 concurrent calls lose nothing: each is under a lock.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../host/clock.ts';
import { readText, textOrEmpty } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import { underShortLock } from '../host/short-lock.ts';
import type { CuratedOutcome, Curation, MemoryNote, MemoryRepair, MemoryView } from '../model/memory.ts';
import { parseJsonFile } from '../model/own-files.ts';
import { ok, type Result } from '../model/result.ts';
import { CAPS } from './caps.ts';
import { fitLayer, promotionsIn, readCuratorFile, tooLong, type CuratorFile } from './curation.ts';
import { openIdentities, type Identities } from './identity.ts';
import { cleanNote, rawFile, rawText } from './notes.ts';
import {
  entriesOf,
  lineOf,
  newestOf,
  prune,
  readRecords,
  RAW_CAPS,
  type MemoryRecord,
  type RawCaps,
} from './records.ts';
import { inspect, repair } from './repair.ts';
import { tricksIn } from './tricks.ts';

/** Tokens of the entries in one brief of a curator. */
const BRIEF_TOKENS = 12_000;

export type MemoryPlace = {
  /** Of the user's work tree: `memory/` in it has the files for people, agents and the curator. */
  readonly stateDir: string;
  /** The private state of this work tree. */
  readonly workspaceDir: string;
  /** The user's folder. */
  readonly personDir: string;
};
export type PromptMemory = {
  readonly identity: string;
  readonly summary: string;
  readonly repairs: readonly MemoryRepair[];
};
export type MemoryFiles = {
  readonly raw: string;
  readonly summary: string;
  readonly memory: string;
  /** The private copy that decides. */
  readonly records: string;
};

export type MemoryLayers = MemoryView & {
  readonly files: MemoryFiles;
  readonly identities: Identities;
  /** `token`: the same for every repetition of the call. */
  append(notes: readonly MemoryNote[], token: string): Result<null>;
  /** For the stable part of a prompt. What is broken is fixed; with `only-looks` only in the answer. */
  forPrompt(role: string, how?: 'only-looks'): Result<PromptMemory>;
  /** `upTo`: the marker of the curator's brief; left out: it has read every entry. `isLast`: what is too long is cut, and what is missing stays as it was. */
  curated(
    text: string,
    about: { readonly session: number; readonly upTo?: number; readonly isLast?: true },
  ): Result<CuratedOutcome>;
  /** Summary and long memory as a prompt would have them, and what is broken in their files. Changes nothing. */
  inspect(): { readonly summary: string; readonly memory: string; readonly repairs: readonly MemoryRepair[] };
  /** The records as they are, for a report. */
  records(): Result<readonly MemoryRecord[]>;
};

const curationFile = z.object({ schema: z.literal(1), at: z.string(), session: z.int(), upTo: z.int() });

export function openMemory(
  about: MemoryPlace & {
    /** The playbook's name and its roles. */
    readonly playbook: string;
    readonly roles: readonly string[];
    readonly io: Io;
    readonly clock: Clock;
    readonly redact: (text: string) => string;
    readonly caps?: RawCaps;
  },
): MemoryLayers {
  const { stateDir, workspaceDir, personDir, playbook, roles, io, clock, redact, caps = RAW_CAPS } = about;
  const [shown, own] = [join(stateDir, 'memory'), join(workspaceDir, 'memory')];
  const files: MemoryFiles = {
    raw: join(shown, 'raw.md'),
    summary: join(shown, 'summary.md'),
    memory: join(shown, 'MEMORY.md'),
    records: join(own, 'raw.jsonl'),
  };
  const curation = join(own, 'curation.json');
  const identities = openIdentities({ io, personDir, playbook });
  const locked = <T>(change: () => Result<T>): Result<T> => underShortLock(own, 'memory', change);

  const read = (): ReturnType<typeof readRecords> => {
    const text = readText(files.records);
    return text.ok ? readRecords(text.value ?? '', files.records) : text;
  };
  const records = (): Result<readonly MemoryRecord[]> => {
    const found = read();
    return found.ok ? ok(found.value.records) : found;
  };
  const last = (): Result<Curation | null> => {
    const text = readText(curation);
    if (!text.ok || text.value === null) return text.ok ? ok(null) : text;
    const parsed = parseJsonFile(text.value, curation, curationFile);
    return parsed.ok ? ok({ at: parsed.value.at, session: parsed.value.session, upTo: parsed.value.upTo }) : parsed;
  };
  /** The copy for people; made again where it is not that of the records. */
  const show = (all: readonly MemoryRecord[]): void => {
    const text = rawFile(entriesOf(all));
    if (textOrEmpty(files.raw) !== text) io.replace(files.raw, text, 'may-be-lost');
  };
  const fixed = (file: string, cap: (typeof CAPS)['summary' | 'memory'], how?: 'only-looks') => {
    const seen = inspect(file, cap);
    if (seen.broken === null || how === 'only-looks') return ok(seen);
    return locked(() => {
      const found = inspect(file, cap);
      repair(io, file, found);
      return ok(found);
    });
  };

  const inspected = (): ReturnType<MemoryLayers['inspect']> => {
    const [summary, memory] = [inspect(files.summary, CAPS.summary), inspect(files.memory, CAPS.memory)];
    const repairs = [...summary.repairs, ...memory.repairs];
    return { summary: summary.text.trim(), memory: memory.text.trim(), repairs };
  };

  return {
    files,
    identities,
    records,
    append(notes, token) {
      const clean = notes.map((note) => cleanNote(note, redact)).filter(({ lines }) => lines.length > 0);
      if (clean.length === 0) return ok(null);
      return locked(() => {
        const found = read();
        if (!found.ok) return found;
        const { records: before, isTorn } = found.value;
        if (before.some((one) => one.token === token)) {
          show(before);
          return ok(null);
        }
        const n = newestOf(before) + 1;
        const entries = clean.map((note, at) => ({ ...note, n: n + at }));
        const all = [...before, { token, at: clock.iso(), entries }];
        const kept = prune(all, caps);
        if (isTorn || kept !== all) io.replace(files.records, kept.map(lineOf).join(''));
        else io.append(files.records, all.slice(-1).map(lineOf).join(''));
        show(kept);
        return ok(null);
      });
    },
    forPrompt(role, how) {
      const summary = fixed(files.summary, CAPS.summary, how);
      if (!summary.ok) return summary;
      const identity = identities.forPrompt(role, how);
      if (!identity.ok) return identity;
      const repairs = [...summary.value.repairs, ...identity.value.repairs];
      return ok({ identity: identity.value.text, summary: summary.value.text.trim(), repairs });
    },
    curated(text, { session, upTo, isLast }) {
      const all = records();
      if (!all.ok) return all;
      const { file, problems: wrong } = readCuratorFile(redact(text));
      const long = (['Summary', 'Memory'] as const).flatMap((one) => tooLong(one, file[one]) ?? []);
      const problems = [...wrong, ...long];
      if (problems.length > 0 && isLast !== true)
        return ok({ isWritten: false, problems, repairs: [], promoted: [], refused: [] });
      const { promoted, refused } = promotionsIn(file.Promote, tricksIn(entriesOf(all.value)), roles);
      const repairs: MemoryRepair[] = [];
      // The identities first: what is promoted is not lost if a crash comes before the rest, which is then done again.
      for (const role of new Set(promoted.map((one) => one.role))) {
        const learnt = identities.learn(
          role,
          promoted.flatMap((one) => (one.role === role ? [one.trick] : [])),
        );
        if (!learnt.ok) return learnt;
        repairs.push(...learnt.value);
      }
      const written = locked(() => {
        const known = last();
        if (!known.ok) return known;
        const reached = Math.min(upTo ?? newestOf(all.value), newestOf(all.value));
        const done: Curation = { at: clock.iso(), session, upTo: Math.max(reached, known.value?.upTo ?? 0) };
        const isSame = known.value?.session === session && known.value.upTo === done.upTo;
        io.replaceAll([
          ...layersOf(file, files),
          ...(isSame ? [] : [{ path: curation, text: `${JSON.stringify({ schema: 1, ...done }, null, 2)}\n` }]),
        ]);
        return ok(null);
      });
      if (!written.ok) return written;
      for (const problem of long) {
        const path = problem.params['section'] === 'Summary' ? files.summary : files.memory;
        repairs.push({ file: path, why: 'too-long' });
      }
      return ok({ isWritten: true, problems, repairs, promoted, refused });
    },
    rawSince(marker, tokens = BRIEF_TOKENS) {
      const all = records();
      if (!all.ok) return all;
      const known = marker === undefined ? last() : ok(null);
      if (!known.ok) return known;
      return ok(rawText(entriesOf(all.value), marker ?? known.value?.upTo ?? 0, tokens));
    },
    freshness() {
      const all = records();
      if (!all.ok) return all;
      const known = last();
      if (!known.ok) return known;
      const upTo = known.value?.upTo ?? 0;
      const fresh = entriesOf(all.value).filter(({ n }) => n > upTo).length;
      return ok({ fresh, upTo: newestOf(all.value), last: known.value });
    },
    tricks() {
      const all = records();
      return all.ok ? ok(tricksIn(entriesOf(all.value))) : all;
    },
    curatedTexts() {
      const { summary, memory } = inspected();
      return ok({ summary, memory });
    },
    inspect: inspected,
  };
}

/** Whether anything was ever remembered here. */
export const hasMemory = ({ files }: Pick<MemoryLayers, 'files'>): boolean =>
  [files.records, files.summary, files.memory].some((file) => existsSync(file));

/** Replaced one after the other; a section that is missing leaves its file as it is. */
function layersOf(file: CuratorFile, files: MemoryFiles): readonly { readonly path: string; readonly text: string }[] {
  return (['Memory', 'Summary'] as const).flatMap((section) => {
    const text = file[section];
    if (text === null) return [];
    const path = section === 'Summary' ? files.summary : files.memory;
    return [{ path, text: `${fitLayer(section, text)}\n` }];
  });
}
