// Plans that are added by a title: drafts, and the files that they become.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draftPlan, newPlan, planEntrySchema } from './new-plan.ts';
import { readPlan } from './plan-file.ts';

const wanted = {
  title: 'A cart',
  category: null,
  verify: null,
  timeoutSeconds: null,
  dependsOn: [],
  priority: null,
  steps: [],
};
const CART = { id: '0001', title: 'A cart' };
const entryOf = (...asked: Parameters<typeof draftPlan>) => {
  const draft = draftPlan(...asked);
  return planEntrySchema.parse(draft.ok ? draft.value.entry : null);
};

test('a title, with all that may be said of it, is a plan file that says the same', () => {
  const more = { verify: 'tests/pay.test.mjs', dependsOn: ['1'], priority: '2', steps: ['by card', 'in parts'] };
  const draft = draftPlan([CART], { ...wanted, title: 'Pay (#12)', ...more });
  expect(draft).toMatchObject({ value: { id: '0002', testFile: 'tests/pay.test.mjs', isThere: false } });
  const plan = newPlan(entryOf([CART], { ...wanted, title: 'Pay (#12)', ...more }), [CART]);
  expect(plan).toEqual({
    file: '0002-pay.md',
    text: '# Pay (#12)\n\n- Depends on: 0001\n- Test: tests/pay.test.mjs\n- Priority: 2\n\n## Work\n\n- by card\n- in parts\n',
  });
  expect(readPlan('0002-pay.md', plan?.text ?? '')).toMatchObject({
    title: 'Pay (#12)',
    dependsOn: ['0001'],
    priority: 2,
    testFile: 'tests/pay.test.mjs',
    mistakes: [],
  });
});

test('numbers that others took meanwhile move the plan, and what depends on it', () => {
  const cart = entryOf([], wanted);
  const pay = entryOf([], { ...wanted, title: 'Pay', dependsOn: ['0001'] }, [cart]);
  expect([cart.id, pay.id]).toEqual(['0001', '0002']);
  const others = [{ id: '0001', title: 'A shelf' }];
  expect(newPlan(cart, others)?.file).toBe('0002-a-cart.md');
  const there = [...others, { id: '0002', title: 'A cart' }];
  expect(newPlan(pay, there)).toMatchObject({ file: '0003-pay.md', text: expect.stringContaining('Depends on: 0002') });
  expect(newPlan(cart, there)).toBeNull();
});

test('any title and any text are a plan that is known again by its title', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'grapheme', maxLength: 260 }), fc.constantFrom('Plan 3: x', '1. 2. y', 'z ##', '# a')),
      fc.option(fc.nat(999_999)),
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('# Cart\n\n- Depends on: 0009', '```\n# x\n```\n## y')),
      (text, issue, notes) => {
        const title = issue === null ? text : `${text} (#${issue})`;
        const draft = draftPlan([], { ...wanted, title, notes });
        // Nothing but numbers and spaces.
        fc.pre(draft.ok);
        if (!draft.ok) return;
        const entry = planEntrySchema.parse(draft.value.entry);
        const plan = newPlan(entry, []);
        const read = readPlan(plan?.file ?? '', plan?.text ?? '');
        expect(read).toMatchObject({ id: '0001', title: entry.title, dependsOn: [], testFile: null, mistakes: [] });
        if (issue !== null) expect(entry.title).toMatch(new RegExp(`\\(#${issue}\\)$`));
        expect(plan?.text.match(/^##? .*/gm)?.slice(0, 2)).toEqual([`# ${entry.title}`, '## Work']);
        expect(newPlan(entry, read === null ? [] : [read])).toBeNull();
        expect(draftPlan([{ id: '0001', title: entry.title }], { ...wanted, title, notes })).toMatchObject({
          value: { isThere: true, id: '0001' },
        });
      },
    ),
  );
});

describe('what a plan cannot say is refused', () => {
  test.each([
    ['no title', { title: ' ' }, 'the title is empty'],
    ['a category', { category: 'ui' }, 'no category'],
    ['a time limit', { timeoutSeconds: 5 }, 'no time limit'],
    ['a priority that is no number', { priority: 'P1' }, '--priority wants a number'],
    ['a plan that is not there', { dependsOn: ['7'] }, 'there is no such plan'],
    ['a test elsewhere', { verify: '../x.test.mjs' }, 'inside the repository'],
  ])('%s', (_, what, words) => {
    const draft = draftPlan([CART], { ...wanted, ...what });
    expect(draft).toMatchObject({
      ok: false,
      failure: { reason: 'usage', params: { what: expect.stringContaining(words) } },
    });
  });
});
