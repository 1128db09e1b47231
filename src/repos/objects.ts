// Many objects of the repository in one look, byte for byte.
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';

export type GitObject = { readonly id: ObjectId; readonly type: string; readonly bytes: Buffer };

/** One for each name (`<rev>`, `<rev>:<path>`), in this order; null where there is none. Names with line ends find nothing. */
export async function readObjects(git: Git, names: readonly string[]): Promise<Result<readonly (GitObject | null)[]>> {
  if (names.length === 0) return ok([]);
  const stdin = names.map((name) => `${name.includes('\n') ? '-' : name}\n`).join('');
  const out = await git.run(['cat-file', '--batch'], { stdin, encoding: 'latin1' });
  if (!out.ok) return out;
  const all = Buffer.from(out.value, 'latin1');
  const found: (GitObject | null)[] = [];
  let at = 0;
  for (const _ of names) {
    const end = all.indexOf(10, at);
    if (end < 0) return err(failure('git-failed', { command: 'git cat-file --batch', exit: 0, words: 'cut short' }));
    const [, id, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(all.toString('latin1', at, end)) ?? [];
    at = end + 1;
    if (id === undefined || type === undefined) {
      found.push(null);
      continue;
    }
    found.push({ id, type, bytes: all.subarray(at, at + Number(size)) });
    at += Number(size) + 1;
  }
  return ok(found);
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

export type TreeFile = { readonly path: string; readonly mode: string; readonly id: ObjectId };

/** Every file below a tree, or those of these paths that are there, sorted as git sorts. */
export async function filesOfTree(
  git: Git,
  tree: string,
  paths: readonly string[] = [],
): Promise<Result<readonly TreeFile[]>> {
  const out = await git.run(['--literal-pathspecs', 'ls-tree', '-r', '-z', '--full-tree', tree, '--', ...paths]);
  if (!out.ok) return out;
  return ok(
    zeroSplit(out.value).flatMap((line) => {
      const [, mode = '', id = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t([^]+)$/.exec(line) ?? [];
      return path === '' ? [] : [{ path, mode, id }];
    }),
  );
}
