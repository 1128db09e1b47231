// One agent against one tool: a world of its own, a picture before and after, the truth about what landed, a judgement.
import type { Card, VerdictName } from './card.ts';
import { differences, pictureOf } from './picture.ts';
import type { Tool } from './tools/tool.ts';
import { truthOf, type Truth } from './truth.ts';
import { makeWorld } from './world.ts';

/** right · landed what must not · did not land what must · the verdict is right, but the repository or its surroundings are not */
export type Judgement = 'right' | 'wrong landing' | 'wrong rejection' | 'left behind';
export type Result = {
  readonly agent: string;
  readonly does: string;
  readonly expected: readonly VerdictName[];
  readonly verdict: VerdictName;
  readonly judgement: Judgement;
  /** Nothing outside of the agent shows whether its work is true. */
  readonly isUndecidable: boolean;
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  /** What is not as it was and should be. */
  readonly differences: readonly string[];
  /** Of what landed; null: nothing did. */
  readonly truth: Truth | null;
  readonly seconds: number;
  readonly said: string;
};

export async function judge(card: Card, tool: Tool): Promise<Result> {
  const world = makeWorld(card, tool.files(card));
  try {
    const before = pictureOf(world, tool.records);
    const from = performance.now();
    const { verdict, reasons, warnings, said } = await tool.run(card, world);
    const seconds = (performance.now() - from) / 1000;
    // A workflow leaves its work in the work tree until its user has decided.
    const isPending = card.playbook === 'workflow' && verdict !== 'land';
    const found = isPending ? [] : differences(world, before, pictureOf(world, tool.records), verdict, tool.records);
    const truth = verdict === 'land' ? truthOf(world) : null;
    const isRight = card.right.includes(verdict);
    const isTrue = truth === null || (truth.older && (truth.item || card.undecidable === true));
    const judgement =
      verdict === 'land' && !(isRight && isTrue)
        ? 'wrong landing'
        : !isRight
          ? 'wrong rejection'
          : found.length > 0
            ? 'left behind'
            : 'right';
    const { name: agent, does, right: expected } = card;
    const isUndecidable = card.undecidable === true;
    return {
      agent,
      does,
      expected,
      verdict,
      judgement,
      isUndecidable,
      reasons,
      warnings,
      differences: found,
      truth,
      seconds,
      said,
    };
  } finally {
    world.remove();
  }
}

/** So many at the same time, in order; each result is a promise of its own. */
export function judgeAll(cards: readonly Card[], tool: Tool, jobs: number): readonly Promise<Result>[] {
  const turns = Array.from({ length: jobs }, () => Promise.resolve());
  let next = 0;
  const slots = cards.map(() => Promise.withResolvers<Result>());
  const worker = async (): Promise<void> => {
    for (let at = next++; at < cards.length; at = next++) {
      const card = cards[at];
      const slot = slots[at];
      if (card === undefined || slot === undefined) return;
      await judge(card, tool).then(slot.resolve, slot.reject);
    }
  };
  for (const turn of turns) void turn.then(worker);
  return slots.map((slot) => slot.promise);
}
