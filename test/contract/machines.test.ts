// The conformance suite on every machine, with every shape of outcome that its actions can have. The outputs of its procedures come from
// performing them (`machine-runs.ts`).
import { describe, expect } from 'vitest';
import { flagEdit } from '../../src/engine/list-edits.ts';
import type { ActionOf } from '../../src/engine/types.ts';
import type { NextFacts } from '../../src/engine/playbook.ts';
import { loopMachine } from '../../src/loop/machine.ts';
import type { LoopPosition } from '../../src/loop/positions.ts';
import { emptyLoop, type LoopFile } from '../../src/loop/run-file.ts';
import { ITEM_RESULTS, type Actions, type ItemOutcome, type ItemResult } from '../../src/model/action.ts';
import type { LookOutcome } from '../../src/model/waiting-item.ts';
import { failure } from '../../src/model/failure.ts';
import type { RunMode } from '../../src/model/run.ts';
import { deliveryMachine } from '../../src/playbooks/delivery/machine.ts';
import { cleanupMachine } from '../../src/playbooks/features/cleanup.ts';
import { initMachine } from '../../src/playbooks/features/init-machine.ts';
import { featuresMachine } from '../../src/playbooks/features/machine.ts';
import { featuresPlaybook } from '../../src/playbooks/features/playbook.ts';
import { missionMachine } from '../../src/playbooks/mission/machine.ts';
import { plannerMachine } from '../../src/playbooks/mission/planner.ts';
import { emptySessionState, type SessionStateFile } from '../../src/playbooks/session/session-state.ts';
import { deliveryPlanMachine } from '../../src/playbooks/delivery/planner.ts';
import { siteMachine } from '../../src/playbooks/delivery/site.ts';
import { tasksMachine } from '../../src/playbooks/tasks/machine.ts';
import { configOf } from '../support/config.ts';
import { problem, usage } from '../support/outcomes.ts';
import { outputsOf } from './machine-runs.ts';
import { PLAN_SPEC, SITE_ASK } from './delivery-plan-outcomes.ts';
import { machineConformance } from './machines.ts';
import { NO_LOGIN, OUTAGE, stepOutcomes, type Action } from './step-outcomes.ts';

const state = (more: Partial<SessionStateFile>): SessionStateFile => ({
  ...emptySessionState('then'),
  last_session: 3,
  ...more,
});
/** What a person may have written: each status, each prompt, the item at hand or another, fresh or stuck. */
const handWritten = (items: readonly (string | number | null)[]): readonly SessionStateFile[] => [
  emptySessionState(''),
  ...(['complete', 'partial', 'failed'] as const).flatMap((status) =>
    (['coding', 'continuation', 'cleanup'] as const).flatMap((next_prompt) =>
      items.flatMap((current_feature) =>
        [0, 3].map((stuck_count) => state({ status, next_prompt, current_feature, stuck_count })),
      ),
    ),
  ),
];

const NO_POLICY = { answer: null, afterMs: 0 };
/** Everything that can be asked is asked. */
const config = configOf({
  recovery: 'checked',
  gates: { policies: { 'verification-failed': NO_POLICY, regression: NO_POLICY } },
  push: { remote: 'origin' },
});
const LIVES = 400;
const about = { session: 4, lane: 0, run: 'r', config };
const FEATURES_FILES = handWritten([null, 1, 2]);
const TASKS_FILES = handWritten([null, 'task-001', 'task-002', 7]);
const features = featuresMachine({ item: '1', ...about });
const cleanup = cleanupMachine({ item: 'cleanup', ...about });
const init = initMachine({ path: 'SPEC.md', text: '# App' });
const INIT_FILES = [emptySessionState(''), state({ status: 'failed' })];
const tasks = tasksMachine({ item: 'task-001', ...about });
const MISSION_FILES = handWritten([null, 'F-001', 'F-002', 7]);
/** Every role takes part. */
const missionConfig = configOf({
  ...config,
  playbook: { backlog: 'mission', machine: 'mission' },
  mission: { crosscheck: true, documenter: true, smoke: 'sh smoke.sh' },
});
const mission = missionMachine({ item: 'F-001', ...about, config: missionConfig });
const plan = plannerMachine({ path: 'SPEC.md', text: '# App' });
const deliveryConfig = configOf({
  ...config,
  playbook: { backlog: 'delivery', machine: 'delivery' },
  forge: { kind: 'local' },
});
const deliveryPlan = deliveryPlanMachine(PLAN_SPEC);
const SITE_FILES = [{ schema: 1 as const, ask: SITE_ASK, result: null }];
const DELIVERY_FILES = handWritten([null, '0001', '0002', 7]);
const delivery = deliveryMachine({ item: '0001', ...about, config: deliveryConfig });
const outputs: { readonly [procedure: string]: readonly unknown[] } = {
  ...(await outputsOf(features, FEATURES_FILES, config, LIVES)),
  ...(await outputsOf(cleanup, FEATURES_FILES, config, LIVES)),
  ...(await outputsOf(init, INIT_FILES, config, LIVES)),
  ...(await outputsOf(tasks, TASKS_FILES, config, LIVES)),
  ...(await outputsOf(mission, MISSION_FILES, missionConfig, LIVES)),
  ...(await outputsOf(plan, INIT_FILES, missionConfig, LIVES)),
  ...(await outputsOf(deliveryPlan, INIT_FILES, deliveryConfig, LIVES)),
  ...(await outputsOf(siteMachine, SITE_FILES, deliveryConfig, LIVES)),
  ...(await outputsOf(delivery, DELIVERY_FILES, deliveryConfig, LIVES)),
};

const none: NextFacts = { next: null, remaining: 0, session: 5, failure: null };
const cycle = { items: ['1', '2'], paths: ['1 → 2 → 1'] };
const NEXT: readonly NextFacts[] = [
  { ...none, next: '1', remaining: 3 },
  { ...none, next: '2', remaining: 1 },
  none,
  { ...none, remaining: 2 },
  { ...none, next: '2', remaining: 1, leftover: '1' },
  { ...none, leftover: '3' },
  { ...none, session: 0, failure: failure('backlog-invalid') },
  { ...none, session: 0, failure: failure('backlog-invalid'), cycle },
];
const FINAL: readonly object[] = [
  { end: 'holds' },
  { end: 'unready', failure: failure('init-failed') },
  { end: 'broken', tests: null, problems: [problem('regression')], broken: ['1', '2'] },
  { end: 'broken', tests: null, problems: [problem('check-failed')], broken: [] },
];
const REVERTED: readonly object[] = [
  { commit: 'c', count: 2, failure: null },
  { commit: null, failure: failure('unwind-failing', { item: '1' }) },
];
const itemOf = (result: ItemResult): ItemOutcome => ({
  result,
  reason: 'why',
  failure: result === 'blocked' ? NO_LOGIN : null,
  problems: result === 'rejected' ? [problem('tests-failed')] : [],
  commit: result === 'landed' ? 'c' : null,
  evidence: null,
  usage,
  gate: result === 'gate' ? 'g-1' : null,
  ...(result === 'gate' ? { resumes: 'place#r-1/1' } : {}),
});
const ITEMS = [...ITEM_RESULTS.map(itemOf), { ...itemOf('partial'), reason: OUTAGE.reason, failure: OUTAGE }];

function lookOutcomes({ items }: ActionOf<Actions, 'look'>): readonly LookOutcome[] {
  const none = { ready: [], over: [], isDueLater: false };
  const tokens = items.map(({ resumes }) => resumes);
  return [
    none,
    { ...none, isDueLater: true },
    { ...none, ready: tokens.slice(-1) },
    { ...none, over: tokens.slice(0, 1) },
  ];
}

/** Every shape that the performers and procedures of the product hand back. */
function outcomes(action: Action): readonly object[] {
  if (action.kind === 'item') return ITEMS;
  if (action.kind === 'look') return lookOutcomes(action);
  if (action.kind === 'survey' && action.survey === featuresPlaybook.machine.next.id)
    return NEXT.map((facts) => ({ facts }));
  if (action.kind !== 'procedure') return stepOutcomes(action);
  const found = { ...outputs, final: FINAL, unwind: REVERTED }[action.procedure] ?? [];
  return found.map((output) => ({ output }));
}

machineConformance(
  {
    name: 'features',
    machine: features,
    files: FEATURES_FILES,
    outcomes,
    reach: ['prepare', 'work', 'decide', 'close', 'ended'],
    bound: 10, // five steps, interrupted and started again at most once
    isParallel: false,
    invariant({ file, at }) {
      if (at.stage !== 'ended') return;
      const { outcome } = at;
      switch (outcome.result) {
        case 'landed':
          expect([outcome.commit, file.status, file.stuck_count]).toEqual(['landed', 'complete', 0]);
          break;
        case 'partial':
          // An abandoned session of an earlier process is no session of this one.
          if (outcome.reason !== 'session-abandoned')
            expect([file.status, file.next_prompt]).toEqual(['partial', 'continuation']);
          break;
        case 'rejected':
          expect([file.status, outcome.problems.length > 0, outcome.commit]).toEqual(['failed', true, null]);
          break;
        case 'failed':
          expect([file.status, outcome.commit]).toEqual(['failed', null]);
          break;
        default:
          expect(['paused', 'blocked', 'aborted', 'skipped']).toContain(outcome.result);
      }
    },
  },
  5_000,
);

machineConformance({
  name: 'features-init',
  machine: init,
  files: INIT_FILES,
  outcomes,
  reach: ['checkpoint', 'work', 'settle', 'undo', 'ended'],
  bound: 10,
  isParallel: false,
  invariant({ file, at }) {
    if (at.stage === 'ended' && at.outcome.result === 'landed')
      expect([file.status, file.next_prompt, at.outcome.commit]).toEqual(['complete', 'coding', 'landed']);
  },
});

machineConformance({
  name: 'features-cleanup',
  machine: cleanup,
  files: FEATURES_FILES,
  outcomes,
  reach: ['prepare', 'work', 'close', 'ended'],
  bound: 10,
  isParallel: false,
  invariant({ file, at }) {
    if (at.stage !== 'ended') return;
    const { result } = at.outcome;
    if (result === 'landed') expect([file.status, file.next_prompt]).toEqual(['complete', 'coding']);
    if (result === 'rejected' || result === 'failed')
      expect([file.status, file.next_prompt]).toEqual(['failed', 'coding']);
  },
});

machineConformance(
  {
    name: 'tasks',
    machine: tasks,
    files: TASKS_FILES,
    outcomes,
    reach: ['prepare', 'work', 'decide', 'close', 'ended'],
    bound: 10,
    isParallel: false,
    invariant({ file, at }) {
      if (at.stage !== 'ended') return;
      const { outcome } = at;
      const { result, commit, problems } = outcome;
      expect(commit !== null).toBe(result === 'landed' || result === 'unproved');
      if (commit !== null) expect([file.status, file.stuck_count]).toEqual(['complete', 0]);
      if (result === 'failed') expect([file.status, file.stuck_count, problems]).toEqual(['failed', 0, []]);
      if (result === 'rejected') expect([file.status, problems.length > 0]).toEqual(['failed', true]);
      if (result === 'blocked') expect(outcome.failure).not.toBeNull();
    },
  },
  5_000,
);

/** Of items that others judge before they land. */
function reviewedEnds({
  file,
  at,
}: {
  readonly file: SessionStateFile;
  readonly at: ReturnType<typeof mission.place>['at'];
}): void {
  if (at.stage !== 'ended') return;
  const { result, commit, problems, reason } = at.outcome;
  expect(commit !== null).toBe(result === 'landed');
  if (result === 'landed') expect([file.status, file.stuck_count]).toEqual(['complete', 0]);
  if (result === 'rejected') expect([file.status, problems.length > 0]).toEqual(['failed', true]);
  // Work that was not accepted is kept, with what was wrong.
  if (reason === 'review') expect([result, file.status, problems.length > 0]).toEqual(['partial', 'partial', true]);
}

machineConformance(
  {
    name: 'mission',
    machine: mission,
    files: MISSION_FILES,
    outcomes,
    reach: ['prepare', 'work', 'decide', 'close', 'ended'],
    bound: 10,
    isParallel: false,
    invariant: reviewedEnds,
  },
  5_000,
);

machineConformance(
  {
    name: 'delivery',
    machine: delivery,
    files: DELIVERY_FILES,
    outcomes,
    reach: ['prepare', 'work', 'decide', 'close', 'ended'],
    bound: 10,
    isParallel: false,
    invariant: reviewedEnds,
  },
  5_000,
);

machineConformance({
  name: 'mission-plan',
  machine: plan,
  files: INIT_FILES,
  outcomes,
  reach: ['checkpoint', 'plan', 'review', 'settle', 'undo', 'ended'],
  bound: 11, // five steps, started again at most once, and the end
  isParallel: false,
  invariant({ file, at }) {
    if (at.stage !== 'ended') return;
    const { result, reason, commit, failure: why } = at.outcome;
    if (result === 'landed') expect([file.status, file.next_prompt, commit]).toEqual(['complete', 'coding', 'landed']);
    else expect(commit).toBeNull();
    if (reason === 'plan-rejected') expect([result, why?.reason]).toEqual(['blocked', 'plan-rejected']);
  },
});

const where = { path: { backlog: 'features.json', isOwn: false }, machine: featuresPlaybook.machine } as const;
const change = (id: string) => ({
  id,
  subject: 'chore',
  edit: flagEdit('features.json', '1', { type: 'size-accepted' }),
  item: '1',
});
const WAITING = { item: '1', lane: 0, session: 2, gate: 'g-1', resumes: 'p#r/1' };
const LOOP_FILES: readonly LoopFile[] = [
  emptyLoop('run-1'),
  emptyLoop('earlier'),
  { ...emptyLoop('earlier'), running: [{ item: '1', lane: 0, session: 2 }] },
  { ...emptyLoop('earlier'), counts: { sessions: 3, landed: 1, skipped: 1, waiting: 1 } },
  { ...emptyLoop('run-1'), pending: [change('m1'), change('m2')] },
  { ...emptyLoop('run-1'), pending: [change('m1')], running: [{ item: '2', lane: 0, session: 2 }] },
  {
    ...emptyLoop('earlier'),
    running: [WAITING],
    parked: [{ ...WAITING, item: '3', resumes: 'p#r/2' }],
  },
];
const MODE: RunMode = { work: true, only: null, untilDone: true, maxSessions: null, maxItems: null };
type LoopStage = LoopPosition['at']['stage'];
describe.each<[string, Partial<RunMode>, readonly LoopStage[]]>([
  [
    'until done, five sessions at most',
    { maxSessions: 5 },
    ['choose', 'work', 'backoff', 'revert-wip', 'final', 'cycle', 'false-positives', 'flag', 'ended'],
  ],
  ['until done, two items at most', { maxItems: 2, maxSessions: 12 }, ['choose', 'work', 'ended']],
  ['one session', { untilDone: false }, ['choose', 'work', 'ended']],
  ['three sessions', { untilDone: false, maxSessions: 3, only: '1' }, ['choose', 'work', 'ended']],
  ['changes only', { work: false }, ['choose']],
])('%s', (name, mode, reach) => {
  machineConformance<LoopFile, LoopPosition['at'], LoopPosition['mem'], Actions>({
    name: `loop (${name})`,
    machine: loopMachine({ ...MODE, ...mode }, where),
    files: LOOP_FILES,
    outcomes,
    reach,
    bound: 150, // five sessions, each after items were flagged as failing twice, ten items skipped, started again once
    isParallel: false,
    invariant({ file, at }) {
      expect(file.running.filter(({ gate }) => gate === undefined)).toHaveLength(at.stage === 'work' ? 1 : 0);
      expect(file.running.length).toBeLessThanOrEqual(1);
      const { maxSessions, untilDone } = { ...MODE, ...mode };
      const limit = maxSessions ?? (untilDone ? Infinity : 1);
      if (file.run === 'run-1') expect(file.counts.sessions).toBeLessThanOrEqual(limit);
    },
  });
});

machineConformance({
  name: 'delivery-plan',
  machine: deliveryPlan,
  files: INIT_FILES,
  outcomes,
  reach: ['checkpoint', 'plan', 'settle', 'undo', 'ended'],
  bound: 9, // four steps, started again at most once, and the end
  isParallel: false,
  invariant({ file, at }) {
    if (at.stage !== 'ended') return;
    const { result, reason, commit } = at.outcome;
    if (reason === 'already-planned') expect([result, commit]).toEqual(['landed', null]);
    else if (result === 'landed') expect([file.status, commit]).toEqual(['complete', 'landed']);
    else expect(commit).toBeNull();
  },
});

machineConformance({
  name: 'site-reverse',
  machine: siteMachine,
  files: SITE_FILES,
  outcomes,
  reach: ['look', 'describe', 'ended'],
  bound: 6, // two steps, started again at most once, and the end
  isParallel: false,
  invariant({ file, at }) {
    if (at.stage !== 'ended') return;
    // What is said to be written is in the file.
    expect(file.result !== null).toBe(at.outcome.result === 'landed');
    expect(at.outcome.commit).toBeNull();
  },
});
