// What can come of the steps of a delivery, as the product's surveys and agents hand it back: the usual outcome first, then every other shape.
import type { ActionOf } from '../../src/engine/types.ts';
import type { Actions, TurnOutcome } from '../../src/model/action.ts';
import { failure } from '../../src/model/failure.ts';
import type { LookedUp } from '../../src/playbooks/delivery/convergence.ts';
import { facts, problem, turn } from '../support/outcomes.ts';

/** Titles of findings of a reviewer: what blocks, and a low. */
export const [HIGH, LOW] = ['no check of ownership', 'a comment would help'] as const;
const BLOCKING = `### High: ${HIGH}
Path: src/a.ts
Quote: export const a = 1;

- Low: ${LOW}`;

const partial = { session: 2, reason: 'review', base: null, wip: 'wip-of-2' };
const of = (more: Parameters<typeof facts>[0] = {}) => facts({ id: '0001', category: '', ...more });
/** A new plan, one that was reviewed, one whose checks failed, one without a test file, one that failed often. */
const PLAN_FACTS = [
  of(),
  of({ partial, attempt: 2, failed: [problem('finding-open', { severity: 'high', title: HIGH })] }),
  of({ partial, attempt: 2, failed: [problem('ci-failed', { name: 'ci', summary: 'red' })] }),
  of({ testFile: null }),
  of({ attempt: 3, failed: [problem('tests-failed')] }),
];
const place = { name: '0001-cart', from: 'docs/plans/0001-cart.md', to: 'docs/plans/completed/0001-cart.md' };
const finding = { severity: 'low', title: LOW, path: '', quote: '', why: '', proven: false, origin: 'change' };

/** Of all findings alike: evidence in the change, none, in an old file, in what the last fix wrote. */
const LOOKED: readonly LookedUp[] = [
  { isThere: true, isChanged: true, wasThere: true },
  { isThere: false, isChanged: true, wasThere: false },
  { isThere: true, isChanged: false, wasThere: true },
  { isThere: true, isChanged: true, wasThere: false },
];

const SURVEYS: { readonly [survey: string]: readonly object[] } = {
  'delivery.item': [
    ...PLAN_FACTS.map((one) => ({ facts: one, failure: null })),
    { facts: null, failure: failure('item-unknown') },
  ],
  'delivery.files': [
    { missing: [], notExecutable: [] },
    { missing: ['init.sh'], notExecutable: [] },
  ],
  'delivery.place': [{ place }, { place: null }],
  'delivery.trouble': [{ reason: null }, { reason: 'others have commits on its branch' }],
  'delivery.edited-plans': [{ paths: [] }, { paths: [place.from] }],
  'delivery.read-record': [
    { passes: [], accepted: [] },
    { passes: [{ findings: [finding] }], accepted: [] },
  ],
};

/** Empty: it is a survey of another machine. */
export function deliverySurveys({ survey, input }: ActionOf<Actions, 'survey'>): readonly object[] {
  if (survey !== 'delivery.look-up') return SURVEYS[survey] ?? [];
  const { findings } = input as { readonly findings: readonly object[] };
  return LOOKED.map((one) => ({ looked: findings.map(() => one) }));
}

export const READY = 'No findings. Ready to enable auto-merge.';
/** What a role says at the end of its turn: what it is asked for first, an answer that cannot be read last. */
const ANSWERS: { readonly [role: string]: readonly string[] } = {
  reviewer: ['No findings.', BLOCKING, BLOCKING, BLOCKING, `No blocking findings.\n\n- Low: ${LOW}`, 'Nice.'],
  fixer: ['Fixed.'],
  preparer: ['Title: Add a cart\n\nIt holds goods.', ' '],
  'merge-checker': [READY, `${BLOCKING}\n\n${READY}`, 'Hm.'],
};

/** Of a role of a delivery; null: it is a role of another machine. A first review usually finds something. */
export function deliveryTurns(
  { role, attempt }: ActionOf<Actions, 'session'>,
  others: readonly TurnOutcome[],
): readonly TurnOutcome[] | null {
  const said = ANSWERS[role];
  if (said === undefined) return null;
  return [
    ...(role === 'reviewer' && attempt === 1 ? said.slice(1) : said).map((text) => turn({ text })),
    ...others.slice(1),
  ];
}
