// What a curator wrote: one Markdown file with the sections Summary, Memory and Promote. Headings are read in many spellings; what is
// missing, twice there or too long is a problem, by counting.
import type { RefusedPromotion, Trick } from '../model/memory.ts';
import type { Problem } from '../model/verdict.ts';
import { CAPS, cutAtLine, isWithin, sizeOf } from './caps.ts';
import { guardOnce } from './context.ts';
import { markedIn, trickKey } from './tricks.ts';

type Section = 'Summary' | 'Memory' | 'Promote';
export type CuratorFile = { readonly [S in Section]: string | null };

const HEADING =
  /^\s{0,3}(?:#{1,6}\s*|\*\*|__)(?:\d+[.)]\s*)?(?:\*\*|__)?(?:(?:mission|short|long)[- ]?(?:term)?\s+)?(summary|memory|promot(?:e|ed|ions?)|promoted tricks)\s*:?\s*(?:\*\*|__)?\s*:?\s*#*\s*$/i;
const FENCE = /^\s{0,3}(```+|~~~+)/;

/** `problems`: sections that are missing, empty or there twice. */
export function readCuratorFile(text: string): {
  readonly file: CuratorFile;
  readonly problems: readonly Problem[];
} {
  const parts = new Map<Section, string[]>();
  const twice = new Set<Section>();
  let here: string[] | null = null;
  let fence: string | null = null;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    const section = fence === null && mark === undefined ? sectionOf(line) : null;
    if (section === null) here?.push(line);
    else {
      if (parts.has(section)) twice.add(section);
      here = parts.get(section) ?? [];
      parts.set(section, here);
    }
  }
  const textOf = (section: Section): string | null => {
    const body = trimmed(parts.get(section) ?? []);
    return body === '' ? null : body;
  };
  const file = { Summary: textOf('Summary'), Memory: textOf('Memory'), Promote: textOf('Promote') };
  const missing = (['Summary', 'Memory'] as const).filter((section) => file[section] === null);
  return {
    file,
    problems: [
      ...missing.map((section): Problem => ({ code: 'memory-section-missing', params: { section } })),
      ...[...twice].map((section): Problem => ({ code: 'memory-section-twice', params: { section } })),
    ],
  };
}

function sectionOf(line: string): Section | null {
  const [, word = ''] = HEADING.exec(line) ?? [];
  if (word === '') return null;
  const name = word.toLowerCase();
  return name === 'summary' ? 'Summary' : name === 'memory' ? 'Memory' : 'Promote';
}

/** Control characters, and what was no UTF-8. */
const NO_TEXT = /[^\P{Cc}\t]|\uFFFD/gu;

/** Without empty lines at both ends and spaces at the ends of lines. */
const trimmed = (lines: readonly string[]): string =>
  lines
    .map((line) => line.replaceAll(NO_TEXT, '').trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');

const LAYERS = { Summary: CAPS.summary, Memory: CAPS.memory } as const;
type Layer = keyof typeof LAYERS;

/** null: it is within its cap. */
export function tooLong(section: Layer, text: string | null): Problem | null {
  const cap = LAYERS[section];
  if (text === null || isWithin(text, cap)) return null;
  const { lines, tokens } = sizeOf(text);
  const params = { section, lines, tokens, mostLines: cap.lines, mostTokens: cap.tokens };
  return { code: 'memory-too-long', params };
}

/** As it is written: within its cap, and with no line that reads like the heading of the runtime context. */
export const fitLayer = (section: Layer, text: string): string => cutAtLine(guardOnce(text), LAYERS[section]);

const NOTHING = /^[\s(_*`-]*(?:none|nothing|n\/a|nichts|keine?s?)?[\s)_*`.-]*$/i;

/**
 * Which lines of `## Promote` become part of an identity: those that name a confirmed trick, for the role before the colon or else the first
 * that named it. The text is that of the entry, not the curator's.
 */
export function promotionsIn(
  text: string | null,
  tricks: readonly Trick[],
  roles: readonly string[],
): {
  readonly promoted: readonly { readonly role: string; readonly trick: string }[];
  readonly refused: readonly RefusedPromotion[];
} {
  const byKey = new Map(tricks.map((trick) => [trickKey(trick.text), trick]));
  const promoted = new Map<string, { readonly role: string; readonly trick: string }>();
  const refused: RefusedPromotion[] = [];
  for (const line of (text ?? '').split('\n')) {
    if (NOTHING.test(line)) continue;
    const shown = line.trim();
    const found = named(shown, byKey);
    const role = found?.role ?? found?.trick.roles[0] ?? '';
    if (found === null) refused.push({ line: shown, why: 'unknown-trick' });
    else if (!roles.includes(role)) refused.push({ line: shown, why: 'unknown-role' });
    else if (!found.trick.isConfirmed) refused.push({ line: shown, why: 'unconfirmed' });
    else promoted.set(JSON.stringify([role, trickKey(found.trick.text)]), { role, trick: found.trick.text });
  }
  return { promoted: [...promoted.values()], refused };
}

const BULLET = /^(?:[-*+>•]\s+|\d+[.)]\s+)+/;
const FOR_ROLE = /^[[(*_`]*([a-z][a-z0-9-]*)[\])*_`]*\s*:?[*_`]*\s+(.+)$/i;

function named(line: string, byKey: ReadonlyMap<string, Trick>): { role: string | null; trick: Trick } | null {
  const body = line.replace(BULLET, '');
  const of = (text: string): Trick | undefined => byKey.get(trickKey(markedIn(text)?.text ?? text));
  const whole = of(body);
  if (whole !== undefined) return { role: null, trick: whole };
  const [, role = '', rest = ''] = FOR_ROLE.exec(body) ?? [];
  const trick = of(rest);
  return trick === undefined ? null : { role: role.toLowerCase(), trick };
}
