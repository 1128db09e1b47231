// The files that changes.md names, and not a word more of it (reference 004, Step 6.2: "strip all reason descriptions"). Whoever wrote it
// can write anything anywhere, so a name counts only where the repository knows it as a file: reasons are no files.
import { judgePath } from '../paths/paths.ts';
import { NAME_RULES } from '../paths/path-rules.ts';

/** So much of it is looked at. */
const LONGEST_TEXT = 200_000;
const LONGEST_LINE = 2_000;
const MOST_NAMES = 400;

/** `- `, `* `, `1. `, with or without a box to tick; then what stands there. */
const ENTRY = /^\s{0,12}(?:[-*+]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?([^]*)$/;
/** One or more names in backticks at the beginning, with commas between them. */
const QUOTED = /^(?:\*\*)?`([^`]+)`(?:\*\*)?(?:\s*,\s*(?=(?:\*\*)?`))?/;
/** Where the reason begins. */
const REASON = /\s+(?:—|–|--?|:|=>|→)\s|[—–]|:\s/;

/** Names at the beginning of entries, as they could be meant: those of files are among them, and so may be words. */
export function namesIn(changes: string, docsPath: string): readonly string[] {
  const names = new Set<string>();
  for (const line of changes.slice(0, LONGEST_TEXT).split(/\r\n|[\r\n]/)) {
    const [, entry] = ENTRY.exec(line.slice(0, LONGEST_LINE)) ?? [];
    for (const name of entry === undefined ? [] : namesOf(entry)) {
      const path = usable(name, docsPath);
      if (path !== null && names.size < MOST_NAMES) names.add(path);
    }
  }
  return [...names];
}

/** Those of the names that are files, each once, in an order that says nothing. */
export const changedFiles = (names: readonly string[], isFile: (path: string) => boolean): readonly string[] =>
  [...new Set(names)].filter(isFile).toSorted();

function namesOf(entry: string): readonly string[] {
  const quoted: string[] = [];
  let rest = entry;
  for (let found = QUOTED.exec(rest); found !== null; found = QUOTED.exec(rest)) {
    quoted.push((found[1] ?? '').trim());
    if (!found[0].includes(',', found[0].lastIndexOf('`'))) break;
    rest = rest.slice(found[0].length);
  }
  if (quoted.length > 0) return quoted;
  // Without backticks: up to the reason, or the first word.
  const [head = ''] = entry.split(REASON);
  const [word = ''] = entry.split(/\s/);
  return [head.trim(), word.replace(/[,;:]+$/, '')].map((name) => name.replace(/^\*+|\*+$/g, ''));
}

/** By the rules of names alone: files of the harness, and those beside the spec, are no work. */
function usable(name: string, docsPath: string): string | null {
  if (name.includes('`')) return null;
  const context = { kind: 'file-reference', docsPath, isInScope: () => true } as const;
  const verdict = judgePath(name, context, new Map(), NAME_RULES);
  return verdict.isAllowed ? verdict.path : null;
}
