// Commit messages of the harness: subject, body and trailers that read back exactly. Owns what may stand in them.
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import type { CacheKey } from './answer-cache.ts';

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

const COMMITS: CacheKey<readonly CommitRecord[]> = { name: 'commits' };
/** A limit, or a commit by its full id: what they give never changes. */
const FIXED = /^(?:-n\d+|--first-parent|\^?(?:[0-9a-f]{40}|[0-9a-f]{64}))$/;

/** Commits in git's own order for `args` (a revision, a limit, `--first-parent`), newest first. */
export async function readCommits(git: Git, args: readonly string[]): Promise<Result<readonly CommitRecord[]>> {
  const isFixed = args.every((arg) => FIXED.test(arg));
  const known = isFixed ? git.memory.get(COMMITS, args.join(' ')) : undefined;
  if (known !== undefined) return ok(known);
  const read = await logged(git, args);
  if (read.ok && isFixed) git.memory.set(COMMITS, args.join(' '), read.value);
  return read;
}

/** How far back along the branch the harness looks for commits of its own. */
const MOST_BACK = 300;

/** The commits of a branch from its tip back, along first parents. */
export const branchCommits = (git: Git, tip: ObjectId): Promise<Result<readonly CommitRecord[]>> =>
  readCommits(git, ['--first-parent', `-n${MOST_BACK}`, tip]);

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
