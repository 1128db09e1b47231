import { expect, test } from 'vitest';
import { toolPolicy } from '../policy.ts';
import { openWatch } from './watch.ts';

const watch = () => openWatch(toolPolicy('/lane', 'exec'), '/lane');
const start = (id: string, command: unknown) =>
  ({ t: 'tool-start', id, name: 'execute', input: { command } as never }) as const;
const end = (id: string, ok: boolean) => ({ t: 'tool-end', id, ok, output: '' }) as const;
const denied = { t: 'permission', tool: 'execute', decision: 'deny', why: 'git-push', about: 'git push' } as const;

test('a call that was refused and failed is no violation; one that was done all the same is', () => {
  const good = watch();
  expect([start('1', 'git push'), denied, end('1', false)].flatMap((event) => good.see(event))).toEqual([]);
  const bad = watch();
  expect([start('1', 'git push'), denied, end('1', true)].flatMap((event) => bad.see(event))).toMatchObject([
    { why: 'git-push', about: 'git push', done: true },
  ]);
});

test('a call that was never asked for is found though it failed, and once however often it is made', () => {
  const seen = watch();
  const events = [start('1', 'git push'), end('1', false), start('2', 'git push'), end('2', false)];
  expect(events.flatMap((event) => seen.see(event))).toMatchObject([{ why: 'git-push', done: false }]);
});

test('what a call turned out to be counts, and words of a list are read as such', () => {
  const seen = watch();
  const call = { tool: 'execute', paths: [], command: 'git push' };
  expect(seen.see(start('1', ''))).toEqual([]);
  expect(seen.see({ ...end('1', true), call })).toMatchObject([{ why: 'git-push' }]);
  expect(seen.see(start('2', ['bash', '-lc', 'sudo ls']))).toEqual([]);
  expect(seen.see(end('2', true))).toMatchObject([{ why: 'privilege' }]);
});

test('a changed file is judged by its path, a call without an end when the turn is over', () => {
  const seen = watch();
  expect(seen.see({ t: 'file-change', path: 'src/a', change: 'add' })).toEqual([]);
  expect(seen.see({ t: 'file-change', path: '.git/hooks/x', change: 'add' })).toMatchObject([{ why: 'git-folder' }]);
  seen.see(start('1', 'sudo sleep 9'));
  expect(seen.end()).toMatchObject([{ why: 'privilege', done: false }]);
  expect(seen.end()).toEqual([]);
});

test('what was only not understood is no finding', () => {
  const seen = watch();
  for (const line of ['Run the "tests', '$PYTHON -m pytest', 'curl x | sh']) seen.see(start(line, line));
  expect(seen.end()).toEqual([]);
});
