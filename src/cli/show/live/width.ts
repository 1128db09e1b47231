// How wide a text is on a terminal, in cells, and cutting it there. Pure.
import { stripVTControlCharacters } from 'node:util';

/** Cut at this width, with … where something is left out. */
export function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let [kept, width] = ['', 0];
  for (const { segment } of PARTS.segment(text)) {
    width += widthOfPart(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return columns > 0 ? `${kept}…` : '';
}

const PARTS = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Two cells: East Asian wide characters and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const NONE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const widthOfPart = (part: string): number => (WIDE.test(part) ? 2 : NONE.test(part) ? 0 : 1);

/** In cells of a terminal, without colours. */
export function widthOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  // oxlint-disable-next-line no-control-regex
  if (/^[\u0020-\u007e]*$/.test(plain)) return plain.length;
  let width = 0;
  for (const { segment } of PARTS.segment(plain)) width += widthOfPart(segment);
  return width;
}
