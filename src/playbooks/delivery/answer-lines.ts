// The lines of an agent's answer with what Markdown puts around them: fences and quotations. Pure.

export type AnswerLine = {
  /** As it was written; without the marks where all of the answer is one quotation. */
  readonly raw: string;
  /** It opens or closes a fence. `info`: the language, as it opens. */
  readonly fence: { readonly is: 'open'; readonly info: string } | { readonly is: 'close' } | null;
  /** It repeats the words of others, and is no statement of the answer: in a quotation, or in a fence with words below. */
  readonly isAside: boolean;
};

/** Longer answers are cut: `isWhole` false. */
const MAX_TEXT = 60_000;

export function answerLines(text: string): { readonly lines: readonly AnswerLine[]; readonly isWhole: boolean } {
  const isWhole = text.length <= MAX_TEXT;
  const read = isWhole ? text : `${text.slice(0, MAX_TEXT / 2)}\n${text.slice(-MAX_TEXT / 2)}`;
  const written = read.split(/\r\n|\r|\n/);
  const isQuotation = written.every((line) => isEmpty(line) || QUOTED.test(line));
  const raws = isQuotation ? written.map((line) => line.replace(QUOTED, '')) : written;
  const open: string[] = [];
  let lastOutside = -1;
  const lines = raws.map((raw, n) => {
    const isInside = open.length > 0;
    const fence = fenceOf(raw, open);
    if (!isInside && fence === null && !isEmpty(raw)) lastOutside = n;
    return { raw, fence, isInside };
  });
  return {
    isWhole,
    lines: lines.map(({ raw, fence, isInside }, n) => ({
      raw,
      fence,
      isAside: QUOTED.test(raw) || (isInside && n < lastOutside),
    })),
  };
}

const QUOTED = /^\s*>\s?/;
const isEmpty = (line: string): boolean => line.trim() === '';

/** `open`: the fences around the line, which it changes. A fence with a language inside of another opens one. */
function fenceOf(raw: string, open: string[]): AnswerLine['fence'] {
  const [, marks = '', info = ''] = /^\s*(`{3,}|~{3,})\s*([^`]*)$/.exec(raw) ?? [];
  if (marks === '') return null;
  const last = open.at(-1);
  if (last !== undefined && info.trim() === '' && marks.startsWith(last)) {
    open.pop();
    return { is: 'close' };
  }
  open.push(marks);
  return { is: 'open', info: info.trim().toLowerCase() };
}
