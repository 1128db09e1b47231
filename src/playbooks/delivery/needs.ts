// What a role needs of a user to continue: a line `NEEDS: …` of its last message. Pure.

const MOST = 600;
/** In a list, in bold letters, as a quotation. */
const LINE = /^[\s>#*_`+-]*NEEDS(?: X)?(?: TO CONTINUE)?[*_`]*\s*[:=–—]\s*[*_`]*\s*(\S.*)$/;
/** It needs nothing. */
const NOTHING = /^[*_`"'([]*(?:nothing|none|n\/?a|no(?:thing)? further.*|-+|no one)\b[^\p{L}]*$/iu;

/** The first of them, with the lines below it up to an empty one; null: it needs nothing. */
export function needIn(text: string): string | null {
  const lines = text.split(/\r?\n/);
  for (const [n, line] of lines.entries()) {
    const first = LINE.exec(line)?.[1];
    if (first === undefined || NOTHING.test(first)) continue;
    const end = lines.findIndex((one, at) => at > n && one.trim() === '');
    const all = [first, ...lines.slice(n + 1, end === -1 ? undefined : end)];
    const need = all
      .join(' ')
      .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .replace(/[*_`]+$/, '')
      .trim();
    return need.slice(0, MOST).toWellFormed();
  }
  return null;
}
