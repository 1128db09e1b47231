// A diff over files in memory, as git would apply it where it fits to the line.
import { readDiff } from '../../src/playbooks/workflow/paths/diff.ts';
import { withFiles, type Tree } from './repository.ts';

/** null: it does not fit. */
export function patched(tree: Tree, diff: string): Tree | null {
  const read = readDiff(diff);
  if ('fault' in read) return null;
  let now = tree;
  for (const { path, kind, hunks } of read.files) {
    const text = now.get(path) ?? null;
    if ((text === null) !== (kind === 'made')) return null;
    const lines = text === null || text === '' ? [] : text.replace(/\n$/, '').split('\n');
    let moved = 0;
    for (const { from, lines: body } of hunks) {
      const [old, fresh] = [' -', ' +'].map((signs) =>
        body.filter((line) => signs.includes(line[0] ?? '?')).map((line) => line.slice(1)),
      );
      const at = Math.max(0, from - (old?.length === 0 ? 0 : 1)) + moved;
      if (lines.slice(at, at + (old?.length ?? 0)).join('\n') !== old?.join('\n')) return null;
      lines.splice(at, old.length, ...(fresh ?? []));
      moved += (fresh?.length ?? 0) - old.length;
    }
    if (kind === 'gone' && lines.length > 0) return null;
    now = withFiles(now, { [path]: kind === 'gone' ? null : lines.map((line) => `${line}\n`).join('') });
  }
  return now;
}
