// Entries on their way into the memory and out of it as text: cleaned, redacted, cut; never more than a line for a line.
import type { MemoryEntry, MemoryNote, RawText } from '../model/memory.ts';
import { cutToTokens, estimateTokens } from '../model/tokens.ts';

const MOST_LINES = 100;
const MOST_LETTERS = 500;
const MOST_NAME = 120;

/** Ends of lines of every kind; then what is invisible, turns text around, or is half a character. */
const LINE_ENDS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;
const INVISIBLE = /[\p{Cf}\p{Cs}]/gu;
const CONTROL = /\p{Cc}/gu;

const cleaned = (line: string): string => line.replaceAll(INVISIBLE, '').replaceAll(CONTROL, ' ').trimEnd();

/** Never between the two halves of a character. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;

const oneLine = (text: string): string => cut(cleaned(text.split(LINE_ENDS).join(' ')).trim(), MOST_NAME);

/** Secrets are masked after invisible characters are gone, which could hide one, and before a line is cut, which could halve one. */
export function cleanNote(note: MemoryNote, redact: (text: string) => string): MemoryNote {
  const lines = note.lines.flatMap((line) => line.split(LINE_ENDS)).map(cleaned);
  const shown = redact(lines.join('\n'))
    .split('\n')
    .filter((line) => line.trim() !== '');
  return {
    session: note.session,
    role: oneLine(note.role),
    item: note.item === null ? null : oneLine(redact(note.item)),
    lines: shown.slice(0, MOST_LINES).map((line) => cut(line, MOST_LETTERS)),
  };
}

/** A heading and a list: no line of an entry can look like the heading of another. */
export function entryText({ at, session, role, item, lines }: MemoryEntry): string {
  const about = `${at} · session ${session} · ${role}${item === null ? '' : ` · ${item}`}`;
  return `## ${about}\n\n${lines.map((line) => `- ${line.replace(/^\s*[-*+]\s+/, '')}\n`).join('')}\n`;
}

const RAW_HEAD = `# Session state

What each session left for the others, oldest first. The harness writes this file again with every entry: changes are lost.

`;

/** `raw.md`, for people and agents. */
export const rawFile = (entries: readonly MemoryEntry[]): string => `${RAW_HEAD}${entries.map(entryText).join('')}`;

/** The entries after a marker, oldest first, as many as fit; the first of them always, cut if need be. */
export function rawText(entries: readonly MemoryEntry[], marker: number, tokens: number): RawText {
  const since = entries.filter(({ n }) => n > marker);
  let text = '';
  let used = 0;
  let upTo = marker;
  let count = 0;
  for (const one of since) {
    const more = entryText(one);
    const cost = estimateTokens(more);
    if (count > 0 && used + cost > tokens) break;
    text += count === 0 && cost > tokens ? `${cutToTokens(more, tokens)}\n` : more;
    used += cost;
    upTo = one.n;
    count += 1;
  }
  return { text, upTo, entries: count, left: since.length - count };
}
