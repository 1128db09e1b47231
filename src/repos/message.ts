// Commit messages of the harness: subject, body and trailers that read back exactly. Owns what may stand in them.
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';

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

/** Commits in git's own order for `args` (a revision, a limit, `--first-parent`), newest first. */
export async function readCommits(git: Git, args: readonly string[]): Promise<Result<CommitRecord[]>> {
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
