// What end-to-end tests print, as their runners do.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { e2eFindings, failingIn } from './e2e-output.ts';

const PLAYWRIGHT = `
Running 2 tests using 1 worker

  ✓  1 [chromium] › tests/home.spec.ts:3:1 › the shop opens (312ms)
  ✘  2 [chromium] › tests/cart.spec.ts:5:1 › shows the total (5.1s)

  1) [chromium] › tests/cart.spec.ts:5:1 › shows the total ──────────────────────

    Error: Timed out 5000ms waiting for expect(locator).toHaveText(expected)

  1 failed
    [chromium] › tests/cart.spec.ts:5:1 › shows the total ──────────────────────
  1 passed (6.2s)
`;

test.each([
  ['Playwright', PLAYWRIGHT, 'shows the total'],
  ['TAP', 'ok 1 - opens\nnot ok 2 - shows the total\n# fail 1\n', 'shows the total'],
  ['node --test', '✔ opens (1.2ms)\n✖ shows the total (12.3ms)\nℹ fail 1\n\n✖ failing tests:\n', 'shows the total'],
  ['Vitest', ' FAIL  e2e/cart.test.ts > shows the total\nTests  1 failed | 3 passed (4)\n', 'shows the total'],
  ['Jest', '  ✕ shows the total (12 ms)\n  ✓ opens\n', 'shows the total'],
  ['Cypress', '  1 passing\n  1 failing\n\n  1) Cart shows the total:\n     AssertionError\n', 'shows the total'],
  ['pytest', 'FAILED tests/test_cart.py::test_total - AssertionError: 1 != 2\n', 'test_total'],
  ['go', '--- FAIL: TestTotal (0.00s)\nFAIL\n', 'TestTotal'],
])('the failing test is named in the output of %s', (_, output, name) => {
  const names = failingIn(output);
  expect(names.length).toBeGreaterThan(0);
  expect(names.every((one) => one.includes(name))).toBe(true);
});

test('tests that passed, and tests that are planned, are not named', () => {
  expect(failingIn('ok 1 - opens\nnot ok 2 - later # TODO\n✓ 3 [chromium] › a.spec.ts:1:1 › opens\n')).toEqual([]);
});

test('each failing test is a finding that blocks; the output is in the first', () => {
  const [first, ...others] = e2eFindings('not ok 1 - a cart\nnot ok 2 - a shop\nlast line\n', { minutes: null });
  expect(first).toMatchObject({ severity: 'high', title: 'End-to-end test fails: a cart', proven: true, by: 'e2e' });
  expect(first?.why).toContain('last line');
  expect(others).toMatchObject([{ title: 'End-to-end test fails: a shop', why: '' }]);
  expect(e2eFindings('boom', { minutes: null })).toMatchObject([{ title: 'The end-to-end tests fail', why: 'boom' }]);
  expect(e2eFindings('', { minutes: 3 })).toMatchObject([{ title: expect.stringContaining('within 3 minutes') }]);
});

const signs = [...'ab1)(-:[]›✖✕×─.\n\n\r \t'.split(''), '\u0000', '\u001B[31m', 'not ok ', 'FAIL', '\uD83D'];
const output = fc.array(fc.constantFrom(...signs), { maxLength: 400 }).map((all) => all.join(''));

test('any output makes at least one finding, and not too many or too long ones', () => {
  fc.assert(
    fc.property(output, (text) => {
      const found = e2eFindings(text, { minutes: null });
      expect(found.length).toBeGreaterThan(0);
      expect(found.length).toBeLessThanOrEqual(20);
      for (const { title, why } of found) expect(title.length + why.length).toBeLessThan(5_000);
    }),
  );
});
