// What can come of each kind of step, as the product's performers hand it back: the usual outcome first, then every other shape.
import type { ActionOf } from '../../src/engine/types.ts';
import type { Actions, TurnOutcome } from '../../src/model/action.ts';
import type { CommitOutcome } from '../../src/model/landing-action.ts';
import { failure } from '../../src/model/failure.ts';
import type { TaskFacts } from '../../src/playbooks/tasks/facts.ts';
import { checkpoint, facts, failing, problem, strength, turn, usage, verdict } from '../support/outcomes.ts';
import { taskFacts, unprovable } from '../support/task-outcomes.ts';
import { DELIVERY_SURVEYS } from './delivery-plan-outcomes.ts';
import { deliverySurveys, deliveryTurns } from './delivery-outcomes.ts';
import { CURATIONS, MISSION_SURVEYS, missionTurns } from './mission-outcomes.ts';

export type Action = ActionOf<Actions>;
type Kind = keyof Actions;

export const OUTAGE = failure('agent-rate-limited');
export const NO_LOGIN = failure('agent-auth');
const OVER = { scope: 'feature', unit: 'usd', spent: 26, limit: 25, base: 25 } as const;
const tampered = problem('harness-file-edited');

const LARGE = { oversized: [{ flag: 'too-many-steps', params: { steps: 9, limit: 7 } }] };
const BY_HAND = { kind: 'hybrid', checks: ['looks right'], steps: ['open it'], commands: [] } as const;
const ITEM_FACTS = [
  facts(),
  facts(LARGE),
  facts({ partial: { session: 2, reason: 'timeout', base: 'b' } }),
  facts({ failed: [problem('tests-failed')], attempt: 3, ...LARGE }),
  facts({ byHand: BY_HAND }),
  facts({ byHand: BY_HAND, attempt: 2, failed: [problem('manual-failed', { by: 'anna' })] }),
  facts({ isFailing: true }),
];

const partial = { session: 2, reason: 'timeout', base: 'b' };
const reportedStep = { step: 1, total: 2, description: 'made the routes', timestamp: 'then' };
/** A task that was not started, one without a command, an interrupted one, a saved one, a failed one. */
export const TASK_FACTS: readonly TaskFacts[] = [
  taskFacts(),
  unprovable(),
  taskFacts({ status: 'in_progress', base: 'c0ffee' }),
  taskFacts({ status: 'in_progress', base: 'c0ffee', checkpoints: [reportedStep] }, { partial }),
  taskFacts({ status: 'failed', attempts: 2, errorLog: ['[TEST_FAIL] x'], cleanup: 'docker compose down' }),
];
const reported = [{ ...reportedStep, tree: verdict().tree }];
const interrupted = { isBaseThere: true, uncommitted: false, commits: false, isMixed: false, reported: [], run: 5 };

const found = <F>(one: F) => ({ facts: one, failure: null });
const no = (reason: Parameters<typeof failure>[0]) => ({ failure: failure(reason) });
const fine = { failure: null };
/** By the id of the survey. */
const SURVEYS: { readonly [survey: string]: readonly object[] } = {
  directory: [fine, no('wrong-directory')],
  program: [fine, no('validation-missing')],
  'git-state': [fine, no('dirty-tree'), no('detached-head')],
  head: [{ commit: 'commit-of-checkpoint' }, { commit: 'somebody-elses' }, { commit: null }],
  budget: [
    { failure: null, over: null },
    { failure: failure('budget-exhausted'), over: OVER },
    { failure: failure('backlog-invalid'), over: null },
  ],
  owners: [{ owners: [{ id: '2', testFile: 'tests/test_2.py', dependents: ['3'] }] }, { owners: [] }],
  'tested-items': [{ items: [] }, { items: [{ id: '2', testFile: 'tests/test_2.py' }] }],
  'provisional-commits': [{ count: 0 }, { count: 2 }],
  'features.item': [...ITEM_FACTS.map(found), { facts: null, ...no('item-unknown') }],
  'features.claim': [
    { problems: [] },
    { problems: [problem('nothing-claimed')] },
    { problems: [problem('claim-withdrawn')] },
  ],
  'features.files': [
    { missing: [], notExecutable: [] },
    { missing: ['claude-progress.txt'], notExecutable: [] },
    { missing: [], notExecutable: ['init.sh'] },
  ],
  'features.cleanup-due': [{ isDue: false }, { isDue: true }],
  'features.large-files': [{ largeFiles: [] }, { largeFiles: [{ path: 'a.ts', lines: 900 }] }],
  'features.initialised': [
    { problems: [], features: [{ id: '1', testFile: 'tests/test_1.py' }] },
    { problems: [problem('init-backlog-missing')], features: [] },
  ],
  'tasks.item': [...TASK_FACTS.map(found), { facts: null, ...no('item-unknown') }],
  'tasks.files': [
    { missing: [], notExecutable: [] },
    { missing: ['harness-tasks.json'], notExecutable: [] },
  ],
  'changed-since': [
    { paths: [] },
    { paths: ['src/a.ts'] },
    { paths: ['docs/use.md'] },
    { paths: ['src/a.ts', 'README.md'] },
    { paths: ['src/a.ts', 'package.json'] },
    { paths: ['SECRET.md'] },
  ],
  'own-tests': [{ files: [] }, { files: ['tests/test_1.py'] }],
  // The other answer ends before anything begins: a unit test has it.
  'tasks.landed-before': [{ commit: null, at: '' }],
  'tasks.now': [{ at: '2026-01-01T00:00:00.000Z' }],
  'tasks.reported': [{ reported: [] }, { reported }],
  'tasks.interrupted': [
    { ...interrupted, uncommitted: true },
    interrupted,
    { ...interrupted, commits: true, isMixed: true },
    { ...interrupted, uncommitted: true, commits: true, reported },
    { ...interrupted, reported },
    { ...interrupted, isBaseThere: false },
  ],
  ...MISSION_SURVEYS,
  ...DELIVERY_SURVEYS,
};

const TURNS: readonly TurnOutcome[] = [
  turn(),
  turn({ text: 'NOT DONE: the second half is missing' }),
  turn({ wrapUp: 'context-limit' }),
  turn({ end: 'wall-limit' }),
  turn({ end: 'stuck' }),
  turn({ end: 'output-limit' }),
  turn({ end: 'budget-limit' }),
  turn({ end: 'agent-failed', failure: OUTAGE }),
  turn({ end: 'agent-failed', failure: NO_LOGIN }),
];
const COMMITS: readonly CommitOutcome[] = [
  { commit: 'landed', tree: 'tree-verified', refused: null },
  { commit: null, tree: 't0', refused: null }, // nothing had changed
  { commit: null, tree: 't2', refused: problem('tree-changed-since-check') },
  { commit: null, tree: 't2', refused: problem('branch-moved') },
];
const DIVERGED = { pushed: false, remote: 'origin', failure: failure('push-behind'), theirs: 'theirs' };
const failedCheck = (exit: number) => ({
  name: 'init',
  command: './init.sh',
  passed: false,
  exit,
  ms: 1,
  tests: null,
  tail: '',
});
const VERDICTS = [
  verdict(),
  failing(),
  failing([problem('regression')], { regressions: ['pytest|a||b'] }),
  failing([problem('check-failed', { check: 'sanity-lint' })], { checks: [failedCheck(7)] }),
  failing([tampered], { tampering: [tampered] }),
  failing([problem('nested-repository', { path: 'vendor' })]),
  failing([problem('command-missing')]),
  verdict({ warnings: [problem('check-failed', { check: 'sanity-lint' })], flaky: ['pytest|a||b'] }),
  verdict({ passing: null, evidence: null, tests: null }),
];

const fixed = {
  survey: [],
  ask: [],
  procedure: [],
  item: [],
  check: VERDICTS,
  strength: [
    strength(),
    strength({ doubts: [problem('test-not-red')] }),
    strength({ problems: [problem('tests-failed')] }),
  ],
  'choose-agent': [
    { agent: 0, wall: null },
    { agent: 1, wall: null },
    { agent: 0, wall: failure('agent-quota-near') },
  ],
  session: TURNS,
  close: [
    { usage, tampering: [] },
    { usage, tampering: [tampered] },
  ],
  number: [{ session: 5 }],
  abandon: [
    { isAbandoned: false, attempt: null },
    { isAbandoned: true, attempt: 'refs/a' },
  ],
  checkpoint: [checkpoint],
  rollback: [
    { attempt: 'refs/a', head: 'h' },
    { attempt: null, head: 'h' },
  ],
  commit: COMMITS,
  tidy: [{ removed: 1 }],
  restore: [{ restored: [] }],
  stash: [{ stash: 's' }],
  push: [
    { pushed: true, remote: 'origin', failure: null },
    DIVERGED,
    { ...DIVERGED, failure: failure('agent-network') },
  ],
  merge: [
    { tree: 'tree-verified', subject: 'Merge', count: 2, failure: null },
    { tree: null, failure: failure('pull-conflict'), isTouched: false },
    { tree: null, failure: failure('pull-conflict'), isTouched: true },
  ],
  bring: [
    { tree: 'tree-verified', checkpoint, problem: null },
    { tree: null, problem: problem('landing-conflict') },
  ],
  'take-turn': [
    { has: false, newest: null },
    { has: true, newest: null },
    { has: true, newest: { tree: 'tree-verified', base: 'tree-of-newest', work: 'tree-of-work' } },
  ],
  'give-turn': [{ has: false }],
  'take-tree': [{ tree: 'tree-verified' }],
  'take-wip': [{ isThere: true }, { isThere: false }],
  'keep-wip': [
    { commit: 'wip', refused: null },
    { commit: null, refused: null },
    { commit: null, refused: problem('nested-repository') },
  ],
  pages: [
    { problems: [], text: '# /', folder: '' },
    { problems: [problem('pages-server-silent')], text: '', folder: '' },
  ],
  'drop-wip': [{ attempt: null }, { attempt: 'refs/harness/attempts/1/1' }],
  unwind: [
    { tree: 'tree-verified', count: 2, failure: null },
    { tree: null, failure: failure('unwind-not-clean', { item: '1' }), isTouched: true },
  ],
  patch: [],
  wait: [{ until: 'then' }],
  publish: [{ told: 0 }],
  write: [{ written: ['harness-tasks.json'] }, { written: [] }],
  remember: [{ file: 'costs.yaml' }],
  look: [{ ready: [], over: [], isDueLater: false }],
  park: [{ isParked: true }, { isParked: false }],
  unpark: [{ attempt: null }],
  propose: [
    { number: 1, url: 'remote#1', isMerged: false },
    { number: 1, url: 'remote#1', isMerged: true },
  ],
  'find-pull': [{ state: 'none' }, { state: 'open' }, { state: 'merged' }],
  ci: [
    { state: 'passed', checks: [{ name: 'ci', state: 'passed', summary: '' }], mayCome: false },
    { state: 'failed', checks: [{ name: 'ci', state: 'failed', summary: 'red' }], mayCome: false },
    { state: 'pending', checks: [{ name: 'ci', state: 'pending', summary: '' }], mayCome: true },
    { state: 'none', checks: [], mayCome: true },
    { state: 'none', checks: [], mayCome: false },
  ],
  'merge-pull': [
    { commit: 'merged', failure: null },
    { commit: null, failure: failure('forge-not-mergeable', { number: 1, words: '' }) },
  ],
  'move-file': [{ commit: 'moved' }, { commit: null }],
  'add-files': [{ commit: 'landed' }, { commit: null }],
  site: [
    { failure: null, pages: [{ page: '/', status: 200, title: 'Shop' }], left: 0, folder: '.harness/site' },
    { failure: null, pages: [{ page: '/', status: 200, title: '' }], left: 9, folder: '.harness/site' },
    { failure: failure('site-unreachable', { url: 'http://127.0.0.1:1/', words: '' }), pages: [], left: 0, folder: '' },
  ],
  'follow-base': [{ commit: 'newest' }],
} satisfies { readonly [K in Kind]: readonly object[] };

/** Throws for a step that has no outcome here: what is asked for must be known. */
export function stepOutcomes(action: Action): readonly object[] {
  const all = ((): readonly object[] => {
    switch (action.kind) {
      case 'survey':
        return (SURVEYS[action.survey] ?? deliverySurveys(action)).map((one) => ({ facts: one }));
      case 'ask':
        return action.options.map(({ id }) => ({
          option: id,
          note: id === 'skip' ? '' : 'because',
          by: 'anna',
          at: 'then',
        }));
      case 'session':
        return missionTurns(action, TURNS) ?? deliveryTurns(action, TURNS) ?? TURNS;
      case 'remember':
        return action.what === 'curated' ? CURATIONS : fixed.remember;
      default:
        return fixed[action.kind];
    }
  })();
  if (all.length === 0) throw new Error(`no outcome is known for ${JSON.stringify(action).slice(0, 200)}`);
  return all;
}
