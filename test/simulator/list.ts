// The list of a simulated repository: its items, and where the work of each lies.
import type { Dice } from './chance.ts';
import type { Tree } from './repository.ts';

/** The test of an item passes exactly where its work is done, and, if it needs to be alone with a thing, no other item has that thing too. */
export const isTrue = (tree: Tree, item: string): boolean =>
  tree.get(workOf(item)) === DONE && !(tree.has(aloneOf(item)) && othersAlone(tree, item).length > 0);
export const aloneOf = (item: string): string => `alone/${item}`;
export const othersAlone = (tree: Tree, item: string): readonly string[] =>
  [...tree.keys()].filter((path) => path.startsWith('alone/') && path !== aloneOf(item));
export const workOf = (item: string): string => `src/f${item}.txt`;
export const DONE = 'works\n';

export type Item = {
  readonly id: number;
  readonly passes: boolean;
  readonly skipped?: unknown;
  readonly failing?: unknown;
  readonly verification_steps?: readonly string[];
};
export const itemsIn = (tree: Tree): readonly Item[] =>
  (JSON.parse(tree.get('features.json') ?? '{"features":[]}') as { features: readonly Item[] }).features;

export const testOf = (item: string): string => `tests/f${item}.test`;
export const itemOfTest = (test: string): string => /f(\d+)\.test/.exec(test)?.[1] ?? '';

export function drawBacklog(dice: Dice): string {
  const items = Array.from({ length: dice.between(3, 30) }, (_, n) => {
    const id = n + 1;
    const depends = id > 1 && dice.happens(0.5) ? [dice.between(1, id - 1)] : [];
    const steps = dice.happens(0.04) ? 9 : 2;
    const kind = dice.weighed({ automated: 88, hybrid: 8, manual: 4 });
    return {
      id,
      category: 'shop',
      description: `User can do ${id}`,
      test_file: `tests/f${id}.test`,
      verification_steps: Array.from({ length: steps }, (_, step) => `Step ${step}`),
      ...(depends.length > 0 ? { depends_on: depends } : {}),
      ...(kind === 'automated' ? {} : { verification_type: kind, manual_checks: ['It feels right'] }),
      passes: false,
    };
  });
  return `${JSON.stringify({ project: 'simulated', features: items }, null, 2)}\n`;
}
