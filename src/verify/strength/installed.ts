// Whether packages installed while an agent worked match the change: each changed package must occur in a changed line of a manifest
// or lock file. Pure.
import { isLock, nameOf } from './files.ts';
import { addedLines, isManifest, type TextChange } from './guarded.ts';

/** Paths that no changed line explains. */
export function unexplainedOf(installed: readonly string[], files: readonly TextChange[]): readonly string[] {
  const lines = files
    .filter(({ path }) => isLock(path) || isManifest(nameOf(path)))
    .flatMap(addedLines)
    .map(plain);
  if (lines.length === 0) return installed;
  return installed.filter((path) => {
    const name = packageOf(path);
    return name !== null && !lines.some((line) => line.includes(plain(name)));
  });
}

const plain = (text: string): string => text.toLowerCase().replace(/[-_.]+/g, '-');

/** The package of an installed file; null: a program link, whose package is unknown. */
function packageOf(path: string): string | null {
  const parts = path.split('/');
  const at = Math.max(parts.lastIndexOf('node_modules'), parts.lastIndexOf('site-packages'));
  const [first = '', second = ''] = parts.slice(at < 0 ? 1 : at + 1);
  if (first === '.bin' || first === 'bin') return null;
  if (first.startsWith('@')) return `${first}/${second}`;
  return first.replace(/-\d[\w.]*\.dist-info$/, '').replace(/\.\w+$/, '');
}
