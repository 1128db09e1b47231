// Stretches of time and their unions: how long something was going on, and nothing counted twice.

/** Milliseconds since the epoch. */
export type Span = { readonly from: number; readonly to: number };

/** Sorted, without overlaps. */
export function union(spans: readonly Span[]): readonly Span[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else if (to > from) merged.push({ from, to });
  }
  return merged;
}

/** What of `spans` lies within `window`. */
export const within = (spans: readonly Span[], window: Span): readonly Span[] =>
  spans.flatMap(({ from, to }) => {
    const cut = { from: Math.max(from, window.from), to: Math.min(to, window.to) };
    return cut.to > cut.from ? [cut] : [];
  });

export const lengthOf = (spans: readonly Span[]): number =>
  union(spans).reduce((sum, { from, to }) => sum + to - from, 0);

/** Shares out a window: each instant goes to the first name that covers it, the rest to `rest`. */
export function shareOut(
  window: Span,
  parts: readonly (readonly [name: string, spans: readonly Span[]])[],
): { readonly [name: string]: number } {
  const shares: { [name: string]: number } = {};
  let taken: readonly Span[] = [];
  for (const [name, spans] of parts) {
    const before = lengthOf(taken);
    taken = union([...taken, ...within(spans, window)]);
    shares[name] = lengthOf(taken) - before;
  }
  shares['rest'] = window.to - window.from - lengthOf(taken);
  return shares;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}
