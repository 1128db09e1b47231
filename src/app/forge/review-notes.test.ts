import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withKey } from '../../forge/marker.ts';
import { checksOf, type Check, type Comment } from '../../forge/port.ts';
import { checkNotes, reviewNotes, type ReviewNotes } from './review-notes.ts';

const PULL = { number: 4, state: 'open', mergeable: 'yes', head: { branch: 'harness/2', sha: 'aaa' } } as const;
const NONE: ReviewNotes = { findings: [], seen: [] };
const said = (id: string, more: Partial<Comment> = {}): Comment => ({
  id,
  kind: 'comment',
  author: 'Grace',
  isTrusted: true,
  body: `words of ${id}`,
  at: '2026-03-01T08:00:00Z',
  path: null,
  line: null,
  verdict: null,
  ...more,
});

test('a comment is a finding once, with its place', () => {
  const first = reviewNotes(NONE, PULL, [said('1', { path: 'src/cart.mjs', line: 3 })]);
  expect(first.findings).toEqual([
    { code: 'review-comment', params: { author: 'Grace', place: 'src/cart.mjs:3', words: 'words of 1' } },
  ]);
  expect(reviewNotes({ ...first, findings: [] }, PULL, [said('1'), said('2')]).findings).toHaveLength(1);
});

test.each([
  ['of the harness itself', { body: withKey('It landed.', 'landed 2') }],
  ['of someone who may not change the repository', { isTrusted: false }],
  ['an approval', { verdict: 'approved', body: 'Looks good.' }],
  ['no words', { body: ' \n' }],
] as const)('%s asks for nothing', (_, more) => {
  expect(reviewNotes(NONE, PULL, [said('1', more)]).findings).toEqual([]);
});

test('a refusal without words asks for changes', () => {
  const refused = said('1', { verdict: 'changes-requested', body: '' });
  expect(reviewNotes(NONE, PULL, [refused]).findings).toMatchObject([{ code: 'review-comment' }]);
});

test('a conflict with the base branch is said once for each state of the branch', () => {
  const conflicting = { ...PULL, mergeable: 'no' } as const;
  const first = reviewNotes(NONE, conflicting, []);
  expect(first.findings).toMatchObject([{ code: 'merge-refused' }]);
  expect(reviewNotes({ ...first, findings: [] }, conflicting, []).findings).toEqual([]);
  const moved = { ...conflicting, head: { branch: 'harness/2', sha: 'bbb' } };
  expect(reviewNotes({ ...first, findings: [] }, moved, []).findings).toHaveLength(1);
});

test('looking again adds nothing, whatever was said', () => {
  const comments = fc.uniqueArray(
    fc.record({ id: fc.string(), body: fc.string(), isTrusted: fc.boolean() }).map(({ id, ...more }) => said(id, more)),
    { selector: ({ id }) => id, maxLength: 6 },
  );
  fc.assert(
    fc.property(comments, (all) => {
      const once = reviewNotes(NONE, PULL, all);
      expect(reviewNotes(once, PULL, all)).toEqual(once);
    }),
  );
});

const check = (name: string, state: Check['state'], summary = ''): Check => ({ name, state, url: null, summary });
const names = ({ findings }: ReviewNotes): readonly unknown[] => findings.map(({ params }) => params['name']);

test('a check that failed is a finding with its last lines, once for each commit', () => {
  const red = checksOf('aaa', [check('lint', 'passed'), check('ci', 'failed', `${'x'.repeat(3_000)}the end`)]);
  const first = checkNotes(NONE, red);
  expect(first.findings).toMatchObject([{ code: 'ci-failed', params: { name: 'ci' } }]);
  const summary = String(first.findings[0]?.params['summary']);
  expect([summary.length, summary.endsWith('the end')]).toEqual([2_000, true]);
  // A session has answered it, and the commit is the same: it is for people.
  expect(checkNotes({ ...first, findings: [] }, red).findings).toEqual([]);
  expect(names(checkNotes({ ...first, findings: [] }, { ...red, sha: 'bbb' }))).toEqual(['ci']);
});

test('a check that was run again and passes is no finding any more; it is one if it fails again', () => {
  const first = checkNotes(NONE, checksOf('aaa', [check('ci', 'failed'), check('lint', 'failed')]));
  const again = checkNotes(first, checksOf('aaa', [check('ci', 'pending'), check('lint', 'failed')]));
  expect(names(again)).toEqual(['lint']);
  expect(names(checkNotes(again, checksOf('aaa', [check('ci', 'failed'), check('lint', 'failed')])))).toEqual([
    'lint',
    'ci',
  ]);
});

test('whatever checks say, looking again adds nothing, and comments stay', () => {
  const checks = fc.array(
    fc.record({
      name: fc.constantFrom('ci', 'lint', 'e2e'),
      state: fc.constantFrom<Check['state']>('pending', 'passed', 'failed'),
      url: fc.constant(null),
      summary: fc.string(),
    }),
    { maxLength: 6 },
  );
  const commented = reviewNotes(NONE, PULL, [said('1')]);
  fc.assert(
    fc.property(checks, checks, (one, other) => {
      const once = checkNotes(checkNotes(commented, checksOf('aaa', one)), checksOf('aaa', other));
      expect(checkNotes(once, checksOf('aaa', other))).toEqual(once);
      expect(once.findings.filter(({ code }) => code === 'review-comment')).toHaveLength(1);
      const failed = new Set(other.filter(({ state }) => state === 'failed').map(({ name }) => name));
      for (const name of failed) expect(names(once)).toContain(name);
      for (const { name } of other) if (!failed.has(name)) expect(names(once)).not.toContain(name);
    }),
  );
});
