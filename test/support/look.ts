// `World.look` over a set of files in memory: no links, no hard links.
import { foldOf, type PathFact } from '../../src/model/path-fact.ts';

export function lookAmong(files: Iterable<string>, path: string): PathFact {
  const above = path.split('/').slice(0, -1).join('/');
  const start = above === '' ? '' : `${above}/`;
  const below = [...files].filter((file) => file.startsWith(start));
  const name = path.slice(start.length);
  const names = [...new Set(below.map((file) => file.slice(start.length).split('/')[0] ?? ''))];
  if (path === '' || path === '.') return { is: 'folder', alike: [] };
  if (!names.includes(name))
    return { is: 'absent', alike: names.filter((other) => foldOf(other) === foldOf(name)).toSorted() };
  return below.includes(path) ? { is: 'file', names: 1, alike: [] } : { is: 'folder', alike: [] };
}
