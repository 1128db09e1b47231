// What can come of the steps of a mission, as the product's surveys and agents hand it back: the usual outcome first, then every other shape.
import type { ActionOf } from '../../src/engine/types.ts';
import type { Actions, TurnOutcome } from '../../src/model/action.ts';
import { failure } from '../../src/model/failure.ts';
import { facts, problem, turn } from '../support/outcomes.ts';

const CLAIM = 'VAL-AUTH-001';
const unclear = problem('review-unclear', { role: 'validator', claim: CLAIM, why: 'it can be read in two ways' });
const partial = { session: 2, reason: 'review', base: null, wip: 'wip-of-2' };
const of = (more: Parameters<typeof facts>[0] = {}) => facts({ id: 'F-001', category: 'auth', ...more });
/** A new feature, one whose work was judged, one with an unclear assertion, one that failed often, one whose sessions were lost. */
const FEATURE_FACTS = [
  of(),
  of({ partial, attempt: 2, failed: [problem('review-finding', { role: 'validator', claim: CLAIM, why: 'no' })] }),
  of({ partial, attempt: 2, failed: [unclear] }),
  of({ attempt: 3, failed: [problem('tests-failed')] }),
  of({ attempt: 3 }),
  of({ isFailing: true }),
];
const issue = { title: 'No limit', why: 'it grows', path: 'src/a.ts', severity: 'high' };
const checkpoints = [
  { name: 'plan', on: 'post-planner' },
  { name: 'end', on: 'pre-done' },
];

/** By the id of the survey. */
export const MISSION_SURVEYS: { readonly [survey: string]: readonly object[] } = {
  'mission.item': [
    ...FEATURE_FACTS.map((one) => ({ facts: one, failure: null })),
    { facts: null, failure: failure('item-unknown') },
  ],
  'mission.files': [
    { missing: [], notExecutable: [] },
    { missing: ['.harness/validation-contract.md'], notExecutable: [] },
  ],
  'mission.decided': [
    { decisions: [] },
    { decisions: [1, 2].map((session) => ({ by: 'architect', asked: CLAIM, answer: 'yes', session })) },
  ],
  'mission.debugged': [{ isThere: false }, { isThere: true }],
  'mission.drafted-contract': [
    { isWritten: true, lost: [], added: [] },
    { isWritten: true, lost: [CLAIM], added: [] },
    { isWritten: true, lost: [], added: ['VAL-AUTH-002'] },
    { isWritten: false, lost: [], added: [] },
  ],
  'mission.drafted-plan': [
    { problems: [], features: 2, assertions: 2 },
    { problems: [problem('plan-claim-unresolved', { claim: CLAIM, item: 'F-001' })], features: 1, assertions: 0 },
  ],
  'mission.claims': [
    { claims: [{ id: CLAIM, text: 'it holds' }], unresolved: [] },
    { claims: [], unresolved: [CLAIM] },
  ],
  'mission.quotes': [{ found: [CLAIM] }, { found: [] }],
  'mission.issues': [{ issues: [] }, { issues: [issue] }],
  'mission.freshness': [
    { fresh: 0, upTo: 0 },
    { fresh: 40, upTo: 40 },
  ],
  'mission.uncommitted': [{ paths: [] }, { paths: ['.harness/features.json'] }],
  'mission.ungranted': [
    { checkpoints: [], features: 2 },
    { checkpoints, features: 2 },
  ],
};

const judged = (verdict: string, more: object = {}): string =>
  JSON.stringify({
    assertions: [{ id: CLAIM, verdict, path: 'src/a.ts', quote: 'if (user) return', ...more }],
    issues: [],
  });
const REVIEWS = [
  judged('pass'),
  JSON.stringify({ assertions: JSON.parse(judged('pass')).assertions, issues: [issue] }),
  judged('fail', { why: 'it answers 500' }),
  judged('unclear', { why: 'which user?' }),
  'I like it.',
];
/** What a role says at the end of its turn: what it is asked for first, an answer that cannot be read last. */
const ANSWERS: { readonly [role: string]: readonly string[] } = {
  planner: ['The plan is written.'],
  'plan-reviewer': ['ACCEPT', 'ACCEPT-WITH-NOTES\n- F-002 is thin', 'REJECT\n- no test for errors', 'Nice.'],
  validator: REVIEWS,
  crosscheck: REVIEWS,
  architect: ['The contract is clearer.', 'ESCALATE: both readings are possible'],
  debugger: ['The cause is a wrong path.\nTRICK: paths are relative', ' '],
  documenter: ['Documented.'],
  orchestrator: ['CONVERTED\nFIX 1: Limit the queue', 'DONE', 'ESCALATE: a person decides', 'Hm.'],
  curator: ['Curated.'],
};

/** Of a role of missions; null: it is a role of another machine. */
export function missionTurns(
  { role }: ActionOf<Actions, 'session'>,
  others: readonly TurnOutcome[],
): readonly TurnOutcome[] | null {
  const said = ANSWERS[role];
  if (said === undefined) return null;
  return [...said.map((text) => turn({ text })), ...others.slice(1)];
}

const CURATED = { isWritten: true, problems: [], repairs: [], promoted: [], refused: [] };
export const CURATIONS: readonly object[] = [
  { file: 'summary.md', curated: CURATED },
  { file: 'summary.md', curated: { ...CURATED, isWritten: false, problems: [problem('output-missing')] } },
];
