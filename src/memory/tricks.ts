// Tricks: lines of entries that name a pattern worth keeping, and whether another session confirmed them.
import type { MemoryEntry, Trick } from '../model/memory.ts';

/** The role whose entries can confirm a trick. */
const VALIDATOR = 'validator';

const MARK = /^(?:[-*+>•]\s+|\d+[.)]\s+)*[*_`]*(TRICK|CONFIRMED)[*_`]*\s*:[*_`]*\s*(.*)$/i;

export type Marked = { readonly mark: 'trick' | 'confirmed'; readonly text: string };

/** What a line says after `TRICK:` or `CONFIRMED:`; null: it says neither, or nothing after it. */
export function markedIn(line: string): Marked | null {
  const [, word = '', rest = ''] = MARK.exec(line.trim()) ?? [];
  if (word === '') return null;
  const mark = word.toUpperCase() === 'TRICK' ? 'trick' : 'confirmed';
  const inner = mark === 'confirmed' ? (markedIn(rest)?.text ?? rest.trim()) : rest.trim();
  return trickKey(inner) === '' ? null : { mark, text: inner };
}

/** Equal for two texts that say the same in other letters, spaces, emphasis or a full stop at the end. */
export const trickKey = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[*_`"'“”„‘’]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[\s.!;,]+$/, '');

/** A line that stays when its entry is too old for the cap. */
export const isLasting = (line: string): boolean => markedIn(line) !== null;

type Found = {
  readonly text: string;
  readonly named: { readonly role: string; readonly session: number }[];
  confirmedBy: { readonly session: number } | null;
};

/** Every trick that an entry names, in the order of their first entries. */
export function tricksIn(entries: readonly MemoryEntry[]): readonly Trick[] {
  const found = new Map<string, Found>();
  for (const { role, session, lines } of entries)
    for (const line of lines) {
      const marked = markedIn(line);
      if (marked?.mark !== 'trick') continue;
      const key = trickKey(marked.text);
      const trick = found.get(key) ?? { text: marked.text, named: [], confirmedBy: null };
      trick.named.push({ role, session });
      found.set(key, trick);
    }
  for (const { role, session, lines } of entries) {
    if (role !== VALIDATOR) continue;
    for (const line of lines) {
      const marked = markedIn(line);
      const trick = marked?.mark === 'confirmed' ? found.get(trickKey(marked.text)) : undefined;
      // A validator does not confirm what only it has said.
      if (trick?.named.some((one) => one.session !== session || one.role !== role)) trick.confirmedBy ??= { session };
    }
  }
  return [...found.values()].map(({ text, named, confirmedBy }) => {
    const sessions = [...new Set(named.map(({ session }) => session))];
    return {
      text,
      roles: [...new Set(named.map(({ role }) => role))],
      sessions,
      confirmedBy: confirmedBy?.session ?? null,
      isConfirmed: sessions.length > 1 || confirmedBy !== null,
    };
  });
}
