// The index of plans: derived from files, with the decisions of before, and read as any other list.
import { expect, test } from 'vitest';
import { backlog } from './backlog.ts';
import { readPlan, type PlanHead } from './plan-file.ts';
import { derive, indexText, readIndex, sameNumbers } from './plan-index.ts';

function head(file: string, text = ''): PlanHead {
  const plan = readPlan(file, text);
  if (plan === null) throw new Error(`${file} is no plan`);
  return plan;
}
const FILES = [
  { head: head('0003-pay.md', '# Pay\nDepends on: 0002\n'), merged: false },
  { head: head('0002-cart.md', '# Cart\nDepends on: 0001\nTest: tests/cart.test.mjs\n'), merged: false },
  { head: head('0001-login.md', '# Login\n'), merged: true },
];
const TEXT = indexText(derive(FILES, { plans: [] }));
const listOf = (text: string) => {
  const read = backlog.read(text, 'plans.json');
  if (!read.ok) throw new Error(read.failure.reason);
  return read.value;
};

test('plans are items by number, and what they depend on decides which is next', () => {
  const list = listOf(TEXT);
  expect(list.items.map(({ id, status, blockedBy }) => [id, status, blockedBy])).toEqual([
    ['0001', 'landed', []],
    ['0002', 'ready', []],
    ['0003', 'pending', ['0002']],
  ]);
  expect(list.next()).toBe('0002');
  expect(list.next({ taken: new Set(['0002']) })).toBeNull();
  expect(list.canStart('0003')).toBe(false);
  expect(list.subject('0002')).toMatchObject({ testFile: 'tests/cart.test.mjs', passes: false, dependents: ['0003'] });
  const merged = listOf(backlog.change(TEXT, '0002', { type: 'landed' }));
  expect(merged.next()).toBe('0003');
});

test('a decision survives the next derivation, and ends with the merge', () => {
  const skipped = backlog.change(TEXT, '0002', { type: 'skipped', reason: 'later', unblock: true });
  const kept = readIndex(skipped, '');
  if (!kept.ok) throw new Error('unreadable');
  const again = indexText(derive(FILES, kept.value));
  expect(JSON.parse(again)).toEqual(JSON.parse(skipped));
  expect(listOf(again).items.map(({ status }) => status)).toEqual(['landed', 'skipped', 'ready']);
  const merged = FILES.map((file) => ({ ...file, merged: true }));
  expect(indexText(derive(merged, kept.value))).not.toContain('later');
});

test('a skipped plan blocks those that depend on it, unless they are freed', () => {
  const skipped = backlog.change(TEXT, '0002', { type: 'skipped', reason: 'later', unblock: false });
  expect(listOf(skipped).items.map(({ status }) => status)).toEqual(['landed', 'skipped', 'blocked']);
});

test('a plan in both folders is merged; two numbers in one folder are named', () => {
  const both = derive([...FILES, { head: head('0002-cart.md'), merged: true }], { plans: [] });
  expect(both.plans.map(({ id, merged }) => [id, merged])).toEqual([
    ['0001', true],
    ['0002', true],
    ['0003', false],
  ]);
  expect(sameNumbers([head('0001-a.md'), head('0001-b.md'), head('0002-c.md')])).toEqual(['0001-a.md, 0001-b.md']);
});

test('a dependency without a plan, on itself and in a cycle is a mistake', () => {
  const text = (...plans: PlanHead[]) =>
    indexText(
      derive(
        plans.map((one) => ({ head: one, merged: false })),
        { plans: [] },
      ),
    );
  const causes = (one: string) => {
    const read = backlog.read(one, 'plans.json');
    return read.ok ? [] : (read.failure.causes ?? []).map(({ reason }) => reason);
  };
  expect(causes(text(head('0001-a.md', 'Depends on: 7\n')))).toEqual(['dependency-missing']);
  expect(causes(text(head('0001-a.md', 'Depends on: 1\n')))).toEqual(['dependency-self']);
  const cycle = text(head('0001-a.md', 'Depends on: 2\n'), head('0002-b.md', 'Depends on: 1\n'));
  expect(causes(cycle)).toEqual(['dependency-cycle']);
  expect(backlog.cycle?.(cycle)?.items).toEqual(['0001', '0002']);
});
