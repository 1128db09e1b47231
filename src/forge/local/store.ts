// The records of a local forge, read as a whole and changed by compare-and-swap of the ref that they are on: a change is there completely or
// not at all, whatever is killed, and of two at the same time one is made again on top of the other.
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Waiting } from '../patience.ts';
import type { ForgeGit, RefMove } from './git.ts';
import { fileOf, FOLDERS, FORGE_REF, issueRecord, pullRecord, readRecord, textOf } from './records.ts';
import type { IssueRecord, PullRecord } from './records.ts';

export type ForgeRecords = {
  readonly tip: string | null;
  readonly pulls: ReadonlyMap<number, PullRecord>;
  readonly issues: ReadonlyMap<number, IssueRecord>;
};
/** What a change writes, and what it gives. Nothing to write: it was made before. */
export type Change<T> = {
  readonly value: T;
  readonly pulls?: readonly PullRecord[];
  readonly issues?: readonly IssueRecord[];
  /** Other files, path → text. */
  readonly files?: { readonly [path: string]: string };
  /** Refs that move together with the records. */
  readonly moves?: readonly RefMove[];
  /** Of the commit with the records. */
  readonly message?: string;
};

export type RecordStore = {
  readonly git: ForgeGit;
  readonly waiting: Waiting;
  read(): Promise<Result<ForgeRecords>>;
  /** `decide` may be called several times. */
  change<T>(decide: (state: ForgeRecords) => Promise<Result<Change<T>>>): Promise<Result<T>>;
};

const MOST_TRIES = 12;
const FIRST_MS = 20;
const LONGEST_MS = 2_000;

export function openStore(git: ForgeGit, waiting: Waiting): RecordStore {
  async function read(): Promise<Result<ForgeRecords>> {
    const refs = await git.refs([FORGE_REF]);
    if (!refs.ok) return refs;
    const tip = refs.value.get(FORGE_REF) ?? null;
    const [pulls, issues] = [new Map<number, PullRecord>(), new Map<number, IssueRecord>()];
    if (tip === null) return ok({ tip, pulls, issues });
    const pullFiles = await git.files(tip, FOLDERS.pulls);
    if (!pullFiles.ok) return pullFiles;
    for (const [name, text] of pullFiles.value) {
      const record = readRecord(`${FOLDERS.pulls}/${name}`, text, pullRecord);
      if (!record.ok) return record;
      pulls.set(record.value.number, record.value);
    }
    const issueFiles = await git.files(tip, FOLDERS.issues);
    if (!issueFiles.ok) return issueFiles;
    for (const [name, text] of issueFiles.value) {
      const record = readRecord(`${FOLDERS.issues}/${name}`, text, issueRecord);
      if (!record.ok) return record;
      issues.set(record.value.number, record.value);
    }
    return ok({ tip, pulls, issues });
  }

  async function change<T>(decide: (state: ForgeRecords) => Promise<Result<Change<T>>>): Promise<Result<T>> {
    for (let tries = 1; ; tries += 1) {
      const state = await read();
      if (!state.ok) return state;
      const wanted = await decide(state.value);
      if (!wanted.ok) return wanted;
      const { value, pulls = [], issues = [], files = {}, moves = [], message = 'forge' } = wanted.value;
      const texts = new Map([
        ...pulls.map((one) => [fileOf('pulls', one.number), textOf(one)] as const),
        ...issues.map((one) => [fileOf('issues', one.number), textOf(one)] as const),
        ...Object.entries(files),
      ]);
      if (texts.size === 0) return ok(value);
      const commit = await git.record(state.value.tip, texts, message);
      if (!commit.ok) return commit;
      const pushed = await git.push([...moves, { ref: FORGE_REF, from: state.value.tip, to: commit.value }]);
      if (!pushed.ok) return pushed;
      if (pushed.value === 'moved') return ok(value);
      if (tries === MOST_TRIES || waiting.signal.aborted) return err(failure('forge-busy', { url: git.url }));
      await waiting.sleep(Math.min(FIRST_MS * 2 ** (tries - 1), LONGEST_MS), waiting.signal);
    }
  }

  return { git, waiting, read, change };
}

/** Pull requests and issues share their numbers, as people know it. */
export const nextNumber = ({ pulls, issues }: ForgeRecords): number =>
  Math.max(0, ...pulls.keys(), ...issues.keys()) + 1;

export const branchRef = (branch: string): string => `refs/heads/${branch}`;
export const unknownNumber = (number: number) => err(failure('forge-not-found', { what: `#${number}` }));
