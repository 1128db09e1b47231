import { expect, test } from 'vitest';
import { PLAYBOOKS } from '../../playbooks/registry.ts';
import { continuesBeside } from './continue-beside.ts';

const project = { hasGit: true, config: { isolation: 'in-place' }, playbook: {} } as const;
const ONE_TASK = PLAYBOOKS.find((one) => one.oneTask !== undefined)?.oneTask;
const landed = { result: 'landed', reason: 'verified' } as const;
const hindered = { result: 'blocked', reason: 'dirty-tree' } as const;

test('a run that has worked continues beside a change of the user', () => {
  expect(continuesBeside(project, { ...hindered, items: [landed, hindered] })).toBe(true);
});

test.each([0, 1, 3])(
  'what was there at the start of a run is the user’s to decide: %i items could not begin',
  (length) => {
    const items = Array.from({ length }, () => hindered);
    expect(continuesBeside(project, { ...hindered, items })).toBe(false);
  },
);

test.each([
  ['already beside', { ...project, config: { isolation: 'worktree' } }, hindered],
  ['without git', { ...project, hasGit: false }, hindered],
  ['one task', { ...project, playbook: { oneTask: ONE_TASK } }, hindered],
  ['another hindrance', project, { result: 'blocked', reason: 'detached-head' }],
  ['done', project, { result: 'done', reason: 'all-landed' }],
] as const)('not: %s', (_, here, end) => {
  expect(continuesBeside(here, { ...end, items: [landed, hindered] })).toBe(false);
});
