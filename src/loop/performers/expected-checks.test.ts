// Which checks of a proposed commit are waited for although the forge does not know them yet.
import { expect, test } from 'vitest';
import { stage, valueOf } from '../../../test/stage/repository.ts';
import type { Check, OpenForge } from '../../forge/port.ts';
import { ok } from '../../model/result.ts';
import { withExpected } from './expected-checks.ts';

const check = (name: string, by?: string): Check => ({
  name,
  state: 'passed',
  url: null,
  summary: '',
  ...(by === undefined ? {} : { by }),
});

/** A commit on `harness/0001` with this workflow in its files. */
function proposed(workflow: string | null, isBlocked = false, required: readonly string[] = []) {
  const s = stage();
  if (workflow !== null) s.write('.github/workflows/ci.yml', workflow);
  s.commit('base');
  s.write('src/cart.mjs', 'export const cart = 1;\n');
  const commit = s.commit('work');
  const forge = {
    readPull: () => Promise.resolve(ok(isBlocked ? { isBlocked: true } : {})),
    requiredChecks: () => Promise.resolve(ok(required)),
  };
  const open = { forge, remote: 'origin', url: '', baseBranch: 'main' } as unknown as OpenForge;
  return async (...checks: readonly Check[]) => {
    const ask = { commit, branch: 'harness/0001', pull: 1 };
    const all = valueOf(await withExpected(s.git, open, ask, checks));
    return all.filter(({ state }) => state === 'pending').map(({ name, summary }) => `${name}: ${summary}`);
  };
}

test('a workflow that runs for pull requests is waited for until one of its checks is there', async () => {
  const pending = proposed('on: pull_request\n');
  const wanted = ['workflows: not begun: .github/workflows/ci.yml'];
  expect(await pending()).toEqual(wanted);
  // A bot that is quick is not what was meant.
  expect(await pending(check('bot', 'some-bot'))).toEqual(wanted);
  expect(await pending(check('build', 'github-actions'))).toEqual([]);
});

test.each([
  ['no workflow', null],
  ['one for releases', 'on:\n  push:\n    tags: ["v*"]\n'],
  ['one for other files', 'on:\n  pull_request:\n    paths: ["docs/**"]\n'],
])('%s: nothing is waited for', async (_, workflow) => {
  expect(await proposed(workflow)()).toEqual([]);
});

test('a base branch that lets nothing be merged without a check is waited for, where there is none at all', async () => {
  const pending = proposed(null, true);
  expect(await pending()).toEqual(['required: not begun: rules of main']);
  expect(await pending(check('bot'))).toEqual([]);
});

test('a check that the base branch requires by name is waited for, whatever else has passed already', async () => {
  const pending = proposed(null, true, ['build', 'lint']);
  expect(await pending(check('bot'), check('lint'))).toEqual(['build: not begun: required by main']);
  expect(await pending(check('build', 'github-actions'), check('lint'))).toEqual([]);
});
