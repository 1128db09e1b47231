// The text of a commit object, as `git commit-tree` makes it. Pure.
import type { ObjectId } from './git.ts';

const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * `user`: the environment that git would be given (settings.ts). null: git is to make the commit, or to refuse it: the tree or a parent is not
 * named by its full id, no name is given, or the message has a zero byte.
 */
export function commitText(
  user: { readonly [name: string]: string },
  tree: ObjectId,
  parents: readonly ObjectId[],
  message: string,
  now: Date,
): string | null {
  const [author, committer] = ['AUTHOR', 'COMMITTER'].map((role) => {
    const name = withoutCrud(user[`GIT_${role}_NAME`] ?? '');
    return name === '' ? null : `${name} <${withoutCrud(user[`GIT_${role}_EMAIL`] ?? '')}> ${timeOf(now)}`;
  });
  if (author === undefined || author === null || committer === undefined || committer === null) return null;
  if (![tree, ...parents].every((id) => FULL_ID.test(id)) || message.includes('\0')) return null;
  const lines = [
    `tree ${tree}`,
    ...[...new Set(parents)].map((parent) => `parent ${parent}`),
    `author ${author}`,
    `committer ${committer}`,
  ];
  return `${lines.join('\n')}\n\n${message}`;
}

/** What git leaves out of a name: signs that would end it, and what means nothing at its ends. */
const withoutCrud = (text: string): string =>
  text.replace(/^[\0- .,:;<>"\\']+|[\0- .,:;<>"\\']+$/g, '').replace(/[\n<>]/g, '');

/** Seconds since the epoch, and how far the clock on the wall is ahead of UTC. */
function timeOf(now: Date): string {
  const minutes = -now.getTimezoneOffset();
  const two = (n: number): string => String(Math.trunc(n)).padStart(2, '0');
  const zone = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}${two(Math.abs(minutes) % 60)}`;
  return `${Math.floor(now.getTime() / 1000)} ${zone}`;
}
