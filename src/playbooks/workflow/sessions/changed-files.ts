// The files that changes.md names, without the reasons that it gives. An agent can write any text in it, so a name counts only if it is a
// file of the repository.
import { judgePath } from '../paths/paths.ts';
import { NAME_RULES } from '../paths/path-rules.ts';

const MAX_TEXT = 200_000;
const MAX_LINE = 2_000;
const MAX_NAMES = 400;

/** The text of a list item: `- `, `* `, `1. `, with or without a checkbox. */
const ENTRY = /^\s{0,12}(?:[-*+]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?([^]*)$/;
/** A name in backticks, and the comma before another one. */
const QUOTED = /^(?:\*\*)?`([^`]+)`(?:\*\*)?(?:\s*,\s*(?=(?:\*\*)?`))?/;
/** Where the reason begins. */
const REASON = /\s+(?:—|–|--?|:|=>|→)\s|[—–]|:\s/;

/** Names at the beginning of list items: of files, and perhaps other words. */
export function namesIn(changes: string, docsPath: string): readonly string[] {
  const names = new Set<string>();
  for (const line of changes.slice(0, MAX_TEXT).split(/\r\n|[\r\n]/)) {
    const [, entry] = ENTRY.exec(line.slice(0, MAX_LINE)) ?? [];
    for (const name of entry === undefined ? [] : namesOf(entry)) {
      const path = usable(name, docsPath);
      if (path !== null && names.size < MAX_NAMES) names.add(path);
    }
  }
  return [...names];
}

/** Those that are files, each once, sorted. */
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

/** By the rules about names alone; files of the harness and the task's documents are excluded. */
function usable(name: string, docsPath: string): string | null {
  if (name.includes('`')) return null;
  const context = { kind: 'file-reference', docsPath, isInScope: () => true } as const;
  const verdict = judgePath(name, context, new Map(), NAME_RULES);
  return verdict.isAllowed ? verdict.path : null;
}
