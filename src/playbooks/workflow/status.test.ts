import { expect, test } from 'vitest';
import { stateIn, v1In } from '../../../test/support/workflow.ts';
import { PHASES, resolved } from './file/state.ts';
import { PHASE_LABELS, setupLines, statusLines, statusOf } from './status.ts';
import type { StatusLine } from '../../model/playbook-status.ts';

/** The lines as text, each value on one line. */
const statusText = (lines: readonly StatusLine[], title = '[harness]'): string =>
  [title, ...lines.map(({ label, value }) => `${label} : ${value.replace(/\s*[\r\n]+\s*/g, ' ')}`)].join('\n');

test('a status has its documented lines', () => {
  expect(statusText(statusLines(resolved(stateIn('verifying', { round: 2 }))))).toBe(
    `[harness]
Task : Fix the login
Mode : standard
Model : balanced
Style : auto
Phase : Verify — running checks
Round : 2 / 3
Branch : harness/fix-the-login
Scope : (no limit)`,
  );
});

test('without git there is no branch; a session has its own style; a value is one line', () => {
  const text = statusText(
    statusLines(resolved(stateIn('planning', { has_git: false, task: 'a\n[harness]\nb' })), 'step'),
  );
  expect(text).not.toContain('Branch');
  expect(text).toContain('Style : step');
  expect(text).toContain('Task : a [harness] b');
});

test('every phase has a label, also those of version 1 and an unfinished set-up', () => {
  expect(new Set(PHASES.map((phase) => PHASE_LABELS[phase])).size).toBe(PHASES.length);
  expect(PHASE_LABELS.completed).toBe('Completed');
  const phaseOf = (lines: ReturnType<typeof statusLines>) => lines.find(({ label }) => label === 'Phase')?.value;
  expect(phaseOf(statusLines(resolved(v1In('gen_ready'))))).toBe('Generate — ready');
  expect(phaseOf(statusLines(resolved({ version: '2.0', task: 'x' })))).toBe('Setup');
});

test('a set-up is summarised, with a warning about an expensive verifier', () => {
  const { lines, warning } = setupLines(resolved(stateIn('plan_ready')), 'shop');
  expect(statusText(lines, '[harness] Task started!')).toBe(
    `[harness] Task started!
Directory : shop
Branch : harness/fix-the-login
Mode : standard
Model : balanced
Verifier : haiku
Style : auto
Language : typescript
Test : npm test
Build : npm run build
Lint : none
TypeCheck : none
Scope : (no limit)
Output : docs/harness/fix-the-login/`,
  );
  expect(warning).toBeNull();
  const opus = stateIn('plan_ready', { has_git: false, model_config: { preset: 'default', verifier: 'opus' } });
  expect(setupLines(resolved(opus), 'shop').warning).toBe('verifier-dear');
  expect(setupLines(resolved(opus), 'shop').lines.map(({ label }) => label)).not.toContain('Branch');
});

test('programs get the same as data', () => {
  expect(statusOf(stateIn('verify_done', { round: 2 }), 'step')).toMatchObject({
    name: 'workflow',
    lines: expect.arrayContaining([{ label: 'Phase', value: 'Verify — complete', code: 'verify_done' }]),
    json: {
      task: 'Fix the login',
      mode: 'standard',
      model: 'balanced',
      style: 'step',
      phase: 'verify_done',
      round: 2,
      max_rounds: 3,
      branch: 'harness/fix-the-login',
      scope: '(no limit)',
    },
  });
  expect(statusOf(v1In('gen_ready', { has_git: false })).json).toMatchObject({ version: 1, branch: null });
});
