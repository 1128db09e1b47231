import { expect, test } from 'vitest';
import { task } from '../../../test/support/task-record.ts';
import { takeEdit } from './take-edit.ts';
import type { Task } from './schema.ts';

const listOf = (...tasks: readonly object[]): string => `${JSON.stringify({ version: 2, tasks }, null, 2)}\n`;
const DONE = { status: 'completed', completed_at: '2026-01-01T00:00:00Z' };
const now = listOf(task('a', DONE), task('b', { status: 'in_progress', attempts: 1, owner: 'anna' }));
const taken = (edited: string, isSure: boolean) => {
  const found = takeEdit(now, edited, isSure);
  if (found === null) return null;
  const { tasks } = JSON.parse(found.text) as { tasks: readonly Task[] };
  return { isWhole: found.isWhole, tasks: new Map(tasks.map((one) => [one.id, one])) };
};

test('what a person decides is taken, what the harness knows stays', () => {
  const edited = listOf(task('a', { title: 'Better' }), task('b', { priority: 'P0', attempts: 0 }), task('c'));
  for (const isSure of [true, false]) {
    const { isWhole, tasks } = taken(edited, isSure) ?? {};
    expect(tasks?.get('a')).toMatchObject({ title: 'Better', ...DONE });
    expect(tasks?.get('b')).toMatchObject({ priority: 'P0', status: 'in_progress', attempts: 1 });
    expect(tasks?.get('b')?.['owner']).toBe(isSure ? undefined : 'anna');
    expect(tasks?.get('c')).toMatchObject({ status: 'pending' });
    expect(isWhole).toBe(isSure);
  }
});

test('what decides what counts as proof, or that something is done, is taken only from a person', () => {
  const weak = { validation: { command: 'true' } };
  const edited = listOf(task('a', DONE), task('b', { ...weak, status: 'in_progress', owner: 'anna' }), task('c', DONE));
  const unsure = taken(edited, false);
  expect(unsure?.isWhole).toBe(false);
  expect(unsure?.tasks.get('b')).not.toMatchObject(weak);
  expect(unsure?.tasks.get('c')).toMatchObject({ status: 'pending', attempts: 0 });
  expect(taken(edited, true)?.tasks.get('b')).toMatchObject(weak);
});

test('taken again it changes nothing; what is no list is not taken', () => {
  const edited = listOf(task('a', { title: 'Better' }), task('b'), task('c'));
  for (const isSure of [true, false]) {
    const once = takeEdit(now, edited, isSure)?.text ?? '';
    expect(takeEdit(once, edited, isSure)?.text).toBe(once);
  }
  for (const text of ['{', '{"tasks": 7}', listOf({ id: 'a' })]) expect(takeEdit(now, text, true)).toBeNull();
});
