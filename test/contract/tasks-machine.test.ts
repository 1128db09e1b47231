// The conformance suite on the tasks machine, with every shape of outcome that its actions can have; and what the suite cannot see:
// what a new life finds in the middle of a session, and that the repository comes before the books.
import { describe, expect, test } from 'vitest';
import type { ActionOf } from '../../src/engine/types.ts';
import type { Actions } from '../../src/model/action.ts';
import { emptySessionState, type SessionState } from '../../src/playbooks/session/session-state.ts';
import { tasksMachine } from '../../src/playbooks/tasks/machine.ts';
import { STAGES } from '../../src/playbooks/tasks/positions.ts';
import type { S } from '../../src/playbooks/tasks/stages/moves.ts';
import { configOf } from '../support/config.ts';
import { machineConformance } from './machines.ts';
import { BACK, FACTS, outcomes, type Action } from './tasks-outcomes.ts';

const state = (more: Partial<SessionState>): SessionState => ({
  ...emptySessionState('then'),
  last_session: 3,
  ...more,
});
/** What a person may have written: each status, the task at hand or another, fresh or stuck. */
const HAND_WRITTEN: readonly SessionState[] = [
  emptySessionState(''),
  ...(['complete', 'partial', 'failed'] as const).flatMap((status) =>
    [null, 'task-001', 'task-002', 7].flatMap((current_feature) =>
      [0, 3].map((stuck_count) => state({ status, current_feature, stuck_count })),
    ),
  ),
];

const config = configOf();
const tasks = tasksMachine({ item: 'task-001', session: 4, lane: 0, run: 'r', config });
machineConformance(
  {
    name: 'tasks',
    machine: tasks,
    files: HAND_WRITTEN,
    outcomes,
    reach: STAGES,
    bound: 40, // the longest life has twenty steps (three budgets raised), begun anew at most once
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

const apply = (s: S, outcome: object): S => {
  const { [s.at.stage]: row } = tasks.stages;
  const [action] = wanted(s);
  const done = { kind: action?.kind, key: action?.key, action, outcome, at: '2026-01-01T00:00:00.000Z' };
  return (row as unknown as { apply(s: S, done: object): S }).apply(s, done);
};
const wanted = (s: S): readonly Action[] => {
  const next = (tasks.stages[s.at.stage] as unknown as { wants(s: S): object }).wants(s);
  return 'verdict' in next ? [] : (next as readonly Action[]);
};
const first: S = { file: emptySessionState(''), ...tasks.place(emptySessionState('')) };
/** One state for each way that leads to a stage, each stage being walked through once for each state of the machine before it. */
function everyState(): readonly S[] {
  const seen = new Map<string, S>();
  for (let open: readonly S[] = [first]; open.length > 0;) {
    const next: S[] = [];
    for (const s of open)
      for (const action of wanted(s))
        for (const outcome of outcomes(action)) {
          const after = apply(s, outcome);
          const shape = JSON.stringify([after.at.stage, s.at.stage, outcome]);
          if (seen.has(shape)) continue;
          seen.set(shape, after);
          next.push(after);
        }
    open = next;
  }
  return [...seen.values()];
}
const ALL = everyState();
const at = (...stages: readonly (typeof STAGES)[number][]): readonly S[] =>
  ALL.filter((s) => stages.includes(s.at.stage));

describe('what another life finds', () => {
  const begun = (s: S): S => tasks.on?.(s, { type: 'life-started', life: 'x#r-2' }, 'later') ?? s;

  test('is looked at by the table of the reference where a session was under way', () => {
    expect(at('work').length).toBeGreaterThan(0);
    for (const s of at('work'))
      expect(begun(s).at).toEqual({ stage: 'recover', facts: (s.at as { facts: object }).facts });
  });

  test('is gone on with where it stood everywhere else', () => {
    for (const s of ALL.filter((one) => one.at.stage !== 'work')) expect(begun(s)).toBe(s);
  });

  test('is cut where the list has it under way, unless it was saved on purpose', () => {
    const [action] = wanted(first);
    expect(action).toMatchObject({ kind: 'survey' });
    const after = FACTS.map((one) => apply(first, { facts: { facts: one, failure: null } }).at.stage);
    expect(after).toEqual(['prepare', 'prepare', 'recover', 'prepare', 'prepare']);
  });
});

describe('the repository comes before the books', () => {
  const statusOf = (action: Action | undefined): unknown =>
    action?.kind === 'write' && action.edit !== null
      ? (action.edit.input as { patch: { status?: string } }).patch.status
      : undefined;
  const procedureOf = (s: S): unknown => {
    const [action] = wanted(s);
    return action?.kind === 'procedure' ? action.procedure : action?.kind;
  };

  test('an attempt is written down as failed, or let go of, when it has been rolled back', () => {
    for (const s of at('fail', 'release')) {
      expect(procedureOf(s)).toBe('undo');
      for (const back of BACK)
        expect(apply(s, { output: back }).at.stage).toBe(`${s.at.stage}${s.at.stage === 'fail' ? 'ed' : 'd'}`);
    }
    for (const s of at('failed')) {
      const [action] = wanted(s);
      expect(statusOf(action)).toBe('failed');
      expect((action as ActionOf<Actions, 'write'>).lines.join('\n')).toContain(
        'ROLLBACK [task-001] git reset --hard c0ffee',
      );
    }
    for (const s of ALL.filter((one) => !['failed', 'complete', 'claim', 'released', 'saved'].includes(one.at.stage)))
      expect(statusOf(wanted(s)[0])).toBeUndefined();
  });

  test('a task is written down as completed when its commit is there', () => {
    for (const s of at('complete')) {
      expect((s.at as { outcome: { commit: string } }).outcome.commit).toBe('landed');
      expect(statusOf(wanted(s)[0])).toBe('completed');
    }
    for (const s of ALL.filter(({ at: { stage } }) => stage !== 'complete'))
      expect(statusOf(wanted(s)[0])).not.toBe('completed');
  });

  test('attempts are counted where the task failed, and nowhere else', () => {
    for (const s of ALL) {
      const [action] = wanted(s);
      const patch = action?.kind === 'write' ? ((action.edit?.input ?? {}) as { patch?: object }).patch : undefined;
      expect('attempts' in (patch ?? {})).toBe(s.at.stage === 'failed');
    }
  });
});

test('a pause in the middle of a session saves it; before one it ends the task, after one it changes no end', () => {
  const paused = (s: S): S => tasks.on?.(s, { type: 'pause' }, 'later') ?? s;
  for (const s of at('work')) expect(paused(s).at).toMatchObject({ stage: 'save', why: 'user_pause' });
  for (const s of at('prepare', 'checkpoint')) expect(paused(s).at).toMatchObject({ outcome: { result: 'paused' } });
  for (const s of at('accept', 'complete')) expect(paused(s).at).toEqual(s.at);
});

test('what is in doubt lands on the word of a person alone, also where a cut session is taken up', () => {
  const ends = at('recovered').flatMap((s) => {
    const { found } = s.at as Extract<S['at'], { stage: 'recovered' }>;
    if (found.end !== 'holds') return [];
    return [`${found.strength?.doubts.length ?? 0} doubts: ${apply(s, { written: [] }).at.stage}`];
  });
  expect(new Set(ends)).toEqual(new Set(['0 doubts: accept', '1 doubts: doubtful']));
});
