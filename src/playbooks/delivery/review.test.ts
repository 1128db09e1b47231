// review ↔ fix, with end-to-end tests and the review of the user interface inside: what comes when, and how it ends.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { closingAt, deliveryRun, type DeliveryStory } from '../../../test/support/delivery.ts';
import { strength, verdict } from '../../../test/support/outcomes.ts';
import { review } from './review.ts';

const HIGH = '### High: it is shared\nPath: src/cart.mjs\nQuote: export const cart = 1;';
const SEEN = '### High: no total\nQuote: heading "Cart"';
const e2e = { command: 'npm run e2e', artifactDirs: ['report'], timeoutMinutes: 5 };
const devServer = {
  command: 'npm run dev',
  url: 'http://127.0.0.1:4173',
  pages: ['/'],
  browser: null,
  startSeconds: 5,
  pageSeconds: 5,
};
const all = configOf({ e2e, devServer });
const held = { verdict: verdict(), strength: strength(), decided: null };

async function reviewed(
  story: DeliveryStory,
  { config = all, reached = undefined as string | undefined, phase = null as string | null } = {},
) {
  const played = deliveryRun(story);
  const runOptions = { ...config.runOptions, phase };
  const first = reached === undefined ? held : { ...held, asBefore: true as const };
  const end = await review(played.run, closingAt(reached), first, { ...config, runOptions });
  return { ...played, end };
}

test('a clean review is followed by the end-to-end tests, and those by the pages', async () => {
  const { did, end, asked } = await reviewed({ changed: ['public/index.html'] });
  expect(did).toEqual(['reviewer', 'e2e', 'pages-look', 'ui-reviewer']);
  expect(end).toMatchObject({ is: 'accepted' });
  expect(asked.find(({ kind }) => kind === 'check')).toMatchObject({
    purpose: 'e2e',
    once: true,
    mustStart: true,
    keeps: { folders: ['report'], into: '.harness/delivery/0001/e2e' },
    checks: [{ name: 'e2e', command: 'npm run e2e', timeoutMs: 300_000 }],
  });
});

test('what blocks in one of them is fixed before the next begins, and counts as a pass', async () => {
  const { did, end } = await reviewed({
    says: { reviewer: [HIGH, 'No findings.'], 'ui-reviewer': [SEEN, 'No findings.'] },
    e2e: ['fails', 'hangs', 'passes'],
  });
  const pass = ['reviewer', 'e2e', 'pages-look', 'ui-reviewer'];
  const fixed = (n: number): readonly string[] => [...pass.slice(0, n), 'fixer'];
  expect(did).toEqual([...fixed(1), ...fixed(2), ...fixed(2), ...fixed(4), ...pass]);
  expect(end).toMatchObject({ is: 'accepted' });
});

test('failing end-to-end tests are proven findings: the fixer gets them with the output', async () => {
  const { asked } = await reviewed({ e2e: ['fails', 'passes'] });
  const fixing = asked.find((one) => one.kind === 'session' && one.role === 'fixer');
  expect(fixing).toMatchObject({
    say: { input: { output: expect.stringContaining('3 passed'), findings: [{ title: 'The end-to-end tests fail' }] } },
  });
});

test('a quote of what the browser showed, or of a file, is evidence; any other is an opinion', async () => {
  const invented = SEEN.replace('heading "Cart"', 'heading "Basket"');
  const fixes = async (finding: string, isInFiles: boolean): Promise<boolean> =>
    (await reviewed({ isInFiles, says: { 'ui-reviewer': [finding, 'No findings.'] } })).did.includes('fixer');
  expect([await fixes(SEEN, false), await fixes(invented, true), await fixes(invented, false)]).toEqual([
    true,
    true,
    false,
  ]);
});

test('what a fix changes elsewhere is taken back, but where a symptom names no file', async () => {
  const restored = async (story: DeliveryStory): Promise<unknown> => {
    const { asked } = await reviewed({ ...story, fixed: ['src/else.mjs'] });
    return asked.flatMap((one) => (one.kind === 'restore' ? one.paths : []));
  };
  expect(await restored({ says: { reviewer: [HIGH, 'No findings.'] } })).toEqual(['src/else.mjs']);
  expect(await restored({ e2e: ['fails', 'passes'] })).toEqual([]);
});

test('a server that does not start is a finding of the harness', async () => {
  const pages = { problems: [{ code: 'pages-server-ended', params: { tail: 'port' } }], text: '', folder: '' };
  const { did } = await reviewed({ pages, answers: ['stop'] });
  expect(did.slice(0, 4)).toEqual(['reviewer', 'e2e', 'pages-look', 'fixer']);
  expect(did).not.toContain('ui-reviewer');
});

describe('a plan that does not change the user interface', () => {
  test.each([
    [['src/cart.mjs'], ['public'], false],
    [['public/index.html'], ['./public/'], true],
    [['publicity.md'], ['public'], false],
    [[], [], true],
  ] as const)('%j below %j: %s', async (changed, appPaths, isLookedAt) => {
    const { asked } = await reviewed({ changed }, { config: { ...all, appPaths } });
    // Nothing changed since the review began, which is asked with another revision.
    expect(asked.some(({ kind }) => kind === 'pages')).toBe(isLookedAt);
  });
});

test('--skip-e2e leaves them out and is remembered for the pull request', async () => {
  const config = { ...all, devServer: null, runOptions: { 'skip-e2e': 'yes' } };
  const { did, asked } = await reviewed({}, { config });
  expect(did).toEqual(['reviewer']);
  expect(JSON.stringify(asked)).toContain('"e2e":{"result":"skipped"');
});

test.each(['continue', 'merge', 'stop'])(
  'merged by a user while they were asked, whatever they answer (%s): nothing more is paid for',
  async (answer) => {
    const { did, end } = await reviewed(
      {
        says: { reviewer: [HIGH] },
        answers: [answer],
        pulls: [{ state: 'merged', head: 'as it was before' }],
      },
      { config: { ...all, agent: { ...all.agent, maxReviewPasses: 1 } } },
    );
    expect(did).toEqual(['reviewer', 'ask:delivery-review']);
    expect(end).toMatchObject({ is: 'decided', decision: { do: 'save', why: 'overtaken' } });
  },
);

describe('a single phase', () => {
  test.each([
    ['implement', undefined, {}, [], 'implement'],
    ['review', 'implement', {}, ['reviewer', 'e2e', 'pages-look', 'ui-reviewer'], 'review'],
    ['review', 'implement', { says: { reviewer: [HIGH] } }, ['reviewer'], 'findings'],
    ['review', 'merge-check', {}, ['reviewer', 'e2e', 'pages-look', 'ui-reviewer'], 'review'],
    ['preflight', 'review', {}, [], 'preflight'],
  ] as const)('%s of work that has reached %s', async (phase, reached, story, roles, after) => {
    const { did, end } = await reviewed(story, { reached: reachedOf(reached), phase });
    expect(did).toEqual(roles);
    expect(end).toEqual({ is: 'decided', decision: { do: 'save', why: 'phase', failure: null, reached: after } });
  });

  test('fix takes the findings of the review before it, and no other role is asked', async () => {
    const finding = { severity: 'high', title: 'x', path: 'a', quote: 'const a = 1;', why: '' };
    const record = { passes: [{ findings: [{ ...finding, proven: true, origin: 'change' }] }] };
    const { did, end } = await reviewed({ record }, { reached: 'findings', phase: 'fix' });
    expect(did).toEqual(['fixer']);
    expect(end).toMatchObject({ decision: { why: 'phase', reached: 'fix' } });
  });

  test('work that was changed since is reviewed again, whatever it had reached', async () => {
    const { run, did } = deliveryRun();
    await review(run, closingAt('review'), held, all);
    expect(did[0]).toBe('reviewer');
  });
});

const reachedOf = (at: string | undefined): string | undefined =>
  at === 'merge-check' ? `${at} ${'a'.repeat(40)} ${'b'.repeat(40)}` : at;

test('a reviewer without an answer is asked again by the next session, without another one of the implementer', async () => {
  const { end } = await reviewed({ says: { reviewer: ['hm'] } });
  expect(end).toMatchObject({ decision: { do: 'save', why: 'review', reached: 'implement' } });
});

test('a role that needs a user is answered and asked again', async () => {
  const { did, end } = await reviewed({
    says: { reviewer: ['NEEDS: the price list', HIGH, 'No findings.'], fixer: ['NEEDS: a currency', 'Fixed.'] },
  });
  expect(did.slice(0, 6)).toEqual([
    'reviewer',
    'ask:delivery-needs',
    'reviewer',
    'fixer',
    'ask:delivery-needs',
    'fixer',
  ]);
  expect(end).toMatchObject({ is: 'accepted' });
});

test('whatever is found, it ends: accepted with nothing that blocks, or by the user', async () => {
  const answer = fc.constantFrom('No findings.', HIGH, 'NEEDS: a key', '- Low: a name', 'hm');
  const story = fc.record({
    says: fc.record({
      reviewer: fc.array(answer, { minLength: 1, maxLength: 6 }),
      'ui-reviewer': fc.array(fc.constantFrom('No findings.', SEEN, 'hm'), { minLength: 1, maxLength: 4 }),
    }),
    e2e: fc.array(fc.constantFrom('passes' as const, 'fails' as const, 'hangs' as const), {
      minLength: 1,
      maxLength: 5,
    }),
    answers: fc.array(fc.constantFrom('continue', 'stop', 'merge'), { minLength: 1, maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(story, fc.integer({ min: 1, max: 3 }), async (drawn, most) => {
      const config = { ...all, agent: { maxReviewPasses: most } };
      const last = [...drawn.answers, 'stop'];
      const { did, end } = await reviewed({ ...drawn, answers: last }, { config });
      if (end.is !== 'accepted') return;
      const byUser = did.includes('ask:delivery-review');
      // Nothing is fixed after what was looked at last, unless the user let it pass.
      expect(byUser || did.at(-1) === 'ui-reviewer').toBe(true);
    }),
    { numRuns: 100 },
  );
});
