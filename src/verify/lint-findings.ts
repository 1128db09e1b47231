// What a linter reports that it did not report before a change: by the findings in its output, without their lines and columns, since
// findings move with the code around them. Pure.
import { stripColours } from './runners/cases.ts';

type Finding = {
  /** Equal for the same finding in two outputs. */
  readonly key: string;
  readonly shown: string;
  readonly severity: string | null;
};

/** `a.py:3:1: F401 …`, `a.ts(3,1): error …`, ` --> a.py:3:1`, `╭─[a.js:3:1]`. */
const LOCATED =
  /^\s*(?:-->|╭─\[|,-\[)?\s*([^\s:()[\]][^:()[\]]*?)(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\))[:\]]*(?:\s+(.*)|)$/;
/** As eslint prints them below the name of their file: `  3:1  error  …`. */
const BELOW_FILE = /^\s+(\d+:\d+)\s+(\S.*)$/;
const SEVERITY = /^(fatal|error|warning|warn|info|note|style)\b/i;
/** The name of a file is in the line. */
const NAMES_FILE = /\/|[\w-]\.[a-z]\w*/i;
const ERRORS = new Set(['fatal', 'error']);

/** The lines of findings in the output `after` a change that are not in the output `before` it, as they are printed. */
export function addedFindings(before: string, after: string): readonly string[] {
  const [known, found] = [findingsIn(before), findingsIn(after)];
  const left = new Map<string, number>();
  for (const { key } of known) left.set(key, (left.get(key) ?? 0) + 1);
  return found.flatMap(({ key, shown }) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count > 0 ? [] : [shown];
  });
}

function findingsIn(output: string): readonly Finding[] {
  const lines = stripColours(output)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const located = locatedIn(lines);
  if (located.length === 0) return unlocatedIn(lines);
  // Where a linter distinguishes errors and warnings, its errors count.
  const errors = located.filter(({ severity }) => severity !== null && ERRORS.has(severity));
  return errors.length > 0 ? errors : located;
}

function locatedIn(lines: readonly string[]): readonly Finding[] {
  let file = '';
  return lines.flatMap((line, at): Finding[] => {
    const [, below] = BELOW_FILE.exec(line) ?? [];
    if (below !== undefined)
      return [findingOf(file, line.trim().slice(below.length).trim(), `${file}: ${line.trim()}`)];
    if (/^\S/.test(line)) file = line;
    const [, path, said] = LOCATED.exec(line) ?? [];
    if (path === undefined || /^\d+$/.test(path)) return [];
    if (said !== undefined && said.trim() !== '') return [findingOf(path, said.trim(), line.trim())];
    // The place alone: what was found is in the line above.
    const above = lines[at - 1]?.trim() ?? '';
    return [findingOf(path, above, `${above} ${line.trim()}`.trim())];
  });
}

const findingOf = (file: string, said: string, shown: string): Finding => ({
  key: `${withoutNumbers(file)} ${withoutNumbers(said)}`,
  shown,
  severity: SEVERITY.exec(said)?.[1]?.toLowerCase() ?? null,
});

/** Formatters print the names of files only, and a summary with a count. */
function unlocatedIn(lines: readonly string[]): readonly Finding[] {
  const named = lines.filter((line) => NAMES_FILE.test(line));
  return (named.length > 0 ? named : lines).map((line) => findingOf('', line.trim(), line.trim()));
}

const withoutNumbers = (text: string): string => text.replace(/\d+/g, '#').replace(/\s+/g, ' ');
