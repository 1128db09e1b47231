import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folders } from '../../../test/support/signals.ts';
import { realIo } from '../../host/io.ts';
import { dropOldSessionFiles } from './old-sessions.ts';

const folder = folders('old-homes-');
const DAY = 86_400_000;
const NOW = Date.parse('2026-06-01T00:00:00.000Z');

/** Thirty sessions, one each day, the last 40 days ago. `open`: never closed. */
function project(open: readonly number[], loop: object) {
  const workspaceDir = folder();
  for (let n = 1; n <= 30; n += 1) {
    const at = join(workspaceDir, 'sessions', `${n}-20260101`);
    mkdirSync(join(at, 'home/agent'), { recursive: true });
    mkdirSync(join(at, 'window'));
    writeFileSync(join(at, 'turn-1.json'), '{}');
    writeFileSync(join(workspaceDir, 'sessions', `${n}.json`), '{}');
    if (open.includes(n)) continue;
    const closed = join(at, 'window/closed.json');
    writeFileSync(closed, '{}');
    const seconds = (NOW - (70 - n) * DAY) / 1_000;
    utimesSync(closed, seconds, seconds);
  }
  writeFileSync(join(workspaceDir, 'loop.json'), JSON.stringify(loop));
  const drop = (nowMs: number): readonly number[] => {
    dropOldSessionFiles({
      io: realIo(),
      clock: { now: () => nowMs, iso: () => '' },
      workspaceDir,
      stateDir: join(workspaceDir, 'shown'),
    });
    return Array.from({ length: 30 }, (_, n) => n + 1).filter(
      (n) => !existsSync(join(workspaceDir, 'sessions', `${n}-20260101/home`)),
    );
  };
  return { workspaceDir, drop };
}
const waiting = { item: '1', lane: 0, session: 2, gate: 'g-1', resumes: 't' };

test('of the sessions that ended long ago the newest keep their home, and those of items that wait; the rest of each stays', () => {
  const { workspaceDir, drop } = project([3], { schema: 2, running: [], parked: [waiting] });
  expect(drop(NOW)).toEqual([1, 4, 5, 6, 7, 8, 9, 10]);
  expect(existsSync(join(workspaceDir, 'sessions/1-20260101/turn-1.json'))).toBe(true);
  expect(drop(NOW)).toEqual([1, 4, 5, 6, 7, 8, 9, 10]);
});

test('none goes while they are young, or where it cannot be known which sessions are needed', () => {
  expect(project([], { schema: 2, running: [] }).drop(NOW - 40 * DAY)).toEqual([]);
  expect(project([], { schema: 2, running: 'x' }).drop(NOW)).toEqual([]);
});

test('a clock that is far ahead once makes no home old', () => {
  const { workspaceDir, drop } = project([], { schema: 2, running: [] });
  writeFileSync(join(workspaceDir, 'log-retention.json'), JSON.stringify({ at: NOW - 50 * DAY }));
  expect(drop(NOW + 400 * DAY)).toEqual([]);
});

test('what was said in sessions long ago goes in both places, but for the newest; records and turns stay', () => {
  const workspaceDir = folder();
  const stateDir = join(workspaceDir, 'shown');
  const says = (top: string): boolean => existsSync(join(top, 'events.jsonl'));
  const places = Array.from({ length: 120 }, (_, n) => {
    const [own, shown] = [
      join(workspaceDir, 'sessions', `${n + 1}-20260101`),
      join(stateDir, 'sessions', String(n + 1)),
    ];
    for (const path of [join(own, 'window'), shown]) mkdirSync(path, { recursive: true });
    for (const path of [join(own, 'events.jsonl'), join(own, 'turn-1.json'), join(own, 'window/closed.json')])
      writeFileSync(path, '');
    for (const name of ['events.jsonl', 'prompt-1.md', 'session.json']) writeFileSync(join(shown, name), '');
    const seconds = (NOW - (400 - n) * DAY) / 1_000;
    utimesSync(join(own, 'window/closed.json'), seconds, seconds);
    return { own, shown };
  });
  const outside = join(workspaceDir, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'events.jsonl'), '');
  rmSync(places[0]?.shown ?? '', { recursive: true });
  symlinkSync(outside, places[0]?.shown ?? '');
  dropOldSessionFiles({ io: realIo(), clock: { now: () => NOW, iso: () => '' }, workspaceDir, stateDir });
  expect(places.map(({ own }) => says(own))).toEqual(places.map((_, n) => n >= 20));
  expect(places.slice(1).map(({ shown }) => says(shown))).toEqual(places.slice(1).map((_, n) => n + 1 >= 20));
  expect(readdirSync(places[1]?.shown ?? '')).toEqual(['session.json']);
  expect(readdirSync(places[1]?.own ?? '').sort()).toEqual(['turn-1.json', 'window']);
  expect(says(outside)).toBe(true);
});
