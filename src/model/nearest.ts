// "Did you mean": the known name nearest to a written one.

/** The nearest of the names by edits (insert, delete, replace, swap), or '' where none is near enough to be meant. */
export function nearest(written: string, names: readonly string[]): string {
  const most = Math.max(1, Math.floor(written.length / 3));
  let best = '';
  let least = most + 1;
  for (const name of names) {
    if (Math.abs(name.length - written.length) >= least) continue;
    const edits = distance(fold(written), fold(name));
    if (edits < least) [best, least] = [name, edits];
  }
  return best;
}

const fold = (name: string): string => name.toLowerCase().replace(/[-\s]/g, '_');

/** Edits between two words: insert, delete, replace, swap. */
export function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
