// The conformance suite on every machine, with every shape of outcome that its actions can have.
import { describe, expect, test } from 'vitest';
import type { ActionOf, State } from '../../src/engine/types.ts';
import { loopMachine } from '../../src/loop/machine.ts';
import { emptyLoop, type LoopFile } from '../../src/loop/run-file.ts';
import type { RunMode } from '../../src/model/run.ts';
import type { Actions, CommitOutcome, ItemOutcome, ItemResult } from '../../src/model/action.ts';
import { failure } from '../../src/model/failure.ts';
import { NO_USAGE } from '../../src/model/usage.ts';
import { initMachine } from '../../src/playbooks/features/init-machine.ts';
import type { Initialised } from '../../src/playbooks/features/initialise.ts';
import { featuresMachine } from '../../src/playbooks/features/machine.ts';
import type { Accepted, CutReason, Preflight, Put, Shown, Work } from '../../src/playbooks/session/facts.ts';
import type { At, Mem } from '../../src/playbooks/features/positions.ts';
import { emptySessionState, type SessionState } from '../../src/playbooks/session/session-state.ts';
import { cleanupMachine } from '../../src/playbooks/features/cleanup-machine.ts';
import { configOf } from '../support/config.ts';
import { checkpoint, facts, failing, problem, strength, usage, verdict } from '../support/outcomes.ts';
import { machineConformance } from './machines.ts';

type Action = ActionOf<Actions>;
const commits: readonly CommitOutcome[] = [
  { commit: 'c1', tree: 't1', refused: null },
  { commit: null, tree: 't0', refused: null }, // nothing had changed
  { commit: null, tree: 't2', refused: problem('tree-changed-since-check') },
];
const outputs = (all: readonly object[]): readonly object[] => all.map((output) => ({ output }));
const lost = failure('agent-rate-limited');
const noLogin = failure('agent-auth');
const CUTS: readonly CutReason[] = ['timeout', 'context_limit', 'stuck', 'user_pause', 'budget', 'error', 'incomplete'];
const over = { scope: 'feature', spentUsd: 26, limitUsd: 25, baseUsd: 25 } as const;

const ready = (more: Parameters<typeof facts>[0] = {}): Preflight => ({
  ready: true,
  facts: facts(more),
  firstTask: [],
  stash: null,
});
const large = { oversized: [{ flag: 'too-many-steps', params: { steps: 9, limit: 7 } }] };
const byHand = { kind: 'hybrid', checks: ['looks right'], steps: ['open it'], commands: [] } as const;
const PREFLIGHTS: readonly Preflight[] = [
  ready(),
  ready(large),
  {
    ...ready({ partial: { session: 2, reason: 'timeout', base: 'b' } }),
    firstTask: [problem('regression')],
  } as Preflight,
  ready({ failed: [problem('tests-failed')], attempt: 3, ...large }),
  ready({ byHand }),
  ready({ byHand, attempt: 2, failed: [problem('manual-failed', { by: 'anna' })] }),
  { ready: false, failure: failure('baseline-failing', { count: 1 }) },
  { ready: false, failure: failure('reset-failed', { command: './reset.sh', exit: 1, tail: '' }) },
  { ready: false, failure: failure('budget-exhausted') },
  { ready: false, failure: failure('budget-exhausted'), over },
];
const rejected = { end: 'rejected', regressions: [], evidence: null, text: '' } as const;
const WORKS: readonly Work[] = [
  { end: 'holds', verdict: verdict(), strength: strength(), text: 'Done.' },
  { end: 'holds', verdict: verdict(), strength: strength(), text: 'As asked.' },
  { end: 'holds', verdict: verdict({ flaky: ['pytest|a||b'] }), strength: strength(), text: '' },
  { end: 'holds', verdict: verdict({ passing: null, evidence: null, tests: null }), strength: null, text: '' },
  { end: 'doubtful', verdict: verdict(), strength: strength({ doubts: [problem('test-not-red')] }), text: 'Done.' },
  ...CUTS.map((why): Work => ({ end: 'unfinished', why, text: 'so far' })),
  { end: 'unfinished', why: 'error', failure: lost, text: '' },
  { ...rejected, reason: 'tests-failed', problems: failing().problems, evidence: 'e' },
  { ...rejected, reason: 'regression', problems: [problem('regression')], regressions: ['pytest|a||b'] },
  { ...rejected, reason: 'output-limit', problems: [] },
  { ...rejected, reason: 'tests-failed', problems: failing().problems, ask: 'verification-failed' },
  { ...rejected, reason: 'regression', problems: [problem('regression')], regressions: ['a'], ask: 'regression' },
  { ...rejected, reason: 'check-failed', problems: [problem('check-failed')], ask: 'sanity-failed' },
  { end: 'agent-failed', failure: lost, text: '' },
  { end: 'agent-failed', failure: noLogin, text: '' },
];
const ACCEPTED: readonly Accepted[] = [
  { commit: 'landed', usage, bundle: '', pushFailure: null },
  { commit: 'landed', usage, bundle: '', pushFailure: failure('agent-network') },
  { commit: null, usage, refused: [problem('harness-file-edited')] },
  { commit: null, usage, refused: [] },
];
const PUTS: readonly Put[] = [
  { usage, commit: 'wip' },
  { usage, commit: null },
  { usage, commit: 'wip', over },
  { usage, commit: null, refused: problem('nested-repository', { path: 'vendor' }) },
];
const PROCEDURES: { readonly [name: string]: readonly object[] } = {
  preflight: PREFLIGHTS,
  work: WORKS,
  show: [
    { tampering: [], files: ['.harness/sessions/4/manual.json'] },
    { tampering: [], files: [] },
    { tampering: [problem('harness-file-edited')], files: [] },
  ] satisfies readonly Shown[],
  accept: ACCEPTED,
  save: PUTS,
  untidy: [
    { ready: true, untidy: { largeFiles: [{ path: 'a.ts', lines: 900 }], lint: { tail: 'x' } } },
    { ready: false, failure: failure('baseline-failing', { count: 1 }) },
  ],
  tidy: [
    { end: 'holds', verdict: verdict(), text: '' },
    { end: 'refused', reason: 'regression', problems: [problem('regression')], failure: null, text: '' },
    { end: 'refused', reason: 'agent-auth', problems: [], failure: noLogin, text: '' },
    { end: 'refused', reason: 'wall-limit', problems: [], failure: null, text: '' },
  ],
  'land-cleanup': [
    { commit: 'c', refused: [], usage },
    { commit: null, refused: [problem('harness-file-edited')], usage },
    { commit: null, refused: [], usage },
  ],
  'undo-cleanup': [{ usage }],
  final: [
    { end: 'holds', tests: null, warnings: [] },
    { end: 'unready', failure: failure('init-failed') },
    { end: 'broken', tests: null, problems: [problem('regression')], broken: ['1', '2'] },
    { end: 'broken', tests: null, problems: [problem('check-failed')], broken: [] },
  ],
  unwind: [
    { commit: 'c', count: 2, failure: null },
    { commit: null, failure: failure('unwind-failing', { item: '1' }) },
  ],
  reject: PUTS,
  initialise: [
    { end: 'valid', text: '' },
    { end: 'invalid', problems: [problem('stub-passes', { item: '1', file: 'x' })], text: '' },
    { end: 'agent-failed', failure: lost, text: '' },
    { end: 'agent-failed', failure: noLogin, text: '' },
    { end: 'cut', why: 'wall-limit', text: '' },
  ] satisfies readonly Initialised[],
  settle: [
    { commit: 'first', refused: [] },
    { commit: null, refused: [problem('harness-file-edited')] },
    { commit: null, refused: [] },
  ],
  undo: [{ attempt: 'refs/a' }, { attempt: null }],
};

/** Every shape that the performers and procedures of the product hand back. */
function outcomes(action: Action): readonly object[] {
  switch (action.kind) {
    case 'procedure':
      return outputs(PROCEDURES[action.procedure] ?? []);
    case 'ask':
      return action.options.map(({ id }) => ({
        option: id,
        note: id === 'skip' ? '' : 'because',
        by: 'anna',
        at: 'then',
      }));
    case 'commit':
      return commits;
    case 'checkpoint':
      return [checkpoint];
    case 'wait':
      return [{ until: 'then' }];
    case 'remember':
      return [{ file: 'costs.yaml' }];
    case 'survey':
      return NEXT.map((next) => ({ facts: next }));
    case 'item':
      return ITEMS;
    default:
      throw new Error(`no machine of this suite wants ${action.kind}`);
  }
}

const none = { next: null, remaining: 0, session: 5, failure: null };
const NEXT: readonly object[] = [
  { ...none, next: '1', remaining: 3 },
  { ...none, next: '2', remaining: 1 },
  none,
  { ...none, remaining: 2 },
  { ...none, next: '2', remaining: 1, leftover: '1' },
  { ...none, leftover: '3' },
  { ...none, session: 0, failure: failure('backlog-invalid') },
  { ...none, session: 0, failure: failure('backlog-invalid'), circle: { items: ['1', '2'], paths: ['1 → 2 → 1'] } },
];
const itemOf = (result: ItemResult): ItemOutcome => ({
  result,
  reason: 'why',
  failure: result === 'blocked' ? noLogin : null,
  problems: result === 'rejected' ? [problem('tests-failed')] : [],
  commit: result === 'landed' ? 'c' : null,
  evidence: null,
  usage,
  gate: result === 'gate' ? 'g-1' : null,
});
const RESULTS = [
  'landed',
  'unproved',
  'partial',
  'failed',
  'rejected',
  'skipped',
  'paused',
  'gate',
  'blocked',
  'aborted',
] as const;
const ITEMS = [...RESULTS.map(itemOf), { ...itemOf('partial'), reason: lost.reason, failure: lost }];

const state = (more: Partial<SessionState>): SessionState => ({
  ...emptySessionState('then'),
  last_session: 3,
  ...more,
});
/** What a person may have written: each status, each prompt, the feature at hand or another, fresh or stuck. */
const HAND_WRITTEN: readonly SessionState[] = [
  emptySessionState(''),
  ...(['complete', 'partial', 'failed'] as const).flatMap((status) =>
    (['coding', 'continuation', 'cleanup'] as const).flatMap((next_prompt) =>
      [null, 1, 2].flatMap((current_feature) =>
        [0, 3].map((stuck_count) => state({ status, next_prompt, current_feature, stuck_count })),
      ),
    ),
  ),
];

const config = configOf();
const features = featuresMachine({ item: '1', session: 4, lane: 0, run: 'r', config });
machineConformance(
  {
    name: 'features',
    machine: features,
    files: HAND_WRITTEN,
    outcomes,
    reach: [
      'preflight',
      'stuck',
      'oversized',
      'flag',
      'checkpoint',
      'work',
      'doubtful',
      'show',
      'manual',
      'drop',
      'accept',
      'save',
      'reject',
      'refused',
      'broken',
      'overspent',
      'raise',
      'ended',
    ],
    bound: 40, // the longest life has twenty steps (three budgets raised), cut and begun anew at most once
    isParallel: false,
    invariant({ file, at }) {
      if (at.stage !== 'ended') return;
      const { outcome } = at;
      switch (outcome.result) {
        case 'landed':
          expect([outcome.commit, file.status, file.stuck_count]).toEqual(['landed', 'complete', 0]);
          break;
        case 'partial':
          expect([file.status, file.next_prompt, outcome.reason]).toEqual([
            'partial',
            'continuation',
            expect.any(String),
          ]);
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

const init = initMachine({ path: 'SPEC.md', text: '# App' });
machineConformance({
  name: 'features-init',
  machine: init,
  files: [emptySessionState(''), state({ status: 'failed' })],
  outcomes,
  reach: ['checkpoint', 'work', 'settle', 'undo', 'ended'],
  bound: 10,
  isParallel: false,
  invariant({ file, at }) {
    if (at.stage === 'ended' && at.outcome.result === 'landed')
      expect([file.status, file.next_prompt, at.outcome.commit]).toEqual(['complete', 'coding', 'first']);
  },
});

machineConformance({
  name: 'features-cleanup',
  machine: cleanupMachine({ item: 'cleanup', session: 4, lane: 0, run: 'r', config }),
  files: HAND_WRITTEN,
  outcomes,
  reach: ['preflight', 'checkpoint', 'work', 'land', 'undo', 'ended'],
  bound: 16,
  isParallel: false,
  invariant({ file, at }) {
    if (at.stage !== 'ended') return;
    const { result } = at.outcome;
    if (result === 'landed') expect([file.status, file.next_prompt]).toEqual(['complete', 'coding']);
    if (result === 'rejected' || result === 'failed')
      expect([file.status, file.next_prompt]).toEqual(['failed', 'coding']);
  },
});

const where = { backlog: 'features.json', progress: 'claude-progress.txt', stateDir: '.harness' };
const change = (id: string) => ({ id, subject: 'chore', edit: { name: 'flag', input: {} }, item: '1' });
const LOOP_FILES: readonly LoopFile[] = [
  emptyLoop('run-1'),
  emptyLoop('earlier'),
  { ...emptyLoop('earlier'), running: [{ item: '1', lane: 0, session: 2 }] },
  { ...emptyLoop('earlier'), reports: [{ id: '9', session: 1, ...itemOf('landed') }] },
  { ...emptyLoop('run-1'), pending: [change('m1'), change('m2')] },
  { ...emptyLoop('run-1'), pending: [change('m1')], running: [{ item: '2', lane: 0, session: 2 }] },
];
const MODE: RunMode = { work: true, only: null, untilDone: true, maxSessions: null, maxItems: null };
describe.each<[string, Partial<RunMode>, readonly (keyof ReturnType<typeof loopMachine>['stages'])[]]>([
  [
    'until done, five sessions at most',
    { maxSessions: 5 },
    ['choose', 'work', 'rest', 'unwind', 'final', 'circle', 'false-positives', 'mark', 'ended'],
  ],
  ['until done, two items at most', { maxItems: 2, maxSessions: 12 }, ['choose', 'work', 'ended']],
  ['one session', { untilDone: false }, ['choose', 'work', 'ended']],
  ['three sessions', { untilDone: false, maxSessions: 3, only: '1' }, ['choose', 'work', 'ended']],
  ['changes only', { work: false }, ['choose']],
])('%s', (name, mode, reach) => {
  machineConformance({
    name: `loop (${name})`,
    machine: loopMachine({ ...MODE, ...mode }, where),
    files: LOOP_FILES,
    outcomes,
    reach,
    bound: 150, // five sessions, each after items were marked as failing twice, ten items skipped, begun anew once
    isParallel: false,
    invariant({ file, at }) {
      expect(file.running.length).toBe(at.stage === 'work' ? 1 : 0);
      const { maxSessions, untilDone } = { ...MODE, ...mode };
      const limit = maxSessions ?? (untilDone ? Infinity : 1);
      // Begun anew at its end, it takes one more. What a person left out at a gate was no session.
      const sessions = file.reports.filter((r) => r.result !== 'skipped').length;
      if (file.run === 'run-1' && at.stage !== 'ended') expect(sessions).toBeLessThanOrEqual(limit);
    },
  });
});

describe('session_state.json as a person wrote it', () => {
  type S = State<SessionState, At, Mem>;
  const apply = (s: S, action: Action, outcome: object): S =>
    (features.stages[s.at.stage] as unknown as { apply(s: S, done: object): S }).apply(s, {
      kind: action.kind,
      key: action.key,
      action,
      outcome,
      at: '2026-01-01T00:00:00.000Z',
    });
  const after = (file: SessionState, found: Preflight): S => {
    const s: S = { file, ...features.place(file) };
    expect(s.at).toEqual({ stage: 'preflight' });
    const [action] = features.stages.preflight.wants(s as never) as readonly Action[];
    return apply(s, action as Action, { output: found });
  };

  /** status · feature of the file · stuck_count · where a session on feature 1 goes when preflight found nothing in its way */
  test.each([
    ['complete', 1, 0, 'checkpoint'],
    ['complete', null, 0, 'checkpoint'],
    ['partial', 1, 2, 'checkpoint'],
    ['partial', 1, 3, 'stuck'], // "Check stuck_count — escalate if ≥3"
    ['failed', 1, 2, 'checkpoint'],
    ['failed', 1, 3, 'stuck'],
    ['failed', 1, 7, 'stuck'],
    ['failed', 2, 7, 'checkpoint'], // "Working on different feature, reset counter"
    ['partial', null, 7, 'checkpoint'],
  ] as const)('%s on %s after %i failed sessions goes on to %s', (status, current_feature, stuck_count, stage) => {
    for (const next_prompt of ['coding', 'continuation', 'cleanup'] as const)
      expect(after(state({ status, current_feature, stuck_count, next_prompt }), ready()).at.stage).toBe(stage);
  });

  test('a stuck feature is asked about before its size is', () => {
    expect(after(state({ current_feature: 1, stuck_count: 3 }), ready(large)).at.stage).toBe('stuck');
    expect(after(state({ current_feature: 1, stuck_count: 0 }), ready(large)).at.stage).toBe('oversized');
  });

  test('what preflight refuses ends the item and leaves the file as it was: the session did not take place', () => {
    for (const file of HAND_WRITTEN) {
      const s = after(file, { ready: false, failure: failure('baseline-failing') });
      expect([s.file, s.at.stage]).toEqual([file, 'ended']);
    }
  });

  test.each([
    ['split', 'blocked'],
    ['manual', 'blocked'],
    ['abort', 'aborted'],
    ['skip', null],
  ])(
    'the answer %s to "stuck" ends the item as %s, and the same question is not asked at once again',
    (option, result) => {
      const s = after(state({ current_feature: 1, stuck_count: 3 }), ready());
      const [action] = features.stages.stuck.wants(s as never) as readonly Action[];
      const answered = apply(s, action as Action, { option, note: '', by: 'anna', at: 'then' });
      expect(answered.file.stuck_count).toBe(0);
      if (result === null) expect(answered.at).toMatchObject({ stage: 'flag', change: 'skip' });
      else expect(answered.at).toMatchObject({ stage: 'ended', outcome: { result } });
    },
  );

  test('the answer retry to "stuck" starts one more session, which reads first what the person said', () => {
    const s = after(state({ current_feature: 1, stuck_count: 3 }), ready());
    const [action] = features.stages.stuck.wants(s as never) as readonly Extract<Action, { kind: 'ask' }>[];
    expect(action?.options.map(({ id }) => id)).toContain('retry');
    const answered = apply(s, action as Action, { option: 'retry', note: 'use the cache', by: 'anna', at: 'then' });
    expect(answered.file.stuck_count).toBe(0);
    const note = { code: 'said-by-person', params: { note: 'use the cache' } };
    expect(answered.at).toMatchObject({ stage: 'checkpoint', firstTask: [note] });
  });

  test('a pause before the session ends the item without one; in the middle of it what is there is saved', () => {
    const pause = (s: S): S => features.on?.(s, { type: 'pause' }, 'later') ?? s;
    const first: S = { file: emptySessionState(''), ...features.place(emptySessionState('')) };
    expect(pause(first).at).toMatchObject({ stage: 'ended', outcome: { result: 'paused', usage: NO_USAGE } });
    const second = after(emptySessionState(''), ready());
    expect(pause(second).at).toMatchObject({ stage: 'ended', outcome: { result: 'paused' } });
    const [action] = features.stages.checkpoint.wants(second as never) as readonly Action[];
    const working = apply(second, action as Action, checkpoint);
    expect(pause(working).at).toMatchObject({ stage: 'save', why: 'user_pause', endedAt: 'later' });
  });
});
