// What git last listed of a work tree, for as long as nothing in it was touched: no process is started to be given the same answer. Touched is
// what has another ctime, which no program can set, and a folder in which a name came or went.
import { createHash } from 'node:crypto';
import { constants, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../model/result.ts';
import type { CacheKey } from './answer-cache.ts';
import type { Git } from './git.ts';
import { clockStepNs, foldersAbove } from './paths.ts';
import { STATE_FOLDER } from './view.ts';

/** An answer of git, and the work tree as it was then. */
export type Bound<T> = { readonly answer: T; readonly facts: string };

/** Of a larger work tree git is asked each time: to look at all of it takes longer. Files and folders. */
const MOST = 3_000;

/**
 * Asks, or gives the answer of before. `circumstances`: everything beside the files of the work tree that decides the answer, as one text; null
 * where that is not known.
 */
export async function whileUntouched<T>(
  git: Git,
  question: CacheKey<Bound<T>>,
  circumstances: string | null,
  ask: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const before = circumstances === null ? null : lookAtFiles(git);
  if (circumstances === null || before === null) return ask();
  const known = git.memory.get(question, circumstances);
  if (known?.facts === before.text) return ok(known.answer);
  const askedMs = Date.now();
  const asked = await ask();
  // What was touched just before may be touched again without looking different.
  if (asked.ok && before.youngestMs < askedMs && lookAtFiles(git)?.text === before.text)
    git.memory.set(question, circumstances, { answer: asked.value, facts: before.text });
  return asked;
}

export type FilesLook = {
  readonly text: string;
  /** The time of the last change, and a step of the clock. */
  readonly youngestMs: number;
  /** Of each path by itself. */
  readonly paths: ReadonlyMap<string, string>;
};

/** Whether what is not at these paths looks the same. Writing a file touches the folders above it. */
export function isSameBeside(before: FilesLook, after: FilesLook, written: readonly string[]): boolean {
  const touched = new Set([...written, ...foldersAbove(written)]);
  const all = new Set([...before.paths.keys(), ...after.paths.keys()]);
  return [...all].every((path) => touched.has(path) || before.paths.get(path) === after.paths.get(path));
}

const LOOKED: CacheKey<FilesLook> = { name: 'files-look', kept: 1 };
/** The last look, where it found the files so; null: it did not. */
export const lastLook = (git: Git, text: string): FilesLook | null => git.memory.get(LOOKED, text) ?? null;

/** Of the facts about a path in a look. */
export const isFolder = (facts: string): boolean =>
  (Number.parseInt(facts, 10) & constants.S_IFMT) === constants.S_IFDIR;

/**
 * null: too much to look at, or it changed meanwhile. What the harness keeps in the work tree for itself is left out. `closed`: paths that only their
 * kind is looked at, such as folders whose content does not count; a folder ends with a slash.
 */
export function lookAtFiles(git: Git, closed: readonly string[] = []): FilesLook | null {
  const ours = new Set(['.git', STATE_FOLDER, ...git.own]);
  const isClosed = new Set(closed.map((path) => path.replace(/\/$/, '')));
  const hash = createHash('sha256');
  const paths = new Map<string, string>();
  let youngestMs = 0;
  const look = (folder: string): boolean => {
    for (const name of readdirSync(join(git.root, folder)).toSorted()) {
      if (folder === '' && ours.has(name)) continue;
      if (paths.size === MOST) return false;
      const path = folder === '' ? name : `${folder}/${name}`;
      const facts = lstatSync(join(git.root, path), { bigint: true });
      if (isClosed.has(path)) {
        paths.set(path, `${facts.mode}`);
        continue;
      }
      const text = `${facts.mode} ${facts.ino} ${facts.size} ${facts.ctimeNs}`;
      paths.set(path, text);
      hash.update(`${path}\0${text}\0`);
      youngestMs = Math.max(youngestMs, Number((facts.ctimeNs + clockStepNs(facts)) / 1_000_000n));
      if (facts.isDirectory() && !look(path)) return false;
    }
    return true;
  };
  try {
    if (!look('')) return null;
    const found = { text: hash.digest('hex'), youngestMs, paths };
    if (closed.length === 0) git.memory.set(LOOKED, found.text, found);
    return found;
  } catch {
    return null;
  }
}
