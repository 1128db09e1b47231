import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAcceptance } from './acceptance.ts';
import { draftProblems, idText, isTestPath, renumbered, type PlansDraft, type PlanDraft } from './plan-draft.ts';
import { planName, readPlan, type PlanHead } from './plan-file.ts';

const ACCEPTANCE = readAcceptance('- CART-1: goods can be added\n- CART-2: the total is shown\n');
const plan = (
  id: string,
  { on = '', tags = 'CART-1', test: file = `tests/${id}.test.mjs`, work = 'Build it.', more = '' } = {},
): PlanDraft => ({
  file: `${id}-piece.md`,
  text: `# Piece ${id}\n\n- Depends on: ${on}\n- Test: ${file}\n- Tags: ${tags}\n${more}\n## Work\n\n${work}\n`,
});
const headOf = ({ file, text }: PlanDraft): PlanHead => {
  const head = readPlan(file, text);
  if (head === null) throw new Error(`${file} is no plan`);
  return head;
};
const draft = (plans: readonly PlanDraft[], more: Partial<PlansDraft> = {}): PlansDraft => ({
  plans,
  existing: [],
  acceptance: ACCEPTANCE,
  acceptanceFile: '.harness/plan/acceptance.md',
  reserved: ['docs/plans', '.harness'],
  ...more,
});
const GOOD = [plan('0001'), plan('0002', { on: '0001', tags: 'CART-2' })];
const whys = (of: PlansDraft): readonly unknown[] =>
  draftProblems(of).map(({ code, params }) => (code === 'plan-draft-invalid' ? params['why'] : code));

describe('drafted plans', () => {
  test('fit where each criterion has a plan, each plan a test, and each dependency exists', () => {
    expect(draftProblems(draft(GOOD))).toEqual([]);
  });

  test('a second specification adds plans after those that are there, whose tags count too', () => {
    const existing = GOOD.map(headOf);
    expect(draftProblems(draft([plan('0003', { on: '0002', tags: 'cart-1' })], { existing }))).toEqual([]);
    expect(whys(draft([plan('0002', { tags: 'CART-1' })], { existing }))).toEqual(['number-taken']);
  });

  const [first = plan('0001'), second = plan('0002')] = GOOD;
  test.each<readonly [string, readonly PlanDraft[], readonly string[]]>([
    ['nothing', [], ['plan-draft-missing', 'plan-tag-uncovered', 'plan-tag-uncovered']],
    ['a file of another name', [...GOOD, { file: 'notes.md', text: '# Notes' }], ['name-of-no-plan']],
    ['one number twice', [...GOOD, { ...second, file: '0002-other.md' }], ['number-twice']],
    ['an unknown dependency', [first, plan('0002', { on: '0009', tags: 'CART-2' })], ['dependency-unknown']],
    ['a plan that waits for itself', [first, plan('0002', { on: '0002', tags: 'CART-2' })], ['depends-on-itself']],
    ['a circle', [plan('0001', { on: '0002' }), second], ['dependencies-in-a-circle']],
    ['a dependency that is no number', [first, plan('0002', { on: 'cart', tags: 'CART-2' })], ['unreadable-line']],
    ['a tag of no criterion', [first, plan('0002', { tags: 'CART-2, CART-9' })], ['tag-not-defined']],
    ['a criterion without a plan', [first], ['plan-tag-uncovered']],
    ['no test', [first, plan('0002', { tags: 'CART-2', test: 'none' })], ['test-missing']],
    ['a test elsewhere', [first, plan('0002', { tags: 'CART-2', test: '../x.test.mjs' })], ['test-elsewhere']],
    ['no work', [first, plan('0002', { tags: 'CART-2', work: '---\n\n```\ncode\n```'.slice(0, 3) })], ['work-missing']],
    ['a text without an end', [first, plan('0002', { tags: 'CART-2', work: 'x'.repeat(20_001) })], ['plan-too-long']],
  ])('with %s are returned', (_what, plans, expected) => {
    expect(whys(draft(plans))).toEqual(expected);
  });

  test('without acceptance criteria are returned, and mistakes of these too', () => {
    expect(whys(draft(GOOD, { acceptance: null }))).toEqual(['acceptance-missing']);
    const acceptance = readAcceptance('- CART-1: goods\n- CART-2: total\n- CART-1: again\n');
    expect(whys(draft(GOOD, { acceptance }))).toEqual(['tag-repeated']);
  });

  test.each(['tests/a.test.mjs', 'a.py', 'src/ü/x.test.ts'])('%s may be a test', (path) => {
    expect(isTestPath(path, ['docs/plans', '.harness'])).toBe(true);
  });
  test.each([
    '',
    '/etc/passwd',
    '../a',
    'a/../../b',
    './a',
    'a//b',
    'C:\\a',
    'a\\b',
    '.git/hooks/x',
    '.GIT/x',
    '.harness/x',
    'docs/plans',
    'docs/plans/0001-x.md',
  ])('%j is no path of a test', (path) => {
    expect(isTestPath(path, ['docs/plans', '.harness'])).toBe(false);
  });
});

describe('numbers', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });

  test('that others took meanwhile are given again, with every mention in the drafts', () => {
    const moved = renumbered(GOOD, [{ id: '0001' }, { id: '0004' }]);
    expect(moved.map(({ file }) => file)).toEqual(['0005-piece.md', '0006-piece.md']);
    expect(moved.map((one) => headOf(one).dependsOn)).toEqual([[], ['0005']]);
    expect(moved[0]?.text).toContain('tests/0005.test.mjs');
  });

  test('never collide with those that are there, and keep the order and the graph of the drafts', () => {
    fc.assert(
      fc.property(ids, ids, (drafts, there) => {
        const sorted = drafts.toSorted((a, b) => a - b).map(idText);
        const plans = sorted.map((id, n) => plan(id, { on: n === 0 ? '' : (sorted[n - 1] ?? '') }));
        const existing = there.map((id) => ({ id: idText(id) }));
        const moved = renumbered(plans, existing);
        const numbers = moved.map(({ file }) => planName(file)?.id ?? '');
        const isFree = Math.min(...drafts) > Math.max(...there);
        if (isFree) expect(moved).toEqual(plans);
        expect(numbers.every((id) => !existing.some((one) => one.id === id))).toBe(true);
        expect(new Set(numbers).size).toBe(numbers.length);
        expect(moved.map((one) => headOf(one).dependsOn)).toEqual(
          numbers.map((_, n) => (n === 0 ? [] : [numbers[n - 1]])),
        );
      }),
    );
  });

  test('any drafts are judged, and what fits has no taken number, no unknown dependency and no circle', () => {
    const one = fc.record({ id: fc.integer({ min: 1, max: 9 }), on: fc.integer({ min: 0, max: 9 }) });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 6 }), fc.integer({ min: 0, max: 4 }), (drafts, last) => {
        const existing = Array.from({ length: last }, (_, n) => headOf(plan(idText(n + 1))));
        const plans = drafts.map(({ id, on }) =>
          plan(idText(id), { on: on === 0 ? '' : idText(on), tags: 'CART-1, CART-2' }),
        );
        if (draftProblems(draft(plans, { existing })).length > 0) return;
        const seen = new Set(existing.map(({ id }) => id));
        const waiting = new Map(plans.map((p) => [headOf(p).id, headOf(p).dependsOn]));
        expect(waiting.size).toBe(plans.length);
        expect([...waiting.keys()].some((id) => seen.has(id))).toBe(false);
        // All can be worked on, one after the other.
        for (let n = 0; n < plans.length; n += 1)
          for (const [id, on] of waiting) if (on.every((other) => seen.has(other))) seen.add(id);
        expect([...waiting.keys()].every((id) => seen.has(id))).toBe(true);
      }),
    );
  });
});
