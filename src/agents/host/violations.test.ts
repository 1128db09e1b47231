import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { toolPolicy } from '../policy.ts';
import { violationDetector } from './violations.ts';

const detector = () => violationDetector(toolPolicy('/lane', 'exec'), '/lane');
const start = (id: string, command: Json) => ({ t: 'tool-start', id, name: 'execute', input: { command } }) as const;
const end = (id: string, ok: boolean) => ({ t: 'tool-end', id, ok, output: '' }) as const;
const denied = { t: 'permission', tool: 'execute', decision: 'deny', why: 'git-push', about: 'git push' } as const;

test('a call that was refused and failed is no violation; one that was done nevertheless is', () => {
  const good = detector();
  expect([start('1', 'git push'), denied, end('1', false)].flatMap((event) => good.see(event))).toEqual([]);
  const bad = detector();
  expect([start('1', 'git push'), denied, end('1', true)].flatMap((event) => bad.see(event))).toMatchObject([
    { why: 'git-push', about: 'git push', done: true },
  ]);
});

test('a call without a request for permission is found though it failed, and only once however often it is made', () => {
  const found = detector();
  const events = [start('1', 'git push'), end('1', false), start('2', 'git push'), end('2', false)];
  expect(events.flatMap((event) => found.see(event))).toMatchObject([{ why: 'git-push', done: false }]);
});

test('the final form of a call counts, and a list of words is read as a command', () => {
  const found = detector();
  const call = { tool: 'execute', paths: [], command: 'git push' };
  expect(found.see(start('1', ''))).toEqual([]);
  expect(found.see({ ...end('1', true), call })).toMatchObject([{ why: 'git-push' }]);
  expect(found.see(start('2', ['bash', '-lc', 'sudo ls']))).toEqual([]);
  expect(found.see(end('2', true))).toMatchObject([{ why: 'privilege' }]);
});

test('a changed file is judged by its path, a call without an end at the end of the turn', () => {
  const found = detector();
  expect(found.see({ t: 'file-change', path: 'src/a', change: 'add' })).toEqual([]);
  expect(found.see({ t: 'file-change', path: '.git/hooks/x', change: 'add' })).toMatchObject([{ why: 'git-folder' }]);
  found.see(start('1', 'sudo sleep 9'));
  expect(found.end()).toMatchObject([{ why: 'privilege', done: false }]);
  expect(found.end()).toEqual([]);
});

test('a call that is only not understood is no violation', () => {
  const found = detector();
  for (const line of ['Run the "tests', '$PYTHON -m pytest', 'curl x | sh']) found.see(start(line, line));
  expect(found.end()).toEqual([]);
});
