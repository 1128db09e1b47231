// Text without what differs from machine to machine and from day to day, so that the same prompt is the same everywhere:
// folders, times, names of runs and commits, durations. Two texts are compared line by line.

/** Folders of this machine; absolute. */
export type Places = { readonly root: string; readonly home: string; readonly tmp: string };

/** In text that is played back, these stand for the folders of the machine it is played on. */
const ROOT = '{{harness:WORKDIR}}';
const HOME = '{{harness:HOME}}';

/** Replaces folders alone: for what is played back. */
export function withoutPlaces(text: string, { root, home }: Places): string {
  const inner = text.replaceAll(root, ROOT);
  return home.length > 1 ? inner.replaceAll(home, HOME) : inner;
}

export const withPlaces = (text: string, { root, home }: Places): string =>
  text.replaceAll(ROOT, root).replaceAll(HOME, home);

/** What a test runner or a clock wrote. Decimals, or in the forms that runners have: a limit that a person chose stays. */
const PASSING: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b[rcv]-\d{14}-[0-9a-f]{4}\b/g, '{RUN}'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '{ID}'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, '{TIME}'],
  [/\b\d{4}-\d\d-\d\d\b/g, '{DATE}'],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, '{TIME}'],
  [/(harness\/evidence\/)[\w.-]+/g, '$1{ID}'],
  [/^(- Commits: \d+ \().*(\))$/gm, '$1{ID}$2'],
  [/\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}\b/g, '{ID}'],
  [/\b(duration_ms:?["']?:? ?)\d+(?:\.\d+)?/g, '$1{MS}'],
  [/\b\d+\.\d+ ?(?:ms|s|seconds|minutes)\b/g, '{DURATION}'],
  [/([([])\d+ ?m?s([)\]])/g, '$1{DURATION}$2'],
  [/\b(in|took|after) \d+ ?m?s\b/g, '$1 {DURATION}'],
  [/\((node:)\d+\)/g, '($1{PID})'],
  [/\b(127\.0\.0\.1|localhost):\d{4,5}\b/g, '$1:{PORT}'],
];

/** For comparing. Of a temporary folder the first name below it is made by chance. */
export function normal(text: string, places: Places): string {
  const placed = withoutPlaces(text, places).replaceAll(
    new RegExp(`${places.tmp.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/[^/\\s'"\`:()]+`, 'g'),
    '{TMP}',
  );
  return withoutTimes(placed);
}

export const withoutTimes = (text: string): string =>
  PASSING.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text);

/** Where two texts part: the line, 1-based, and what stands there in each, shortly. null: they are the same. */
export function parting(
  recorded: string,
  now: string,
): { readonly line: number; readonly expected: string; readonly found: string } | null {
  if (recorded === now) return null;
  const [before, after] = [recorded.split('\n'), now.split('\n')];
  const at = before.findIndex((text, index) => text !== after[index]);
  const line = at < 0 ? before.length : at;
  return { line: line + 1, ...shortly(before[line] ?? '', after[line] ?? '') };
}

const SHOWN = 120;

/** Of long lines, the part around the place where they part. */
function shortly(expected: string, found: string): { readonly expected: string; readonly found: string } {
  let same = 0;
  while (same < expected.length && expected[same] === found[same]) same += 1;
  const from = Math.max(0, Math.min(same - SHOWN / 2, Math.max(expected.length, found.length) - SHOWN));
  const part = (text: string): string =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN)}${text.length > from + SHOWN ? '…' : ''}`;
  return { expected: part(expected), found: part(found) };
}
