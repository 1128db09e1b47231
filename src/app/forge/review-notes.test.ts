import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withKey } from '../../forge/marker.ts';
import type { Comment } from '../../forge/port.ts';
import { reviewNotes, type ReviewNotes } from './review-notes.ts';

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
