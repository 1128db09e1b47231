// Commit messages of the harness: subject, body and trailers that read back exactly. Owns what may stand in them.
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import type { CacheKey } from './answer-cache.ts';
import { readObjects } from './objects.ts';

/** The trailer with the hash of the commit's evidence. */
export const EVIDENCE_TRAILER = 'Harness-Evidence';

export type Trailers = { readonly [name: string]: string };

/** Trailers without a value are left out. Subject and values become one line each. */
export function writeMessage(subject: string, body: string, trailers: Trailers): string {
  const lines = Object.entries(trailers).flatMap(([name, value]) =>
    value === '' ? [] : [`${name}: ${oneLine(value)}`],
  );
  const parts = [oneLine(subject), body.replaceAll('\0', '').trim(), lines.join('\n')];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const oneLine = (text: string): string => text.replace(/[\0\s]+/g, ' ').trim();

export type CommitRecord = {
  readonly commit: ObjectId;
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly subject: string;
  /** ISO 8601 with the committer's offset. */
  readonly at: string;
  readonly trailers: Trailers;
};

/** Unit, record and trailer separators: characters git strips from no message but people do not type. */
const FIELD = '\x1f';
const RECORD = '\x1e';
const FORMAT = `%H%x1f%T%x1f%P%x1f%s%x1f%cI%x1f%(trailers:only,unfold,separator=%x1d,key_value_separator=%x1c)%x1e`;

/** Of many lanes: each asks of commits of its own between two landings. */
const COMMITS: CacheKey<readonly CommitRecord[]> = { name: 'commits', kept: 32 };
/** A limit, or a commit by its full id: what they give never changes. */
const FIXED = /^(?:-n\d+|--first-parent|\^?(?:[0-9a-f]{40}|[0-9a-f]{64}))$/;

/** Commits in git's own order for `args` (a revision, a limit, `--first-parent`), newest first. */
export async function readCommits(git: Git, args: readonly string[]): Promise<Result<readonly CommitRecord[]>> {
  const isFixed = args.every((arg) => FIXED.test(arg));
  const known = isFixed ? git.objects.get(COMMITS, args.join(' ')) : undefined;
  if (known !== undefined) return ok(known);
  const read = await logged(git, args);
  if (read.ok && isFixed) git.objects.set(COMMITS, args.join(' '), read.value);
  return read;
}

/** How far back along the branch the harness looks for commits of its own. */
const MOST_BACK = 300;

const alongBranch = (tip: ObjectId): readonly string[] => ['--first-parent', `-n${MOST_BACK}`, tip];

/** The commits of a branch from its tip back, along first parents. */
export const branchCommits = (git: Git, tip: ObjectId): Promise<Result<readonly CommitRecord[]>> =>
  readCommits(git, alongBranch(tip));

/** The newest commits: where no merge is among them, they are those of the branch. */
export async function newestCommits(git: Git, tip: ObjectId, limit: number): Promise<Result<readonly CommitRecord[]>> {
  const branch = limit <= MOST_BACK ? await branchCommits(git, tip) : ok([]);
  if (!branch.ok) return branch;
  const newest = branch.value.slice(0, limit);
  const isWhole = newest.length === limit || newest.at(-1)?.parents.length === 0;
  return isWhole && newest.every(({ parents }) => parents.length <= 1)
    ? ok(newest)
    : readCommits(git, [`-n${limit}`, tip]);
}

/** A commit that the harness has just made, with `writeMessage`: what git would say of the branch that it is the tip of. */
export async function rememberCommit(
  git: Git,
  made: Pick<CommitRecord, 'commit' | 'tree' | 'parents'>,
  said: { readonly subject: string; readonly trailers: Trailers },
): Promise<void> {
  const before = git.objects.get(COMMITS, alongBranch(made.parents[0] ?? '').join(' '));
  const read = before === undefined ? ok([]) : await readObjects(git, [made.commit]);
  const text = read.ok ? read.value[0]?.bytes.toString('utf8') : undefined;
  const [, seconds, zone] = /\ncommitter [^\n]*> (\d+) ([+-]\d{4})\n/.exec(text ?? '') ?? [];
  if (before === undefined || seconds === undefined || zone === undefined) return;
  const trailers = Object.entries(said.trailers).flatMap(([name, value]) =>
    value === '' ? [] : [[name, oneLine(value)] as const],
  );
  const record: CommitRecord = {
    ...made,
    subject: oneLine(said.subject),
    at: timeIn(Number(seconds), zone),
    trailers: Object.fromEntries(trailers),
  };
  git.objects.set(COMMITS, alongBranch(made.commit).join(' '), [record, ...before].slice(0, MOST_BACK));
}

/** ISO 8601 with the offset, as git prints it. */
function timeIn(seconds: number, zone: string): string {
  const minutes = Number(`${zone[0]}1`) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3)));
  const there = new Date((seconds + minutes * 60) * 1_000).toISOString();
  return there.replace(/\.\d+Z$/, `${zone.slice(0, 3)}:${zone.slice(3)}`);
}

async function logged(git: Git, args: readonly string[]): Promise<Result<readonly CommitRecord[]>> {
  const out = await git.run(['log', `--format=${FORMAT}`, '--no-color', '--no-decorate', ...args, '--']);
  if (!out.ok) return out;
  const records = out.value.split(RECORD).map((text) => text.replace(/^\n/, ''));
  return ok(
    records.flatMap((text) => {
      const [commit = '', tree = '', parents = '', subject = '', at = '', trailers = ''] = text.split(FIELD);
      if (commit === '') return [];
      return [{ commit, tree, parents: parents.split(' ').filter(Boolean), subject, at, trailers: pairs(trailers) }];
    }),
  );
}

/** Of a repeated trailer the last one counts: the harness writes its own at the end. */
function pairs(text: string): Trailers {
  const entries = text.split('\x1d').map((pair) => pair.split('\x1c'));
  return Object.fromEntries(entries.flatMap(([name = '', value = '']) => (name === '' ? [] : [[name, value]])));
}
