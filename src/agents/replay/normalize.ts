// Removes from a text what differs between machines and days, so that the same prompt is the same text everywhere: folders, times, names of
// runs and commits, durations. Two texts are compared line by line.

/** Folders of this machine; absolute. */
export type LocalPaths = { readonly root: string; readonly home: string; readonly tmp: string };

/** In text that is replayed, these are replaced by the folders of the machine. */
const ROOT = '{{harness:WORKDIR}}';
const HOME = '{{harness:HOME}}';

/** Replaces only folders: for text that is replayed. */
export function withoutPaths(text: string, { root, home }: LocalPaths): string {
  const inner = text.replaceAll(root, ROOT);
  return home.length > 1 ? inner.replaceAll(home, HOME) : inner;
}

export const withPaths = (text: string, { root, home }: LocalPaths): string =>
  text.replaceAll(ROOT, root).replaceAll(HOME, home);

/** What test runners and clocks print. Only decimals and the forms of runners, so that a limit that the user set stays. */
const VARIABLE: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b[rcv]-\d{14}-[0-9a-f]{4,7}\b/g, '{RUN}'],
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

/** For comparing. The first name below a temporary folder is random. */
export function normalized(text: string, places: LocalPaths): string {
  const placed = withoutPaths(text, places).replaceAll(
    new RegExp(`${places.tmp.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/[^/\\s'"\`:()]+`, 'g'),
    '{TMP}',
  );
  return withoutTimes(placed);
}

export const withoutTimes = (text: string): string =>
  VARIABLE.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text);

/** Where two texts differ: the line (1-based) and its shortened text in each. Null: they are the same. */
export function firstDifference(
  recorded: string,
  now: string,
): { readonly line: number; readonly expected: string; readonly found: string } | null {
  if (recorded === now) return null;
  const [before, after] = [recorded.split('\n'), now.split('\n')];
  const at = before.findIndex((text, index) => text !== after[index]);
  const line = at < 0 ? before.length : at;
  return { line: line + 1, ...shortened(before[line] ?? '', after[line] ?? '') };
}

const SHOWN = 120;

/** For long lines, the part around the first difference. */
function shortened(expected: string, found: string): { readonly expected: string; readonly found: string } {
  let same = 0;
  while (same < expected.length && expected[same] === found[same]) same += 1;
  const from = Math.max(0, Math.min(same - SHOWN / 2, Math.max(expected.length, found.length) - SHOWN));
  const part = (text: string): string =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN)}${text.length > from + SHOWN ? '…' : ''}`;
  return { expected: part(expected), found: part(found) };
}
