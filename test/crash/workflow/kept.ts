// No code that an agent wrote is lost: it is in the tree, in a landing, in an attempt, or in a checkpoint that was kept. The workflow
// may remove its own documents.
import type { FixtureProject } from '../fixture-project.ts';
import { DOCS } from './desk.ts';

/** What is put back there is kept beside the session. */
const OF_HARNESS = ['.harness/', '.harness.yaml'];

export function keptCode(shop: FixtureProject): readonly string[] {
  const written = new Set<string>();
  for (const line of rowsIn(shop.read('../written.txt') ?? '')) {
    const [sign, what] = [line[0], line.slice(2)];
    const path = what.slice(what.indexOf(' ') + 1);
    if (path.startsWith(DOCS) || OF_HARNESS.some((own) => path.startsWith(own))) continue;
    // What agents put something else in the place of is theirs to lose.
    if (sign === '+') written.add(what);
    else written.delete(what);
  }
  const refs = rowsIn(shop.git('for-each-ref', '--format=%(refname)', 'refs/harness'));
  const objects = new Set(rowsIn(shop.git('rev-list', '--objects', 'HEAD', ...refs)).map((row) => row.split(' ')[0]));
  const isThere = (what: string): boolean => {
    const at = what.indexOf(' ');
    const [id, path] = [what.slice(0, at), what.slice(at + 1)] as const;
    return objects.has(id) || (shop.read(path) !== null && shop.git('hash-object', path) === id);
  };
  return [...written].filter((what) => !isThere(what)).map((what) => `an agent wrote ${what}: lost`);
}

const rowsIn = (text: string): readonly string[] => text.split('\n').filter((row) => row !== '');
