// The table of transitions: complete, free of contradictions, every row reachable, and equal to the scenarios.
import { describe, expect, test } from 'vitest';
import { autofix, NOW, stateIn } from '../../../../test/support/workflow.ts';
import { play, rowKey, rowOf, SCENARIOS, startOf } from '../../../../test/support/workflow-scenarios.ts';
import { golden } from '../../../../test/golden/golden.ts';
import { BEGINNINGS, explore } from '../../../../test/support/workflow-explore.ts';
import { faults } from '../../../../test/support/workflow-structure.ts';
import { tableText } from '../../../../test/support/workflow-table.ts';
import { assignmentsOf } from './assignments.ts';
import { GATES } from './gates.ts';
import { entered, interpreter, next, question } from './next.ts';
import { newCounters } from './counters.ts';
import { GUARDS, type GuardName } from './rules.ts';
import { eventsIn, phaseOf, STAGE_NAMES, type EventName } from './stages.ts';
import { PHASES } from '../file/state.ts';
import { TRANSITIONS } from './transitions.ts';

const machine = { next, question };
const DOCS = 'docs/harness/fix-the-login/';
const EVENTS = [...new Set(STAGE_NAMES.flatMap((stage) => eventsIn(stage)))];

describe('the table', () => {
  test('has exactly one row that fits each event of a stage, and refuses every other event', () => {
    expect(faults(TRANSITIONS)).toEqual([]);
    let refused = 0;
    for (const stage of STAGE_NAMES)
      for (const on of EVENTS.filter((event) => !eventsIn(stage).includes(event))) {
        refused += 1;
        const s = entered(stateIn('planning'), stage, newCounters('auto'));
        expect(next(s, { on, at: NOW })).toEqual({ refused: { stage, on } });
      }
    expect([STAGE_NAMES.length * EVENTS.length, refused]).toEqual([1_677, 1_677 - 74]);
  });

  test('has a reason for every stop, and for nothing else', () => {
    for (const row of TRANSITIONS)
      expect([row.from, row.on, row.why !== undefined]).toEqual([row.from, row.on, row.to === 'stopped']);
  });

  test('uses every guard and every phase', () => {
    const used = new Set(TRANSITIONS.flatMap(({ when = [] }) => when.map((one) => one.replace(/^not /, ''))));
    expect(used).toEqual(new Set(Object.keys(GUARDS) as GuardName[]));
    expect(new Set(STAGE_NAMES.map(phaseOf))).toEqual(new Set([...PHASES, null]));
  });

  test('advances from phase to phase only as in the diagram', () => {
    const arrows = new Set<string>();
    for (const { from, to } of TRANSITIONS) {
      const after = to === 'refused' ? null : phaseOf(to);
      const before = phaseOf(from);
      if (after !== null && before !== after) arrows.add(`${before} → ${after}`);
    }
    expect([...arrows].sort()).toEqual(
      [
        'plan_ready → planning',
        'planning → plan_done',
        'plan_done → generate_ready',
        'generate_ready → generating',
        'generating → generate_done',
        'generate_done → verify_ready',
        'generate_done → evaluate_ready', // v1 of before 7.1: no verify step
        'verify_ready → verifying',
        'verifying → verify_done',
        'verify_done → generating', // FAIL, retries left
        'verify_done → verify_ready', // a patch was applied
        'verify_done → evaluate_ready',
        'evaluate_ready → evaluating',
        'evaluating → evaluate_done',
        'evaluate_done → generating', // FAIL of Layer 2, retries left
        'evaluate_done → generate_ready', // Fix
        'evaluate_done → completed',
      ].sort(),
    );
  });

  test('leaves a hard gate only on an answer', () => {
    for (const { from, on, to } of TRANSITIONS) {
      const gate = Object.entries(GATES).find(([name, { isHard }]) => isHard && from === `${name}-gate`)?.[0];
      if (gate !== undefined) expect([from, on, to]).toEqual([from, expect.stringMatching(`^${gate}: `), to]);
    }
    const past: { readonly [stage: string]: readonly string[] } = {
      'generate-ready': ['spec-gate', 'qa-gate'],
      'apply-patch': ['auto-fix-gate'],
      'clean-up': ['commit-gate', 'completed'],
      'revise-spec': ['spec-gate', 'revise-spec'],
    };
    for (const [to, from] of Object.entries(past))
      expect(new Set(TRANSITIONS.filter((row) => row.to === to).map((row) => row.from))).toEqual(new Set(from));
  });
});

describe('the scenarios', () => {
  test.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))('%s', (_name, scenario) => {
    expect(play(machine, [scenario]).wrong).toEqual([]);
  });

  test('reach every row of the table', () => {
    const { taken } = play(machine);
    const idle = TRANSITIONS.map(rowKey).filter((key) => !taken.has(key));
    expect(idle).toEqual([]);
  });
});

describe('every reachable state', () => {
  test('can continue or is an end, and together they reach every stage and every row', () => {
    const stages = new Set<string>();
    const taken = new Set<string>();
    const count = explore(machine, BEGINNINGS, (s, results) => {
      stages.add(s.at.stage);
      for (const { on } of results) taken.add(rowOf(s, on));
      const isEnd = phaseOf(s.at.stage) === null;
      expect([s.at.stage, results.some(({ after }) => after !== null)]).toEqual([s.at.stage, !isEnd]);
    });
    expect(count).toBeGreaterThan(1_000);
    expect(STAGE_NAMES.filter((stage) => !stages.has(stage))).toEqual([]);
    expect(TRANSITIONS.map(rowKey).filter((key) => !taken.has(key))).toEqual([]);
  });
});

test('the table is as in its golden text', () => {
  const text = tableText();
  expect(golden('workflow-transitions', text)).toBe(text);
});

describe('what a stage asks and sends', () => {
  test('at the first hard gate, auto-fix is not an option once it was tried, or is under way (I2)', () => {
    const options = (more: Parameters<typeof stateIn>[1]): readonly string[] => {
      const found = question(entered(stateIn('verify_done', more), 'verify-gate', newCounters('auto')));
      return found?.options ?? [];
    };
    expect(options({})).toEqual(['auto-fix', 'continue', 'stop']);
    for (const more of [
      { verify: { autofix_attempted: true } },
      { autofix: autofix('proposed') },
      { autofix: autofix('rejected'), verify: { autofix_attempted: true } },
    ])
      expect(options(more)).toEqual(['continue', 'stop']);
  });

  test('at the gate of a patch, to apply one of low confidence is not recommended', () => {
    const s = entered(stateIn('verify_done', { autofix: autofix('proposed') }), 'propose-fix', newCounters('auto'));
    expect(GATES['auto-fix'].isHard).toBe(true);
    for (const [confidence, recommended] of [
      ['High', 'apply'],
      ['Medium', 'apply'],
      ['Low', 'reject'],
      ['Unknown', 'reject'],
    ] as const) {
      const after = next(s, { on: 'patch: written', at: NOW, confidence });
      expect('state' in after && question(after.state)).toMatchObject({ gate: 'auto-fix', recommended, confidence });
    }
  });

  test('is the same for every stage each time, and every session has a file of its own', () => {
    for (const mode of ['single', 'standard', 'multi'] as const)
      for (const stage of STAGE_NAMES) {
        const s = entered(stateIn('planning', { mode }), stage, newCounters('auto'));
        expect(question(s)).toEqual(question(s));
        const files = assignmentsOf(stage, mode, DOCS).map(({ output }) => output);
        expect(assignmentsOf(stage, mode, DOCS).map(({ output }) => output)).toEqual(files);
        expect(new Set(files).size).toBe(files.length);
      }
  });

  test.each([
    ['single', 'plan', 'planner docs/harness/fix-the-login/spec.md'],
    [
      'standard',
      'propose',
      'architect .harness/planner/proposal_architect.md, senior-developer .harness/planner/proposal_senior_developer.md',
    ],
    [
      'multi',
      'propose',
      'architect .harness/planner/proposal_architect.md, senior-developer .harness/planner/proposal_senior_developer.md, qa-specialist .harness/planner/proposal_qa_specialist.md',
    ],
    [
      'multi',
      'critique',
      'critic .harness/planner/critique_architect.md, critic .harness/planner/critique_senior_developer.md, critic .harness/planner/critique_qa_specialist.md',
    ],
    ['standard', 'synthesise', 'synthesis docs/harness/fix-the-login/spec.md'],
    ['standard', 'design', 'lead-developer .harness/generator/plan.md'],
    ['standard', 'review', 'combined-advisor .harness/generator/review_combined.md'],
    [
      'multi',
      'review',
      'code-quality-advisor .harness/generator/review_code_quality.md, test-stability-advisor .harness/generator/review_test_stability.md',
    ],
    ['multi', 'retry', 'generator docs/harness/fix-the-login/changes.md'],
    ['single', 'scan', 'convention-scanner .harness/conventions.md'],
    ['single', 'propose-fix', 'auto-fix-proposer .harness/generator/auto_fix_patch.md'],
    ['single', 'evaluate', 'evaluator docs/harness/fix-the-login/qa_report.md'],
  ] as const)('in mode %s at %s is %s', (mode, stage, expected) => {
    const sessions = assignmentsOf(stage, mode, DOCS);
    expect(sessions.map(({ role, output }) => `${role} ${output}`).join(', ')).toBe(expected);
  });
});

describe('a transition', () => {
  test('writes the time of its event if it writes anything, and nothing else of the file', () => {
    const file = { version: '2.0', task: 'x', phase: 'verifying', mine: 1 } as const;
    const after = next(entered(file, 'verify', newCounters('auto')), { on: 'layer 1: pass', at: NOW });
    expect(after).toMatchObject({
      state: { file: { ...file, phase: 'verify_done', updated_at: NOW, verify: { layer1_result: 'PASS' } } },
    });
    const settled = startOf({ name: '', from: 'conventions', steps: [] });
    expect(next(settled, { on: 'conventions: settled', at: NOW })).toMatchObject({ state: { file: settled.file } });
  });

  test('is counted, so that a key made with the count is used once, and keeps the line of its event', () => {
    const s = entered(stateIn('verifying'), 'verify', newCounters('auto'));
    const after = next(s, { on: 'layer 1: fail', at: NOW, line: 'FAIL — 2 tests' });
    expect(after).toMatchObject({ state: { mem: { visits: 1, line: 'FAIL — 2 tests', tries: 0 } } });
  });

  test('that two rows fit, or none, is a bug', () => {
    const s = entered(stateIn('verifying'), 'verify', newCounters('auto'));
    const event = { on: 'layer 1: pass' as EventName, at: NOW };
    expect(() => interpreter([...TRANSITIONS, ...TRANSITIONS]).next(s, event)).toThrow('2 rows fit');
    expect(() => interpreter([]).next(s, event)).toThrow('0 rows fit');
  });
});
