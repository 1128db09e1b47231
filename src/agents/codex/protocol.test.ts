// What is read out of the program's words: waits, the script in its shell, what a patch does, and what was used.
import { describe, expect, test } from 'vitest';
import { callsOf, readItem } from './items.ts';
import { scriptOf } from './shell-script.ts';
import { readTokenReport, shareOf } from './usage.ts';
import { resetTimeIn, retryDelayIn, windowsIn } from './rate-limits.ts';

describe('how long to wait', () => {
  const now = new Date(2026, 10, 21, 18, 20, 0).getTime();
  const HOUR = 3_600_000;
  test.each([
    ['Please try again in 11.054s.', 11_054],
    ['try again in 28ms', 28],
    ['try again in 3 minutes.', 180_000],
    ['Try again in 1 hour 5 minutes.', 65 * 60_000],
    ['try again in 2 days, 3 hours and 10 minutes', 51 * HOUR + 600_000],
    ['visit https://x.test to purchase more credits or try again at 7:20 PM.', HOUR],
    ['or try again at 6:19 PM.', 24 * HOUR - 60_000],
    ['or try again at 12:20 AM.', 6 * HOUR],
    ['or try again at Nov 23rd, 2026 6:20 PM.', 48 * HOUR],
    ['or try again at Nov 20th, 2026 6:20 PM.', 0],
    ['or try again later.', null],
    ['it took 3 minutes', null],
  ])('%s', (text, wait) => {
    expect(retryDelayIn(text, now)).toBe(wait);
  });

  test('is given by the used-up window of the account that resets last', () => {
    const rateLimits = {
      primary: { usedPercent: 100, windowDurationMins: 300, resetsAt: 1_000 },
      secondary: { usedPercent: 100, windowDurationMins: 10_080, resetsAt: 2_000 },
    };
    expect(resetTimeIn({ rateLimits })).toBe(2_000_000);
    expect(resetTimeIn({ rateLimits: { ...rateLimits, secondary: { usedPercent: 40, resetsAt: 2_000 } } })).toBe(
      1_000_000,
    );
    expect(resetTimeIn({ rateLimits: { primary: null, secondary: null } })).toBeNull();
    expect(resetTimeIn('nothing')).toBeNull();
  });
});

test('the windows of the account have their usual names and their used shares', () => {
  const rateLimits = {
    primary: { usedPercent: 42.5, windowDurationMins: 300, resetsAt: 1_700_000_000 },
    secondary: { usedPercent: 7, windowDurationMins: null, resetsAt: null },
  };
  expect(windowsIn({ rateLimits })).toEqual([
    { window: '5h', used: 0.425, resetsAt: '2023-11-14T22:13:20.000Z' },
    { window: 'secondary', used: 0.07, resetsAt: null },
  ]);
  expect(windowsIn({ rateLimits: { primary: null, secondary: { usedPercent: 'much' } } })).toEqual([]);
  expect(windowsIn(null)).toEqual([]);
});

describe('the script of a shell command', () => {
  test.each([
    ["/bin/bash -c 'git push origin x'", 'git push origin x'],
    ['/bin/bash -c ls', 'ls'],
    ["/usr/bin/zsh -lc 'env|sort'", 'env|sort'],
    [String.raw`/bin/bash -c "node -e \"f('x', \$y)\""`, String.raw`node -e "f('x', $y)"`],
    [String.raw`/bin/bash -c 'a'"'"'b'`, "a'b"],
    ["/bin/bash -c 'cat <<EOF\na\nEOF'", 'cat <<EOF\na\nEOF'],
    // not a command of the program: unchanged
    ["/bin/bash -c 'one' two", "/bin/bash -c 'one' two"],
    ['/bin/bash -c "$(fetch)"', '/bin/bash -c "$(fetch)"'],
    ["/lane/evil -c 'ls'", "/lane/evil -c 'ls'"],
    ["/bin/bash -c 'open", "/bin/bash -c 'open"],
  ])('%s', (line, script) => {
    expect(scriptOf(line)).toBe(script);
  });
});

describe('a patch', () => {
  const calls = (...changes: readonly object[]) => {
    const item = readItem({ type: 'fileChange', id: 'i', status: 'inProgress', changes });
    return item === null ? null : callsOf(item, '/lane');
  };
  const update = (diff: string, move_path: string | null = null): object => ({
    path: '/lane/a.json',
    kind: { type: 'update', move_path },
    diff,
  });

  test('is one call for each file, with both sides of the change', () => {
    expect(
      calls(
        { path: '/lane/new.txt', kind: { type: 'add' }, diff: 'one\ntwo\n' },
        { path: '/lane/old.txt', kind: { type: 'delete' }, diff: 'gone\n' },
        update('@@ -1,3 +1,3 @@\n {\n---dashes\n-"passes": false\n+"passes": true\n }\n'),
      ),
    ).toEqual([
      {
        tool: 'apply_patch',
        paths: ['/lane/new.txt'],
        command: null,
        change: { before: null, after: 'one\ntwo\n' },
      },
      { tool: 'delete', paths: ['/lane/old.txt'], command: null },
      {
        tool: 'apply_patch',
        paths: ['/lane/a.json'],
        command: null,
        change: { before: '{\n--dashes\n"passes": false\n}', after: '{\n"passes": true\n}' },
      },
    ]);
  });

  test('that moves a file deletes one and writes the other', () => {
    expect(calls(update('@@ -1 +1 @@\n-x\n+y\n\n\nMoved to: /lane/b.json', '/lane/b.json'))).toMatchObject([
      { tool: 'delete', paths: ['/lane/a.json'] },
      { tool: 'apply_patch', paths: ['/lane/b.json'], change: { before: 'x', after: 'y' } },
    ]);
  });
});

describe('the usage', () => {
  const report = (input: number, cached: number, output: number, last: readonly [number, number, number]) => {
    const counts = ([inputTokens, cachedInputTokens, outputTokens]: readonly [number, number, number]) => ({
      inputTokens,
      cachedInputTokens,
      outputTokens,
    });
    const read = readTokenReport({
      total: counts([input, cached, output]),
      last: counts(last),
      modelContextWindow: null,
    });
    if (read === null) throw new Error('unread');
    return read;
  };
  const before = { input: 200, output: 60, cached: 800 };

  test('is the increase of the totals', () => {
    const again = report(1_000, 800, 60, [1_000, 800, 60]);
    expect(shareOf(again, before)).toEqual({ input: 0, output: 0, cached: 0 });
    expect(shareOf(report(1_500, 900, 70, [400, 50, 5]), before)).toEqual({ input: 400, output: 10, cached: 100 });
  });

  test('is the last request where the totals before are unknown, or were reset', () => {
    const newest = { input: 350, output: 5, cached: 50 };
    expect(shareOf(report(9_000, 1_000, 700, [400, 50, 5]), null)).toEqual(newest);
    expect(shareOf(report(400, 50, 5, [400, 50, 5]), before)).toEqual(newest);
  });

  test('is unknown where the report has another form', () => {
    expect(readTokenReport({ total: { inputTokens: -1 } })).toBeNull();
    expect(readTokenReport(null)).toBeNull();
  });
});
