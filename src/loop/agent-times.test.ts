// When agents could write: what the index says is what the files say, however often it was lost, and old sessions are not looked at again.
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countReads } from '../../test/support/count-reads.ts';
import { quickIo } from '../../test/support/quick-io.ts';
import { folders } from '../../test/support/signals.ts';
import { closedPath } from '../verify/tamper-guard/storage.ts';
import { guardOf, openSessions, type LiveSessions } from './sessions.ts';

const folder = folders('harness-times-');

const at = (path: string, seconds: number): void => {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '{}');
  utimesSync(path, seconds, seconds);
};

/** Sessions whose clock is `seconds`. */
function project() {
  const root = folder();
  let sessions: LiveSessions = openSessions(root, quickIo());
  const begin = (n: number, seconds: number): string => {
    const startedAt = new Date(seconds * 1000).toISOString();
    return sessions.begin(n, { token: `t${n}`, startedAt }).folder;
  };
  return {
    begin,
    /** An agent is asked. */
    turn: (of: string, seconds: number): void => at(join(of, 'turn-1.begun.json'), seconds),
    close: (of: string, seconds: number): void => at(closedPath(guardOf(of)), seconds),
    session(n: number, from: number, to: number): void {
      const own = begin(n, from);
      at(join(own, 'turn-1.begun.json'), from);
      at(closedPath(guardOf(own)), to);
    },
    since: (seconds: number) =>
      sessions.times.since(seconds * 1000).map(({ fromMs, toMs }) => [fromMs / 1000, toMs / 1000]),
    /** Another process continues. */
    restart(): void {
      sessions = openSessions(root, quickIo());
    },
    loseIndex: (): void => rmSync(join(root, 'sessions/agent-times.json'), { force: true }),
    index: (text: string): void => {
      mkdirSync(join(root, 'sessions'), { recursive: true });
      writeFileSync(join(root, 'sessions/agent-times.json'), text);
    },
  };
}

test('a session at work has no end yet; one that was closed before is left out, one that was closed since is not', () => {
  const { begin, turn, close, session, since } = project();
  session(1, 10, 20);
  session(2, 30, 40);
  const last = begin(3, 50);
  expect(since(35)).toEqual([[30, 40]]);
  turn(last, 51);
  expect(since(35)).toEqual([
    [30, 40],
    [51, Infinity],
  ]);
  close(last, 60);
  expect(since(45)).toEqual([[51, 60]]);
  // What is compared with is older again: the tests of another tree.
  expect(since(0)).toEqual([
    [10, 20],
    [30, 40],
    [51, 60],
  ]);
});

test('whatever happens to the index and the process, the answer is that of the files', () => {
  const step = fc.oneof(
    fc.constant({ do: 'session' } as const),
    fc.constant({ do: 'begin' } as const),
    fc.constant({ do: 'close' } as const),
    fc.constant({ do: 'restart' } as const),
    fc.constant({ do: 'lose' } as const),
    fc.record({ do: fc.constant('damage' as const), text: fc.constantFrom('', '{', '{"schema":1}', '\0\0') }),
    fc.record({ do: fc.constant('ask' as const), back: fc.nat(30) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const { begin, turn, close, session, since, restart, loseIndex, index } = project();
      const open: string[] = [];
      let [n, clock] = [0, 10];
      for (const one of steps) {
        clock += 2;
        if (one.do === 'session') session((n += 1), clock, clock + 1);
        if (one.do === 'begin') {
          open.push(begin((n += 1), clock));
          turn(open.at(-1) ?? '', clock);
        }
        const [first] = open;
        if (one.do === 'close' && first !== undefined) close(open.shift() ?? '', clock);
        if (one.do === 'restart') restart();
        if (one.do === 'lose') loseIndex();
        if (one.do === 'damage') index(one.text);
        if (one.do !== 'ask') continue;
        const answer = since(Math.max(0, clock - one.back));
        loseIndex();
        restart();
        expect(answer).toEqual(since(Math.max(0, clock - one.back)));
      }
    }),
    { numRuns: 40 },
  );
});

/** With so many closed sessions behind a run that has begun. */
async function readsAfter(behind: number): Promise<number> {
  const { session, since, restart } = project();
  for (let n = 1; n <= behind; n += 1) session(n, 10 * n, 10 * n + 5);
  const now = 10 * behind;
  since(now);
  restart();
  since(now); // the names of the folders are listed once in each run
  session(behind + 1, now + 10, now + 15);
  return countReads(() => expect(since(now + 10)).toHaveLength(1));
}

test('the next rollback or proof reads the same, whether ten or a thousand sessions were closed before', async () => {
  const few = await readsAfter(10);
  expect(few).toBeGreaterThan(0);
  expect(await readsAfter(1_000)).toBe(few);
});
