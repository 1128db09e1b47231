// What roles answer in their last message: a word at the beginning of a line, or one JSON object. Forgiving in what it accepts, exact in what
// it reports.

/** Longer answers are cut: what decides is at an end. */
const MAX_TEXT = 20_000;

/** A line without the marks of Markdown around it. */
const bare = (line: string): string =>
  line
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/^[\s>#*_`"'•-]+/u, '')
    .replace(/[*`]{1,3}/g, '')
    .trim();

/**
 * The first line that begins with one of these words, and what follows it in that line; longer words are tried first. null: no line does.
 * `ACCEPT-WITH-NOTES`, `accept with notes` and `**Verdict:** Accept_with_notes` are the same word.
 */
export function verdictLine<W extends string>(
  text: string,
  words: readonly W[],
): { readonly word: W; readonly rest: string } | null {
  const byLength = [...words].sort((a, b) => b.length - a.length);
  for (const raw of text.slice(-MAX_TEXT).split(/\r?\n/)) {
    const line = bare(raw).replace(/^(?:verdict|decision|answer|result)\s*[:=—–-]\s*/i, '');
    for (const word of byLength) {
      const [, rest] =
        new RegExp(`^${word.split('-').join('[-_ ]')}(?![\\p{L}\\p{N}])\\W*(.*)$`, 'iu').exec(line) ?? [];
      if (rest !== undefined) return { word, rest: rest.trim() };
    }
  }
  return null;
}

/** The last JSON object of a text, in a fence or not; null: there is none that can be read. */
export function lastJson(text: string): unknown {
  const ends = [...text.slice(-MAX_TEXT).matchAll(/\}/g)].map(({ index }) => index).reverse();
  const whole = text.slice(-MAX_TEXT);
  for (const end of ends.slice(0, 20)) {
    for (const start of startsBefore(whole, end)) {
      try {
        const value: unknown = JSON.parse(whole.slice(start, end + 1));
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
      } catch {
        // Another brace may begin it.
      }
    }
  }
  return null;
}

/** Where an object that ends there may begin: braces at the beginning of a line or of the text, the first before the last. */
function startsBefore(text: string, end: number): readonly number[] {
  const starts = [...text.slice(0, end).matchAll(/(?:^|\n)[ \t]*(?:```\w*[ \t]*)?\{|\{/g)].map(
    ({ index, 0: match }) => index + match.length - 1,
  );
  return starts.slice(0, 200);
}
