import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import type { RepositoryView } from '../../model/repository-view.ts';
import { CATEGORIES, checkpointIn, lastOfLog, LINE_TYPES, logLine, readLine } from './log.ts';

/** Lines of the reference. */
const EXAMPLES = [
  '[2025-07-01T10:00:00Z] [SESSION-1] INIT Harness initialized for project /path/to/project',
  '[2025-07-01T10:00:10Z] [SESSION-1] LOCK acquired (pid=12345)',
  '[2025-07-01T10:00:11Z] [SESSION-1] Starting [task-001] Implement user authentication (base=def5678)',
  '[2025-07-01T10:05:00Z] [SESSION-1] CHECKPOINT [task-001] step=2/4 "auth routes created, tests pending"',
  '[2025-07-01T10:20:00Z] [SESSION-1] ERROR [task-002] [TASK_EXEC] Redis connection refused',
  '[2025-07-01T10:20:01Z] [SESSION-1] ROLLBACK [task-002] git reset --hard abc1234',
  '[2025-07-01T10:20:02Z] [SESSION-1] STATS tasks_total=5 completed=1 failed=1 pending=3 blocked=0 attempts_total=2 checkpoints=1',
];
const word = fc.stringMatching(/^[a-z][a-z0-9 .]{0,20}$/).map((text) => text.trim());

describe('a line of the log', () => {
  test.each(EXAMPLES)('of the reference is read and written as it is: %s', (line) => {
    const read = readLine(line);
    expect(read).not.toBeNull();
    expect(read && logLine(read)).toBe(line);
  });

  test('that was written reads back, whatever its words', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LINE_TYPES),
        fc.option(fc.constantFrom('task-001', 'login page'), { nil: undefined }),
        fc.option(fc.constantFrom(...CATEGORIES), { nil: undefined }),
        word,
        (type, task, category, message) => {
          const line = {
            at: '2026-11-22T10:00:00Z',
            session: 3,
            type,
            ...(task === undefined ? {} : { task, ...(category === undefined ? {} : { category }) }),
            message,
          };
          expect(readLine(logLine(line))).toEqual(line);
        },
      ),
    );
  });

  test('is one line, whatever an error says, and its time has no fractions', () => {
    const line = {
      at: '2026-11-22T10:00:00.123Z',
      session: 1,
      type: 'ERROR',
      task: 'a',
      message: 'one\n two\r\n',
    } as const;
    expect(logLine(line)).toBe('[2026-11-22T10:00:00Z] [SESSION-1] ERROR [a] one two');
  });

  test.each(['', 'a note', '[2026] no session', '[2026] [SESSION-x] INIT', '[2026] [SESSION-1] NOTE x'])(
    'that is not of the format is left out: %j',
    (line) => expect(readLine(line)).toBeNull(),
  );

  test('is found by the reference’s own grep lines', () => {
    const grep = (...words: readonly string[]): number =>
      words
        .reduce(
          (text, one) => execFileSync('grep', [one], { input: text, encoding: 'utf8' }),
          `${EXAMPLES.map((line) => logLine(readLine(line)!)).join('\n')}\n`,
        )
        .trimEnd()
        .split('\n').length;
    expect([grep('ERROR'), grep('ERROR', 'TASK_EXEC'), grep('SESSION-1'), grep('STATS'), grep('CHECKPOINT')]).toEqual([
      1, 1, 7, 1, 1,
    ]);
  });
});

test('a step is read where an agent reports it in the form of the log, and nowhere else', () => {
  expect(checkpointIn('so: CHECKPOINT step=2/4 "routes made" and on')).toEqual({
    step: 2,
    total: 4,
    description: 'routes made',
  });
  for (const text of ['CHECKPOINT step=5/4 "x"', 'CHECKPOINT step=1/0 "x"', 'CHECKPOINT 1 of 2', 'step=1/2 "x"'])
    expect(checkpointIn(text)).toBeNull();
});

test('of the log its end alone is read, however long it has become', async () => {
  const asked: (number | undefined)[] = [];
  const view = {
    read: (_path: string, last?: number) => {
      asked.push(last);
      return Promise.resolve(null);
    },
  } as unknown as RepositoryView;
  expect(await lastOfLog({ view, config: configOf({}) })).toBe('');
  expect(asked).toEqual([256 * 1024]);
});
