// Many objects of the repository in one look, byte for byte.
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Reading } from '../host/answering-process.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { idFromFiles } from './ref-files.ts';

export type GitObject = { readonly id: ObjectId; readonly type: string; readonly bytes: Buffer };

/** Names that mean the same in every work tree: ids, and refs that all of them share. */
const SHARED = /^(?:-$|(?:[0-9a-f]{40}|[0-9a-f]{64}|refs\/(?:heads|harness)\/[^:^]+)(?::|\^\{\w+\}$|$))/;
const OF_HEAD = /^HEAD(?=$|\^\{|:)/;

/** One for each name (`<rev>`, `<rev>:<path>`), in this order; null where there is none. Names with line ends find nothing. */
export async function readObjects(git: Git, names: readonly string[]): Promise<Result<readonly (GitObject | null)[]>> {
  if (names.length === 0) return ok([]);
  const head = names.some((name) => OF_HEAD.test(name)) ? (idFromFiles(git, 'HEAD') ?? 'HEAD') : 'HEAD';
  const plain = names.map((name) => (name.includes('\n') ? '-' : name.replace(OF_HEAD, head)));
  const question = plain.map((name) => `${name}\n`).join('');
  // One git answers for all work trees: to start another takes as long as hundreds of answers.
  const asked = plain.every((name) => SHARED.test(name)) ? (git.lands?.user ?? git) : git;
  const found = await asked.ask(['cat-file', '--batch'], question, (printed) => objectsIn(printed, names.length));
  if (found !== null) return ok(found);
  const out = await git.run(['cat-file', '--batch'], { stdin: question, encoding: 'latin1' });
  if (!out.ok) return out;
  const read = objectsIn(Buffer.from(out.value, 'latin1'), names.length);
  if ('answer' in read) return ok(read.answer);
  return err(failure('git-failed', { command: 'git cat-file --batch', exit: 0, words: 'cut short' }));
}

/** What `cat-file --batch` prints for so many names. */
function objectsIn(printed: Buffer, count: number): Reading<readonly (GitObject | null)[]> {
  const found: (GitObject | null)[] = [];
  let at = 0;
  while (found.length < count) {
    const end = printed.indexOf(10, at);
    if (end < 0) return { needs: printed.length + 1 };
    const [, id, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(printed.toString('latin1', at, end)) ?? [];
    at = end + 1;
    if (id === undefined || type === undefined) {
      found.push(null);
      continue;
    }
    const next = at + Number(size) + 1;
    if (next > printed.length) return { needs: next };
    found.push({ id, type, bytes: printed.subarray(at, next - 1) });
    at = next;
  }
  return { answer: found };
}

/** An object that only the cache knows may be gone: a git of the user may have pruned it, with all that is in it. */
export async function isObject(git: Git, id: ObjectId): Promise<boolean> {
  if (existsSync(join(git.commonDir, 'objects', id.slice(0, 2), id.slice(2)))) return true;
  return (await git.run(['cat-file', '-e', id])).ok;
}

/** The same where objects may be damaged: one that git cannot read is null and spoils no other. */
export async function readEach(git: Git, ids: readonly ObjectId[]): Promise<readonly (GitObject | null)[]> {
  const all = await readObjects(git, ids);
  if (all.ok) return all.value;
  const found: (GitObject | null)[] = [];
  for (const id of ids) {
    const one = await readObjects(git, [id]);
    found.push(one.ok ? (one.value[0] ?? null) : null);
  }
  return found;
}

/** The id that git gives to an object with these bytes; `like`: an id of the same repository. */
export function objectIdOf(type: string, bytes: Uint8Array, like: ObjectId): ObjectId {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}
