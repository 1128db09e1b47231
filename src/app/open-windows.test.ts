// What agents of a dead life wrote over the harness's own files is put back, whichever of an item's sessions they were of.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quickIo } from '../../test/support/quick-io.ts';
import { folders } from '../../test/support/signals.ts';
import { openSessions, windowOf } from '../loop/sessions.ts';
import { closeWindow, openWindow } from '../verify/window.ts';
import { openWindows, settleWindows } from './open-windows.ts';

const folder = folders('harness-open-windows-');
const io = quickIo();
const STATE = '.harness/state.json';

test('of an item that sends several sessions the windows of all of them are settled, and no older one', () => {
  const root = folder();
  const privateDir = join(root, '.git', 'harness');
  const sessions = openSessions(privateDir, io);
  const files = [{ path: STATE, rule: 'restored', problem: 'harness-file-edited' } as const];
  const windows = [2, 3, 4, 5].map((session) => {
    const { folder: turns } = sessions.begin(session, { token: `t${session}`, startedAt: '2040' });
    return windowOf(turns);
  });
  io.replace(join(root, STATE), 'as it was');
  for (const into of windows) openWindow(io, { root, files, into });
  closeWindow(io, { into: windows[1]! });
  io.replace(join(root, STATE), 'as an agent has it');
  io.replace(join(privateDir, 'loop.json'), JSON.stringify({ running: [{ item: 'a', lane: 0, session: 3 }] }));
  expect(openWindows(privateDir)).toEqual([windows[2], windows[3]]);
  expect(settleWindows(privateDir, io)).toMatchObject({ ok: true });
  expect(readFileSync(join(root, STATE), 'utf8')).toBe('as it was');
});
