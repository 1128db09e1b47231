// When a claim holds, is void, fails or is not proved: pure, over every combination that differs.
import { describe, expect, test } from 'vitest';
import type { Claim } from '../../engine/backlog.ts';
import type { Subject } from '../../model/item.ts';
import type { KeptReview } from '../../model/review.ts';
import type { ItemEvidence } from './item-evidence.ts';
import { newestOf, reviewsSince } from './reviews.ts';
import { traced, untraced } from './trace.ts';

const claim: Claim = {
  id: 'VAL-A-001',
  item: 'F-1',
  assertion: { text: 'It is red.', file: 'contract.md', line: 1 },
  spec: null,
};
const item = { id: 'F-1', title: 'one', status: 'landed' } as const;
const subject: Subject = {
  id: 'F-1',
  title: 'one',
  category: '',
  testFile: 'a.test',
  mayChangeTests: [],
  oversized: [],
  byHand: null,
  steps: ['VAL-A-001'],
  verification: 'automated',
  manualChecks: [],
  passes: true,
  skipped: null,
  override: null,
  failing: null,
  dependents: [],
};
const pass = { id: 'VAL-A-001', verdict: 'pass', path: 'a.js', quote: 'red', why: '', found: true } as const;
const review = (more: Partial<KeptReview> = {}): KeptReview => ({
  schema: 1,
  kind: 'harness.review',
  session: 3,
  item: 'F-1',
  role: 'validator',
  by: 4,
  at: '2026-01-01T00:00:00.000Z',
  tree: 't',
  claims: [{ id: 'VAL-A-001', text: 'It is red.' }],
  assertions: [pass],
  problems: [],
  files: [{ path: 'a.js', id: '1' }],
  ...more,
});
const here = {
  is: 'here',
  commit: 'c',
  holds: true,
  session: 3,
  at: '2026-01-01T00:00:00.000Z',
  tree: 't',
  rests: [{ path: 'a.js', id: '1' }],
  landed: null,
} as unknown as Extract<ItemEvidence, { is: 'here' }>;
const now = (path: string): string | null => (path === 'a.js' ? '1' : null);
const of = { item, subject, evidence: here, reviews: [review()], idNow: now };
const stateOf = (more: Partial<typeof of> | object, about: Claim | null = claim) => {
  const { state, reason, changed } = traced(about, { ...of, ...more });
  return [state, reason, ...changed].join(' ').trim();
};

describe('the state of a claim', () => {
  test.each<[string, object, string]>([
    ['nothing changed', {}, 'holds'],
    ['a file that it rests on changed', { idNow: () => '2' }, 'void changed a.js'],
    ['a file that it rests on is gone', { idNow: () => null }, 'void changed a.js'],
    [
      'a deleted file is there again',
      { reviews: [review({ files: [{ path: 'a.js', id: null }] })] },
      'void changed a.js',
    ],
    [
      'the assertion reads differently',
      { reviews: [review({ claims: [{ id: 'VAL-A-001', text: 'It is blue.' }] })] },
      'void changed contract.md',
    ],
    [
      'the quote was not there',
      { reviews: [review({ assertions: [{ ...pass, found: false }] })] },
      'failing judged-against',
    ],
    ['it was asked and not answered', { reviews: [review({ assertions: [] })] }, 'failing judged-against'],
    [
      'a second role is against it',
      { reviews: [review(), review({ role: 'crosscheck', assertions: [{ ...pass, verdict: 'fail' }] })] },
      'failing judged-against',
    ],
    [
      'it says both',
      { reviews: [review({ assertions: [pass, { ...pass, verdict: 'unclear' }] })] },
      'failing judged-against',
    ],
    ['it was found failing', { subject: { ...subject, failing: { reason: 'x' } } }, 'failing found-failing'],
    ['its list has it open again', { subject: { ...subject, passes: false } }, 'unproved not-landed'],
    ['no role judged it', { reviews: [] }, 'unproved not-judged'],
    ['it has not landed', { evidence: { is: 'none', commit: null }, reviews: [] }, 'unproved not-landed'],
    [
      'a person says so',
      {
        evidence: { is: 'none', commit: null },
        reviews: [],
        subject: { ...subject, override: { passes: true, reason: '', by: '', at: '' } },
      },
      'unproved by-person',
    ],
    ['its bundle is not here', { evidence: { is: 'no-evidence', commit: 'c' }, reviews: [] }, 'unproved no-evidence'],
    ['its bundle was changed', { evidence: { is: 'evidence-broken', commit: 'c' } }, 'unproved evidence-broken'],
    ['it is left out', { subject: { ...subject, skipped: { reason: '', unblock: true } } }, 'unproved skipped'],
  ])('where %s', (_, more, expected) => {
    expect(stateOf(more)).toBe(expected);
  });

  test('where git stores files in another form, what landed is compared with what is there now', () => {
    const evidence = { ...here, landed: new Map([['a.js', '7']]), rests: [{ path: 'b.js', id: '8' }] };
    const stored = (path: string): string => (path === 'a.js' ? '7' : '8');
    expect(stateOf({ evidence, idNow: stored })).toBe('holds');
    expect(stateOf({ evidence, idNow: now })).toBe('void changed a.js b.js');
  });

  test('a claim without an assertion, and one of no item, is not proved', () => {
    expect(stateOf({}, { ...claim, assertion: null })).toBe('unproved no-assertion');
    expect(untraced({ ...claim, item: null })).toMatchObject({ state: 'unproved', reason: 'no-item' });
  });

  test('without claims the proof of the harness counts', () => {
    expect(stateOf({ reviews: [] }, null)).toBe('holds');
    expect(stateOf({ reviews: [], evidence: { ...here, holds: false } }, null)).toBe('failing judged-against');
    expect(stateOf({ idNow: () => '9' }, null)).toBe('void changed a.js');
  });
});

describe('which verdicts count', () => {
  test('those of the newest session, also where its number was used before', () => {
    const old = review({ at: '2025-01-01T00:00:00.000Z', session: 3 });
    const other = review({ at: '2025-06-01T00:00:00.000Z', session: 9 });
    const last = review({ session: 3 });
    expect(newestOf([last, old, other])).toEqual([last]);
    expect(newestOf([])).toEqual([]);
  });

  test('of those on this machine, the ones after the landing', () => {
    const later = review({ at: '2026-02-01T00:00:00.000Z' });
    expect(reviewsSince([review()], [review(), later])).toEqual([review(), later]);
    expect(reviewsSince([], [review()])).toEqual([review()]);
  });
});
