import { describe, expect, test } from 'vitest';
import { readStartInput, type StartOptions } from './options.ts';

const NONE: StartOptions = {
  mode: null,
  modelConfig: null,
  verifierModel: null,
  lintCmd: null,
  typeCheckCmd: null,
  outputDir: null,
  scope: null,
  maxFiles: null,
  maxRounds: null,
  onSession: null,
  onConflict: null,
};
const wanted = (words: readonly string[], flags: Partial<StartOptions> = {}) =>
  readStartInput(words, { ...NONE, ...flags });
const got = (words: readonly string[], flags: Partial<StartOptions> = {}) => {
  const read = wanted(words, flags);
  if (!read.ok) throw new Error(String(read.failure.params['what']));
  return read.value;
};

describe('the words', () => {
  test.each<[readonly string[], string | null, string | null]>([
    [[], null, null],
    [['Fix the login'], null, 'Fix the login'],
    [['plan'], 'plan', null],
    [['plan', 'Fix the login'], 'plan', 'Fix the login'],
    [['verify'], 'verify', null],
    [['evaluate'], 'evaluate', null],
    [['generate', 'plan'], 'generate', 'plan'],
    [['  Fix it  '], null, 'Fix it'],
    [['修复'], null, '修复'],
  ])('%j: step %s, task %s', (words, step, task) => {
    expect(got(words)).toMatchObject({ step, task });
  });
  test.each([[['plam', 'Fix it']], [['verfy']], [['Evaluat']], [['']], [['  ']], [['plan', '!!!']], [['a\0b']]])(
    '%j are refused',
    (words) => {
      expect(wanted(words)).toMatchObject({ ok: false, failure: { reason: 'usage' } });
    },
  );
});

describe('the flags', () => {
  test.each<[Partial<StartOptions>, string]>([
    [{ mode: 'double' }, '--mode wants one of single, standard, multi'],
    [{ verifierModel: 'gpt' }, '--verifier-model wants one of haiku, sonnet, opus'],
    [{ verifierModel: 'Opus' }, '--verifier-model wants one of haiku, sonnet, opus'],
    [{ modelConfig: 'cheap' }, '--model-config: cheap; allowed: default, all-opus, balanced, economy'],
    [{ modelConfig: 'executor:gpt' }, '--model-config: executor:gpt; allowed: haiku, sonnet, opus'],
    [{ maxFiles: '0' }, '--max-files wants a whole number from 1 to'],
    [{ maxFiles: '1e3' }, '--max-files wants a whole number from 1 to'],
    [{ maxRounds: '-1' }, '--max-rounds wants a whole number from 1 to'],
    [{ maxRounds: '1000' }, '--max-rounds wants a whole number from 1 to'],
    [{ onSession: 'delete' }, '--on-session wants one of resume, restart, stop'],
    [{ onConflict: 'resume' }, '--on-conflict wants one of delete, cancel'],
  ])('%j: %s', (flags, what) => {
    const read = wanted(['Fix it'], flags);
    expect(!read.ok && read.failure.params['what']).toContain(what);
  });
  test.each(['', ',', 'src/**,', '../x', '/etc/**', 'a/../b', '~/x', '!src', '-r', 'C:/x', 'a\\b', 'a\nb'])(
    '--scope %j leads out of the repository, or nowhere',
    (scope) => {
      expect(wanted(['Fix it'], { scope })).toMatchObject({ ok: false });
    },
  );
  test('that hold are taken as they are meant', () => {
    const flags = {
      modelConfig: 'executor:haiku',
      verifierModel: 'opus',
      scope: ' ./src/**, test/*.ts',
      maxFiles: '7',
    };
    expect(got(['Fix it'], flags)).toMatchObject({
      models: 'executor:haiku',
      verifier: 'opus',
      scope: 'src/**,test/*.ts',
      maxFiles: 7,
      maxRounds: null,
      lintCmd: null,
    });
    expect(got(['Fix it'], { lintCmd: '', mode: 'multi', onSession: 'stop' })).toMatchObject({
      lintCmd: '',
      mode: 'multi',
      answers: { session: 'stop', conflict: null },
    });
  });
  test('of several mistakes each is named', () => {
    const read = wanted(['Fix it'], { mode: 'x', maxFiles: 'x', onSession: 'x' });
    expect(!read.ok && [read.failure, ...(read.failure.causes ?? [])]).toHaveLength(3);
  });
});
