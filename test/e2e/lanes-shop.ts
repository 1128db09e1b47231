// A shop with items that do not depend on each other, for several lanes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventsOf, workshop, type Options, type Session, type Steps, type Workshop } from './workshop.ts';

export const thing = (item: number): string => `thing${item}`;

const itemsOf = (count: number): string =>
  JSON.stringify({
    features: Array.from({ length: count }, (_, i) => ({
      id: i + 1,
      category: 'bench',
      description: `Thing ${i + 1} is there`,
      test_file: `tests/${thing(i + 1)}.test`,
      passes: false,
    })),
  });

/** The honest work on one of them. */
export const make = (item: number): Steps => [
  { write: { path: `src/${thing(item)}`, text: `${thing(item)}\n` } },
  {
    write: {
      path: `tests/${thing(item)}.test`,
      text: `${thing(item)} is there|grep -q ${thing(item)} src/${thing(item)}\n`,
    },
  },
  'claim',
];
export const at = (item: number, ...steps: Steps): Session => ({ when: { item }, turns: [steps] });
/** Says that it is at work, and waits until the others are. */
export const meet = (item: number, others: readonly number[]): Steps => [
  { write: { path: `../at-${item}`, text: '' } },
  ...others.map((other) => ({ wait_for_file: `../at-${other}` })),
];

export function lanesShop(count: number, lanes: number, options: Options = {}): Workshop {
  const empty = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`tests/${thing(i + 1)}.test`, `${thing(i + 1)} is there|false\n`]),
  );
  return workshop({
    ...options,
    config: `lanes: ${lanes}\nverification: { fix_turns: 0 }\n${options.config ?? ''}`,
    files: { 'features.json': itemsOf(count), ...empty, ...options.files },
  });
}

/** Everything landed once, evidence holds, and nothing is left. */
export async function expectAllLanded(
  shop: Workshop,
  count: number,
  branches: readonly string[] = ['main'],
): Promise<void> {
  expect(shop.git('status', '--porcelain')).toBe('');
  expect(shop.features().every(({ passes }) => passes === true)).toBe(true);
  for (let item = 1; item <= count; item += 1) expect(existsSync(join(shop.root, `src/${thing(item)}`))).toBe(true);
  const landed = shop.git('log', '--format=%(trailers:key=Harness-Item,valueonly)', 'main').split('\n').filter(Boolean);
  expect(landed.toSorted()).toEqual(Array.from({ length: count }, (_, i) => String(i + 1)).toSorted());
  const all = await shop.harness('evidence', 'verify', '--all', '--json');
  expect(all.json()).toMatchObject({ holds: true });
  expect(shop.git('branch', '--format=%(refname:short)').split('\n')).toEqual(branches);
  const left = shop.git('for-each-ref', '--format=%(refname)', 'refs/harness/parked', 'refs/harness/wip');
  expect([left, shop.processes()]).toEqual(['', []]);
}

/** Items between whose start and end another one started, by the log. */
export function overlapping(shop: Workshop): readonly string[] {
  const order = [...eventsOf(shop, 'item-started'), ...eventsOf(shop, 'item-ended')] as unknown as readonly {
    readonly type: string;
    readonly item: string;
    readonly ts: string;
  }[];
  const sorted = order.toSorted((a, b) => a.ts.localeCompare(b.ts));
  const open = new Set<string>();
  const found = new Set<string>();
  for (const { type, item } of sorted) {
    if (type === 'item-ended') open.delete(item);
    else {
      if (open.size > 0) for (const one of [...open, item]) found.add(one);
      open.add(item);
    }
  }
  return [...found].toSorted();
}
