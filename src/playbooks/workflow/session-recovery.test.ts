// What a command does about an existing state.json: the questions, the answers, and what a named step needs.
import { describe, expect, test } from 'vitest';
import { autofix, stateIn, THERE, v1In } from '../../../test/support/workflow.ts';
import { PHASES, type Phase, type WorkflowFile } from './file/state.ts';
import {
  decisionAfter,
  NEXT_STEP,
  PREREQUISITES,
  START_GATES,
  startDecision,
  type StartRequest,
  type TaskDocument,
} from './session-recovery.ts';
import { resumed, type StartFacts } from './table/resume.ts';

const stateOf = (file: WorkflowFile) => {
  const result = resumed(file, THERE);
  return typeof result === 'string' ? result : result.s;
};

describe('a command', () => {
  const found = (file: WorkflowFile) => ({ kind: 'workflow', file }) as const;
  const none: StartRequest = { step: null, hasTask: false };
  const task: StartRequest = { step: null, hasTask: true };

  test('without a state.json starts set-up; a step that needs one names the step before it', () => {
    expect(startDecision(null, task, THERE)).toEqual({ do: 'set-up', known: null });
    expect(startDecision(null, { step: 'plan', hasTask: true }, THERE)).toEqual({ do: 'set-up', known: null });
    expect(startDecision(null, { step: 'plan', hasTask: false }, THERE)).toEqual({ do: 'set-up', known: null });
    for (const [step, first] of [
      ['generate', 'plan'],
      ['verify', 'generate'],
      ['evaluate', 'verify'],
    ] as const)
      for (const hasTask of [true, false])
        expect(startDecision(null, { step, hasTask }, { ...THERE, spec: false, changes: false })).toMatchObject({
          do: 'refuse',
          first,
        });
  });

  test('asks before it deletes the state of another skill; the recommended answer deletes nothing', () => {
    const other = { kind: 'foreign', skill: 'mission' } as const;
    for (const command of [none, task, { step: 'verify', hasTask: false } as const])
      expect(startDecision(other, command, THERE)).toEqual({ do: 'ask', gate: 'conflict' });
    expect(decisionAfter('conflict: delete', null, null, THERE)).toEqual({ do: 'restart', why: 'answered' });
    expect(decisionAfter(`conflict: ${START_GATES.conflict.recommended}`, null, null, THERE)).toEqual({
      do: 'halt',
      deletes: false,
    });
  });

  test.each(PHASES.filter((phase) => phase !== 'completed'))(
    'on a session in %s asks: resume, restart, or stop',
    (phase) => {
      const file = stateIn(phase);
      for (const command of [
        none,
        task,
        { step: 'plan', hasTask: true } as const,
        { step: 'verify', hasTask: true } as const,
      ])
        expect(startDecision(found(file), command, THERE)).toEqual({ do: 'ask', gate: 'session' });
      expect(decisionAfter('session: resume', file, null, THERE)).toEqual({ do: 'continue', s: stateOf(file) });
      expect(decisionAfter('session: restart', file, null, THERE)).toEqual({ do: 'restart', why: 'answered' });
      expect(decisionAfter('session: stop', file, null, THERE)).toEqual({ do: 'halt', deletes: true });
    },
  );

  test('that names a step and a new task asks first; resume then runs that step, if it may run', () => {
    const command = { step: 'verify', hasTask: true } as const;
    expect(startDecision(found(stateIn('generate_done')), command, THERE)).toEqual({ do: 'ask', gate: 'session' });
    expect(decisionAfter('session: resume', stateIn('generate_done'), 'verify', THERE)).toMatchObject({
      do: 'continue',
      s: { at: { stage: 'verify-ready' }, mem: { style: 'step', only: 'verify' } },
    });
    expect(decisionAfter('session: resume', stateIn('plan_done'), 'verify', THERE)).toMatchObject({
      do: 'refuse',
      first: 'generate',
    });
  });

  test('asks about a session of version 1, whatever step is named', () => {
    expect(startDecision(found(v1In('gen_ready')), { step: 'generate', hasTask: false }, THERE)).toEqual({
      do: 'ask',
      gate: 'session',
    });
    expect(decisionAfter('session: resume', v1In('completed'), null, THERE)).toEqual({ do: 'set-up', known: null });
  });

  test('starts from scratch on a completed session: none is active', () => {
    expect(startDecision(found(stateIn('completed')), task, THERE)).toEqual({ do: 'set-up', known: null });
    expect(startDecision(found(v1In('completed')), none, THERE)).toEqual({ do: 'set-up', known: null });
    expect(startDecision(found(stateIn('completed')), { step: 'evaluate', hasTask: false }, THERE)).toMatchObject({
      do: 'refuse',
      first: 'verify',
    });
  });

  test('continues an unfinished set-up with what it wrote', () => {
    const file = { version: '2.0', task: 'x', slug: 'x' } as const;
    expect(startDecision(found(file), none, THERE)).toEqual({ do: 'ask', gate: 'session' });
    expect(decisionAfter('session: resume', file, null, THERE)).toEqual({ do: 'set-up', known: file });
  });

  test('restarts where docs_path is not valid; a step there is refused and nothing is deleted', () => {
    const facts = { ...THERE, isDocsPathValid: false };
    const file = stateIn('generate_done', { docs_path: '../elsewhere/' });
    expect(decisionAfter('session: resume', file, null, facts)).toEqual({ do: 'restart', why: 'docs-path-invalid' });
    expect(startDecision(found(file), { step: 'verify', hasTask: false }, facts)).toEqual({
      do: 'refuse-path',
      path: '../elsewhere/',
    });
  });

  test.each([
    ['generate', 'plan_done', 'plan', ['spec.md']],
    ['verify', 'generate_done', 'generate', ['changes.md']],
    ['evaluate', 'verify_done', 'verify', ['spec.md', 'changes.md', 'verify_report.md']],
  ] as const)('%s runs from %s on; before that it is refused, and %s comes first', (step, from, first, files) => {
    expect(PREREQUISITES[step]).toEqual({ files, from, first });
    const command = { step, hasTask: false };
    for (const phase of PHASES.filter((one) => one !== 'completed')) {
      const isThere = PHASES.indexOf(phase) >= PHASES.indexOf(from);
      const file = stateIn(phase, { verify: { layer1_result: 'PASS' } });
      expect([phase, startDecision(found(file), command, THERE).do]).toEqual([phase, isThere ? 'continue' : 'refuse']);
    }
    const file = stateIn('evaluate_ready');
    const factOf: { readonly [A in TaskDocument]: keyof StartFacts } = {
      'spec.md': 'spec',
      'changes.md': 'changes',
      'verify_report.md': 'verifyReport',
    };
    for (const missing of files)
      expect(startDecision(found(file), command, { ...THERE, [factOf[missing]]: false })).toEqual({
        do: 'refuse',
        first,
        missing: [missing],
      });
  });

  test('does not evaluate what a patch changed since the last verification', () => {
    const verify = { layer1_result: null, layer1_retries: 3, autofix_attempted: true };
    const file = stateIn('verify_done', { autofix: autofix('applied'), verify });
    expect(startDecision(found(file), { step: 'evaluate', hasTask: false }, THERE)).toEqual({
      do: 'refuse',
      first: 'verify',
      missing: [],
    });
  });

  test('is suggested the next step', () => {
    const suggested = (phase: Phase) => NEXT_STEP[phase];
    expect([
      suggested('plan_done'),
      suggested('generate_done'),
      suggested('verify_done'),
      suggested('evaluate_done'),
    ]).toEqual(['generate', 'verify', 'evaluate', null]);
  });
});
