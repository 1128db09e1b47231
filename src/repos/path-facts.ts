// Facts about one path of a work tree, for callers with their own rules for links: none is followed here. Needs no git.
import { Buffer } from 'node:buffer';
import { readdirSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { statsOf } from '../host/paths.ts';
import { foldOf, type PathFact } from '../model/path-fact.ts';

const OTHER: PathFact = { is: 'other', alike: [] };

/**
 * `path`: relative to the root, slashes, no link on its way. What cannot be read, and what the path reaches through a link or
 * from outside, is `other`: callers refuse it.
 */
export function pathFact(root: string, path: string): PathFact {
  const names = path.split('/');
  if (path === '' || path === '.') return { is: 'folder', alike: [] };
  if (names.some((name) => name === '' || name === '.' || name === '..') || path.includes('\0')) return OTHER;
  try {
    const place = join(realpathSync(root), path);
    const folder = dirname(place);
    const above = factsAt(folder);
    if (above === null) return { is: 'absent', alike: [] };
    if (realpathSync(folder) !== folder) return OTHER;
    if (!above.isDirectory()) return { is: 'absent', alike: [] };
    return { ...kindOf(place), alike: alikeIn(folder, names.at(-1) ?? '') };
  } catch {
    return OTHER; // not ours to read, or gone while it was looked at
  }
}

function kindOf(place: string): { is: 'absent' | 'folder' | 'other' } | { is: 'file'; names: number } | Link {
  const facts = factsAt(place);
  if (facts === null) return { is: 'absent' };
  if (facts.isSymbolicLink()) return { is: 'link', target: readlinkSync(place) };
  if (facts.isFile()) return { is: 'file', names: facts.nlink };
  return { is: facts.isDirectory() ? 'folder' : 'other' };
}
type Link = { is: 'link'; target: string };

/** File systems have no longer names, in bytes. */
const LONGEST_NAME = 255;

const factsAt = (place: string): Stats | null =>
  place.split('/').some((name) => Buffer.byteLength(name) > LONGEST_NAME) ? null : statsOf(place);

function alikeIn(folder: string, name: string): readonly string[] {
  const there = readdirSync(folder);
  if (there.includes(name)) return [];
  const fold = foldOf(name);
  return there.filter((other) => foldOf(other) === fold).toSorted();
}
