// Nothing that an agent wrote is lost: it is part of what landed, or of an attempt that was given up.
import type { FixtureProject } from '../fixture-project.ts';
import { LIST, LOG } from './list.ts';

export function keptWork(shop: FixtureProject): readonly string[] {
  const written = new Set<string>();
  for (const line of rowsIn(shop.read('../written.txt') ?? '')) {
    const [sign, what] = [line[0], line.slice(2)];
    if (what.endsWith(` ${LIST}`) || what.endsWith(` ${LOG}`)) continue;
    // What agents put something else in the place of is theirs to lose.
    if (sign === '+') written.add(what);
    else written.delete(what);
  }
  const refs = rowsIn(shop.git('for-each-ref', '--format=%(refname)', 'refs/harness/attempts'));
  const objects = new Set(rowsIn(shop.git('rev-list', '--objects', 'HEAD', ...refs)).map((row) => row.split(' ')[0]));
  return [...written].filter((what) => !objects.has(what.split(' ')[0])).map((what) => `an agent wrote ${what}: lost`);
}

const rowsIn = (text: string): readonly string[] => text.split('\n').filter((row) => row !== '');
