// The model of each role: presets, custom choices, the verifier.
import { describe, expect, test } from 'vitest';
import { chosenModels, isVerifierDear, modelFor, PRESETS, verifierOf } from './models.ts';
import type { WorkflowRole } from '../table/roles.ts';

const configOf = (said: string, verifier: 'haiku' | 'sonnet' | 'opus' | null = null) => {
  const choice = chosenModels(said, verifier);
  if (!choice.ok) throw new Error(`${said}: ${choice.wrong.join()}`);
  return choice.config;
};

describe('a preset', () => {
  test.each([
    ['default', null, null, null],
    ['all-opus', 'opus', 'opus', 'opus'],
    ['balanced', 'sonnet', 'opus', 'opus'],
    ['economy', 'haiku', 'sonnet', 'sonnet'],
  ] as const)('%s', (preset, executor, advisor, evaluator) => {
    expect(configOf(preset)).toEqual({ preset, executor, advisor, evaluator, verifier: 'haiku' });
    expect(PRESETS[preset]).toEqual({ executor, advisor, evaluator });
  });

  test.each<readonly [WorkflowRole, string, string, string, string]>([
    ['architect', '-', 'opus', 'opus', 'sonnet'],
    ['senior-developer', '-', 'opus', 'opus', 'sonnet'],
    ['qa-specialist', '-', 'opus', 'opus', 'sonnet'],
    ['planner', '-', 'opus', 'opus', 'sonnet'],
    ['critic', '-', 'opus', 'opus', 'sonnet'],
    ['synthesis', '-', 'opus', 'opus', 'sonnet'],
    ['lead-developer', '-', 'opus', 'sonnet', 'haiku'],
    ['code-quality-advisor', '-', 'opus', 'opus', 'sonnet'],
    ['test-stability-advisor', '-', 'opus', 'opus', 'sonnet'],
    ['combined-advisor', '-', 'opus', 'opus', 'sonnet'],
    ['generator', '-', 'opus', 'sonnet', 'haiku'],
    ['evaluator', '-', 'opus', 'opus', 'sonnet'],
    ['verifier', 'haiku', 'haiku', 'haiku', 'haiku'],
    ['convention-scanner', '-', 'opus', 'opus', 'haiku'],
    ['auto-fix-proposer', 'opus', 'opus', 'opus', 'sonnet'],
  ])('gives the %s: default %s, all-opus %s, balanced %s, economy %s', (role, ...models) => {
    expect(
      (['default', 'all-opus', 'balanced', 'economy'] as const).map(
        (preset) => modelFor(role, configOf(preset)) ?? '-',
      ),
    ).toEqual(models);
  });

  test('in state.json counts by its models, not by its name', () => {
    const config = {
      preset: 'balanced',
      executor: 'haiku',
      advisor: null,
      evaluator: 'haiku',
      verifier: 'opus',
    } as const;
    expect(modelFor('generator', config)).toBe('haiku');
    expect(modelFor('architect', config)).toBeNull();
    expect(modelFor('auto-fix-proposer', config)).toBe('opus');
    expect(modelFor('verifier', config)).toBe('opus');
  });
});

describe('a custom choice', () => {
  test('names roles; those that are left out are as in balanced', () => {
    expect(configOf('executor:opus,advisor:haiku,evaluator:sonnet')).toEqual({
      preset: 'custom',
      executor: 'opus',
      advisor: 'haiku',
      evaluator: 'sonnet',
      verifier: 'haiku',
    });
    expect(configOf(' Executor: Haiku ')).toMatchObject({ executor: 'haiku', advisor: 'opus', evaluator: 'opus' });
  });

  test.each([
    ['executor:gpt', ['executor:gpt']],
    ['executor:opus,boss:opus', ['boss:opus']],
    ['executor:opus,executor:haiku', ['executor:haiku']],
    ['executor:opus:haiku', ['executor:opus:haiku']],
    ['executor:opus,', ['']],
    ['toString', ['toString']],
    ['quick', ['quick']],
    ['', ['']],
  ])('%j is not a choice: every wrong part is named', (said, wrong) => {
    expect(chosenModels(said, null)).toMatchObject({ ok: false, wrong });
  });
});

describe('the verifier', () => {
  test('is haiku whatever the preset, unless a flag says otherwise', () => {
    for (const preset of ['default', 'all-opus', 'balanced', 'economy', 'advisor:haiku']) {
      expect(configOf(preset).verifier).toBe('haiku');
      expect(modelFor('verifier', configOf(preset, 'sonnet'))).toBe('sonnet');
    }
  });
  test('of another name is refused with what is allowed', () => {
    expect(verifierOf('opus')).toEqual({ ok: true, model: 'opus' });
    for (const flag of ['', 'Opus', 'gpt', 'haiku ', 'constructor'])
      expect(verifierOf(flag)).toEqual({ ok: false, allowed: ['haiku', 'sonnet', 'opus'] });
  });
  test('that costs more than its work needs is warned about', () => {
    expect((['haiku', 'sonnet', 'opus'] as const).map(isVerifierDear)).toEqual([false, true, true]);
  });
});
