// How long each layer of the memory may be, and cutting a text at a line.
import { cutToTokens, estimateTokens } from '../model/tokens.ts';

export type Cap = { readonly lines: number; readonly tokens: number };

/** `identity`: what of it a prompt carries; the file itself only grows. */
export const CAPS = {
  summary: { lines: 40, tokens: 800 },
  memory: { lines: 400, tokens: 20_000 },
  identity: { lines: 120, tokens: 3_000 },
} as const satisfies { readonly [layer: string]: Cap };

/** Without empty lines at the end. */
export const linesOf = (text: string): readonly string[] => (text.trim() === '' ? [] : text.trimEnd().split('\n'));

export const sizeOf = (text: string): Cap => {
  const lines = linesOf(text);
  return { lines: lines.length, tokens: lines.length === 0 ? 0 : estimateTokens(lines.join('\n')) };
};

export function isWithin(text: string, cap: Cap): boolean {
  const size = sizeOf(text);
  return size.lines <= cap.lines && size.tokens <= cap.tokens;
}

/** As many lines from its beginning, or with `newest` from its end, as the cap allows. A single line that is too long is cut in itself. */
export function cutAtLine(text: string, cap: Cap, which: 'oldest' | 'newest' = 'oldest'): string {
  if (isWithin(text, cap)) return linesOf(text).join('\n');
  const lines = linesOf(text);
  const part = (count: number): string =>
    (which === 'oldest' ? lines.slice(0, count) : lines.slice(lines.length - count)).join('\n');
  let low = 0;
  let high = Math.min(cap.lines, lines.length);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isWithin(part(middle), cap)) low = middle;
    else high = middle - 1;
  }
  if (low > 0) return linesOf(part(low)).join('\n');
  return cutToTokens(which === 'oldest' ? (lines[0] ?? '') : (lines.at(-1) ?? ''), cap.tokens);
}
