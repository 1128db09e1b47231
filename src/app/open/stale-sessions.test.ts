// Half-written files in the folders of sessions: those of sessions that a process may have been at are removed, and the others are not looked at.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countReads } from '../../../test/support/count-reads.ts';
import { quickIo } from '../../../test/support/quick-io.ts';
import { folders } from '../../../test/support/signals.ts';
import { removeStaleOfSessions } from './stale-sessions.ts';

const folder = folders('harness-stale-sessions-');
/** Larger than any pid. */
const STALE = `turn-1.json.${2 ** 22 + 1}.tmp`;

/** So many sessions, of which the fifth is still at work. */
function project(sessions: number) {
  const top = folder();
  const [stateDir, workspaceDir] = [join(top, '.harness'), join(top, 'state')];
  for (let n = 1; n <= sessions; n += 1) {
    mkdirSync(join(stateDir, 'sessions', String(n)), { recursive: true });
    mkdirSync(join(workspaceDir, 'sessions', `${n}-2025`, 'window'), { recursive: true });
  }
  const running = [{ item: '5', session: 5, lane: 0, key: 'k' }];
  writeFileSync(join(workspaceDir, 'loop.json'), JSON.stringify({ running, parked: [] }));
  return { stateDir, workspaceDir, io: quickIo() };
}

test('of the newest sessions, of one that is at work, and beside them', () => {
  const all = project(60);
  const { stateDir, workspaceDir } = all;
  const stale = [
    join(workspaceDir, 'sessions', STALE),
    join(workspaceDir, 'sessions/5-2025/window', STALE),
    join(workspaceDir, 'sessions/60-2025', STALE),
    join(stateDir, 'sessions/59', STALE),
    join(stateDir, 'sessions/5', STALE),
  ];
  const home = join(workspaceDir, 'sessions/60-2025/home', STALE);
  mkdirSync(join(home, '..'));
  for (const path of [...stale, home]) writeFileSync(path, '');
  removeStaleOfSessions(all);
  expect(stale.filter((path) => existsSync(path))).toEqual([]);
  expect(existsSync(home)).toBe(true);
});

test('of a thousand sessions only the names are read', async () => {
  const [few, many] = [project(100), project(1_000)];
  const some = await countReads(() => removeStaleOfSessions(few));
  const most = await countReads(() => removeStaleOfSessions(many));
  expect(some).toBeGreaterThan(0);
  // A name in each of the two folders, and once more for the item at work.
  expect(most - some).toBeLessThanOrEqual(3 * 900);
});
