// What reaches which role: notes of people by phase, answers, findings, and what end-to-end tests left.
import { expect, test } from 'vitest';
import { contextOf } from '../../../test/support/read-context.ts';
import { configOf } from '../../../test/support/config.ts';
import type { RepositoryView } from '../../model/repository-view.ts';
import { fixer, implementer, mergeChecker, preparer, reviewer, uiReviewer } from './briefs.ts';
import { LIST } from './paths.ts';

const PHASES = ['implement', 'review', 'review-ui', 'fix', 'prepare-pr', 'merge-check'] as const;
const FILES: { readonly [path: string]: string } = {
  [LIST]: JSON.stringify({ plans: [{ id: '0001', name: '0001-cart', title: 'Cart', merged: false }] }),
  'docs/plans/0001-cart.md': '# Cart\n\nA cart holds goods.\n',
  ...Object.fromEntries(PHASES.map((phase) => [`docs/context/${phase}.md`, `note for ${phase}.`])),
  '.harness/delivery/0001.json': JSON.stringify({
    schema: 1,
    passes: [],
    accepted: [],
    answers: [{ role: 'implementer', need: 'the bank', note: 'It is Fidelia.', at: 'then' }],
  }),
  '.harness/delivery/0001/e2e/artifacts.json': JSON.stringify({
    files: [{ path: 'report/index.html', bytes: 12 }],
    leftOut: 0,
  }),
};
const view = {
  read: (path: string) => Promise.resolve(FILES[path] ?? null),
  changedSince: () => Promise.resolve(['src/cart.mjs']),
} as unknown as RepositoryView;
const e2e = { command: 'npm run e2e', artifactDirs: ['report'], timeoutMinutes: 5 };
const paths = { backlog: LIST, progress: '.harness/delivery.log', stateDir: '.harness' };
const context = contextOf(view, configOf({ e2e, paths }));

const at = { item: '0001', since: 'abc' };
const finding = { severity: 'high', title: 'no total', path: 'src/cart.mjs', quote: 'a', why: 'b' } as const;
const texts = {
  implement: () => implementer.text(context, { item: '0001', attempt: 1, partial: null, failed: [], first: [] }),
  review: () => reviewer.text(context, { ...at, output: '', pass: 1, most: 5 }),
  'review-ui': () => uiReviewer.text(context, { ...at, pages: 'heading "Cart"', pass: 1, most: 5 }),
  fix: () => fixer.text(context, { ...at, findings: [finding], output: 'not ok 1 - the total' }),
  'prepare-pr': () => preparer.text(context, at),
  'merge-check': () => mergeChecker.text(context, { ...at, title: 'Add', body: 'B', checks: 'ci: passed' }),
};

test.each(PHASES)(
  'the role of the phase %s gets the notes of its phase and no others, the plan, and the answers',
  async (phase) => {
    const text = await texts[phase]();
    expect(PHASES.filter((one) => text.includes(`note for ${one}.`))).toEqual([phase]);
    for (const part of ['A cart holds goods.', 'It is Fidelia.']) expect(text).toContain(part);
  },
);

test('what the browser showed, what the tests printed and what they left reach who works with it', async () => {
  expect(await texts['review-ui']()).toContain('heading "Cart"');
  const fixing = await texts.fix();
  for (const part of ['no total', 'not ok 1 - the total', 'npm run e2e']) expect(fixing).toContain(part);
  const merging = await texts['merge-check']();
  for (const part of ['.harness/delivery/0001/e2e', 'report/index.html', '12 bytes']) expect(merging).toContain(part);
});
