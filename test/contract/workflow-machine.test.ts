// The conformance suite on the workflow machine, from every phase that a user may have written; in addition the invariants in every file that is
// written, hard gates that only an answer passes, pauses, budgets, languages.
import { expect, test } from 'vitest';
import { stageOf, type Done } from '../../src/engine/types.ts';
import type { Actions } from '../../src/model/action.ts';
import { GATE_SUBJECTS } from '../../src/playbooks/workflow/table/gates.ts';
import { broken } from '../support/workflow-invariants.ts';
import { workflowMachine } from '../../src/playbooks/workflow/machine.ts';
import { languageOf } from '../../src/playbooks/workflow/questions.ts';
import { NO_FILE, TABLE_STAGES, type MachineState } from '../../src/playbooks/workflow/position.ts';
import { resolved } from '../../src/playbooks/workflow/file/state.ts';
import { configOf } from '../support/config.ts';
import { machineConformance } from './machines.ts';
import { fresh, HAND_WRITTEN, NOTHING_THERE, outcomes, type Action } from './workflow-outcomes.ts';

const config = configOf();
const input = { item: 'sort', session: 4, lane: 0, run: 'r', config };
const workflow = workflowMachine(input);
const STAGES = [
  ...TABLE_STAGES,
  'start-checks',
  'detect-language',
  'overspent',
  'raise',
  'close-interrupted',
  'ended',
] as const;
machineConformance(
  {
    name: 'workflow',
    machine: workflow,
    files: HAND_WRITTEN,
    outcomes,
    reach: STAGES,
    pausedInto: ['close-interrupted'],
    bound: 600, // three rounds with all their retries, ten revisions, three raised budgets, restarted at most once
    isParallel: false,
    invariant({ file, at, mem }) {
      expect(broken(file)).toEqual([]);
      if (at.stage !== 'ended') return;
      const { result, commit, failure } = at.outcome;
      if (commit !== null) expect([file, ['landed', 'unproved'].includes(result)]).toEqual([NO_FILE, true]);
      if (result === 'landed') expect([mem.isAccepted, mem.evidence !== undefined]).toEqual([false, true]);
      if (result === 'blocked') expect(failure).not.toBeNull();
    },
  },
  6_000,
);

const wanted = (s: MachineState): readonly Action[] => {
  const next = stageOf(workflow, s.at).wants(s);
  return 'verdict' in next ? [] : next;
};
const apply = (s: MachineState, outcome: object): MachineState => {
  const [action] = wanted(s);
  const done = { kind: action?.kind, key: action?.key, action, outcome, at: '2026-01-01T00:00:00.000Z' };
  return stageOf(workflow, s.at).apply(s, done as Done<Actions>);
};
const start = (file: MachineState['file']): MachineState => ({ file, ...workflow.place(file) });

test('every question of the workflow is known, and no time-out may choose for a hard one', () => {
  const gates = Object.entries(GATE_SUBJECTS);
  expect(gates).toHaveLength(7);
  const hard = gates.filter(([, { never }]) => never.length > 0);
  for (const [, { never, options }] of hard) expect(never).toEqual(options);
  expect(hard.map(([name]) => name.slice('workflow-'.length))).toEqual(['spec', 'verify', 'auto-fix', 'qa', 'commit']);
});

test('a pause closes the sessions at work and leaves a question open; the next process is not paused', () => {
  const paused = (s: MachineState): MachineState => workflow.on?.(s, { type: 'pause' }, 'later') ?? s;
  const woken = (s: MachineState): MachineState =>
    workflow.on?.(s, { type: 'life-started', life: 'next' }, 'later') ?? s;
  const at = (stage: MachineState['at']['stage']): MachineState => ({
    ...start(fresh('single')),
    at: { stage } as MachineState['at'],
  });
  expect(paused(at('plan')).at).toMatchObject({
    stage: 'close-interrupted',
    of: 'plan',
    outcome: { result: 'paused' },
  });
  expect(paused(at('verify')).at).toMatchObject({ stage: 'close-interrupted', of: 'verify' });
  for (const stage of ['spec-gate', 'qa-gate', 'commit-gate'] as const) {
    expect(paused(at(stage))).toMatchObject({ at: { stage }, mem: { paused: true } });
    expect(woken(paused(at(stage)))).toEqual(at(stage));
  }
});

test('no session number is used twice, also where a user has set the file back', () => {
  const arrived = apply(start(fresh('single', { phase: 'plan_done' })), {
    output: { failure: null, facts: NOTHING_THERE, session: 9 },
  });
  expect([arrived.at.stage, arrived.mem.session]).toEqual(['plan-ready', 9]);
});

test('where a budget is used up no session starts: a person is asked, and then the same stage starts again', () => {
  const there: MachineState = { ...start(fresh('single')), at: { stage: 'plan' } };
  const over = { scope: 'project', unit: 'usd', spent: 3, limit: 2, base: 2 } as const;
  const asked = apply(there, { output: { over } });
  expect(wanted(asked)).toMatchObject([{ kind: 'ask', subject: 'budget-exceeded' }]);
  const raised = apply(apply(asked, { option: 'increase', note: '', by: 'anna', at: 'now' }), { file: 'costs.yaml' });
  expect([raised.at, raised.mem.tries, raised.mem.session]).toEqual([{ stage: 'plan' }, 0, there.mem.session]);
  expect(wanted(raised)[0]?.key).not.toBe(wanted(there)[0]?.key);
});

test('the language of a note is found, and from then on the user is written to in it', () => {
  const asked = apply(start(fresh('single', { phase: 'plan_done' })), {
    output: { failure: null, facts: { ...NOTHING_THERE, spec: true }, session: 4 },
  });
  expect(asked.at.stage).toBe('spec-gate');
  const answered = apply(asked, { option: 'modify', note: 'Bitte auf Deutsch', by: 'anna', at: 'now' });
  expect(wanted(answered)).toMatchObject([
    { survey: languageOf.id, input: { current: 'en', text: 'Bitte auf Deutsch' } },
  ]);
  const revised = apply(answered, { facts: { language: 'de' } });
  expect([revised.at.stage, resolved(revised.file).user_lang, revised.mem.note]).toEqual([
    'revise-spec',
    'de',
    'Bitte auf Deutsch',
  ]);
});

test.each([
  [7, 7],
  [2, 4],
])('the next session has a free number: with %i free it is %i, since the item started with 4', (session, next) => {
  const arrived = apply(start(fresh('single')), { output: { failure: null, facts: NOTHING_THERE, session } });
  expect(arrived.mem.session).toBe(next);
});
