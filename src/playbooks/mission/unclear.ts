// Assertions that an agent could not decide: lines `UNCLEAR: VAL-… why` of its last message. Pure.
import type { Problem } from '../../model/verdict.ts';

/** In a list, in bold letters, as a quotation. */
const LINE = /^[\s>#*_`+-]*UNCLEAR[*_`]*\s*[:=–—][\s*_`]*(\S.*)$/i;
const CLAIM = /^[*_`"'([]*(VAL-[A-Z][A-Z0-9-]*-\d{3,})[*_`"')\]]*\s*[:,;.–—-]*\s*/i;
/** Nothing is unclear. */
const NOTHING =
  /^[*_`"'([]*(?:nothing|none|n\/?a|no|nil|-+|no (?:assertions?|claims?)|nothing (?:is|was) unclear)\W*$/iu;
const MOST_LINES = 6;
const LONGEST = 600;

/** Of a role that works on `item`: one problem for each line; empty: it could decide all. */
export function unclearIn(text: string, role: string, item: string): readonly Problem[] {
  return text
    .split(/\r?\n/)
    .flatMap((line): Problem[] => {
      const said = LINE.exec(line)?.[1] ?? '';
      if (said === '' || NOTHING.test(said)) return [];
      const claim = CLAIM.exec(said)?.[1]?.toUpperCase() ?? item;
      const rest = said
        .replace(CLAIM, '')
        .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
        .replace(/[*_`]+$/, '')
        .trim();
      const why = rest === '' ? 'no reason was given' : rest.slice(0, LONGEST).toWellFormed();
      return [{ code: 'review-unclear', params: { role, claim, why } }];
    })
    .slice(0, MOST_LINES);
}
