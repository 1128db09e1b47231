// Owns what a model server could serve from its cache: of every request, how much of its beginning earlier requests had already.
import { createHash } from 'node:crypto';
import type { Asked } from './fake-anthropic.ts';

type Block = { readonly cache_control?: unknown; readonly [field: string]: unknown };
type Wire = {
  readonly model: string;
  readonly tools?: readonly Block[];
  readonly system?: readonly Block[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
};

/** In bytes, of the requests that count. */
export type Reuse = {
  readonly input: number;
  /** By the rules of the API: whole blocks, up to a marked one whose beginning was marked before, at most 20 blocks back. */
  readonly byBlocks: number;
  /** What a cache of any beginning would have, in pieces of 256 bytes. */
  readonly byBytes: number;
};

const LOOK_BACK = 20;
const PIECE = 256;

/** In the order in which requests are read: tools, system, messages. */
function blocksOf(body: string): readonly { readonly text: string; readonly isMarked: boolean }[] {
  const { model, tools = [], system = [], messages } = JSON.parse(body) as Wire;
  const said = messages.flatMap(({ role, content }) =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((block: Block) => ({
      ...block,
      role,
    })),
  );
  return [{ model }, ...tools, ...system, ...said].map(({ cache_control: mark, ...block }: Block) => ({
    text: JSON.stringify(block),
    isMarked: mark !== undefined,
  }));
}

/** A name for each beginning of a list of parts: equal only for the same parts. */
function beginnings(parts: readonly string[]): readonly string[] {
  let last = '';
  return parts.map((part) => (last = createHash('sha256').update(`${last}\n${part}`).digest('hex')));
}

/** `counts`: which requests do; the others come before them all the same. */
export function reuseOf<A extends Pick<Asked, 'body'>>(
  asked: readonly A[],
  counts: (request: A) => boolean = () => true,
): Reuse {
  const [marked, pieces] = [new Set<string>(), new Set<string>()];
  let [input, byBlocks, byBytes] = [0, 0, 0];
  for (const request of asked) {
    const blocks = blocksOf(request.body);
    const whole = blocks.map(({ text }) => text).join('\n');
    const isCounted = counts(request);
    if (isCounted) input += whole.length;

    const names = beginnings(blocks.map(({ text }) => text));
    const marks = blocks.flatMap(({ isMarked }, n) => (isMarked ? [n] : []));
    const isKnown = (n: number): boolean =>
      marked.has(names[n] ?? '') && marks.some((mark) => n <= mark && mark < n + LOOK_BACK);
    const last = blocks.findLastIndex((_, n) => isKnown(n));
    if (isCounted) byBlocks += blocks.slice(0, last + 1).reduce((sum, { text }) => sum + text.length + 1, 0);
    for (const n of marks) marked.add(names[n] ?? '');

    const cut = Array.from({ length: Math.floor(whole.length / PIECE) }, (_, n) =>
      whole.slice(n * PIECE, (n + 1) * PIECE),
    );
    const begun = beginnings(cut);
    const first = begun.findIndex((name) => !pieces.has(name));
    if (isCounted) byBytes += PIECE * (first < 0 ? begun.length : first);
    for (const name of begun) pieces.add(name);
  }
  return { input, byBlocks, byBytes };
}

/** As people read it. */
export const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`;
