// The lines of a text that are new against an older one. Pure and bounded: in large texts everything between the common start and
// the common end counts as new.

const MOST_COMPARED = 1_500;

/** Line numbers of `after`, from 1, that `before` does not have. */
export function changedLines(before: string | null, after: string): readonly number[] {
  const now = after.split('\n');
  if (before === null) return now.map((_, i) => i + 1);
  const was = before.split('\n');
  let head = 0;
  while (head < was.length && head < now.length && was[head] === now[head]) head++;
  let tail = 0;
  while (tail < was.length - head && tail < now.length - head && was.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const [a, b] = [was.slice(head, was.length - tail), now.slice(head, now.length - tail)];
  if (a.length > MOST_COMPARED || b.length > MOST_COMPARED) return b.map((_, i) => head + i + 1);
  const kept = keptOf(a, b);
  return b.flatMap((_, i) => (kept.has(i) ? [] : [head + i + 1]));
}

/** Indexes in `b` of a longest common subsequence of lines. */
function keptOf(a: readonly string[], b: readonly string[]): ReadonlySet<number> {
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const kept = new Set<number>();
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      kept.add(j);
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return kept;
}
