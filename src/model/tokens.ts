// How many tokens a text may cost: an estimate that errs to the high side for every tokenizer in use, and cutting by it.

const isLetter = (c: number): boolean => (c >= 0x61 && c <= 0x7a) || (c >= 0x41 && c <= 0x5a);
const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39;

/**
 * Never less than bytes of UTF-8 / 3.5. Words cost a token per four letters begun, digits one per two, signs one each,
 * line breaks one each, and everything beyond ASCII one and a half per UTF-16 unit (an emoji is two units).
 */
export function estimateTokens(text: string): number {
  let bytes = 0;
  let cost = 0;
  let run = 0;
  let kind = 0;
  const close = (): void => {
    if (kind === 1) cost += Math.ceil(run / 4);
    else if (kind === 2) cost += Math.ceil(run / 2);
    else if (kind === 3) cost += Math.floor(run / 2);
    run = 0;
  };
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c >= 0xd800 && c <= 0xdfff ? 2 : 3;
    const now = isLetter(c) ? 1 : isDigit(c) ? 2 : c === 0x20 || c === 0x09 ? 3 : c < 0x80 ? 4 : 5;
    if (now !== kind) {
      close();
      kind = now;
    }
    if (now <= 3) run++;
    else cost += now === 4 ? 1 : 1.5;
  }
  close();
  return Math.max(Math.ceil(bytes / 3.5), Math.ceil(cost));
}

/** The longest beginning that costs at most `max` tokens, with '…' where something was cut. Never splits a pair. */
export function cutToTokens(text: string, max: number): string {
  const head = text.slice(0, max * 8);
  if (head.length === text.length && estimateTokens(head) <= max) return head;
  let low = 0;
  let high = head.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (estimateTokens(`${head.slice(0, middle)}…`) <= max) low = middle;
    else high = middle - 1;
  }
  const last = head.charCodeAt(low - 1);
  if (last >= 0xd800 && last <= 0xdbff) low--;
  return low === 0 ? '' : `${head.slice(0, low).trimEnd()}…`;
}
