// The sessions that a later process finds open, and the restoring of protected files that their agents changed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { quickIo } from '../../../test/support/quick-io.ts';
import { closeTamperGuard, openTamperGuard } from '../../verify/tamper-guard.ts';
import { configOfUnfinishedSession, unfinishedSessions, restoreTamperGuards } from './unfinished-sessions.ts';

const io = quickIo();
const FILES = [
  { path: 'state.json', rule: 'restored', problem: 'harness-file-edited' },
  { path: '.harness.yaml', rule: 'restored', problem: 'config-edited' },
] as const;

/** A run on an item whose first session was session 2. `loop`: more of the loop's file. */
function place(loop: object = {}) {
  const root = mkdtempSync(join(tmpdir(), 'harness-windows-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const workspaceDir = join(root, 'private');
  const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
  const put = (name: string, value: object): void => io.replace(join(workspaceDir, name), JSON.stringify(value));
  mkdirSync(workspaceDir);
  put('loop.json', { run: 'r-3', running: [{ item: 'a', lane: 0, session: 2 }], ...loop });
  for (const { path } of FILES) write(path, 'mine');
  const into = (n: number): string => join(workspaceDir, 'sessions', `${n}-x`, 'window');
  return {
    workspaceDir,
    write,
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    begin(n: number, item = 'r-2/1') {
      put(`sessions/${n}.json`, {
        folder: join(workspaceDir, 'sessions', `${n}-x`),
        token: `p#${item}/${n}/generator`,
        startedAt: '',
      });
      openTamperGuard(io, { root, files: FILES, into: into(n) });
    },
    close: (n: number) => closeTamperGuard(io, { into: into(n) }),
  };
}

test('protected files are restored for later sessions of an item, too', () => {
  const { begin, close, write, read, workspaceDir } = place();
  begin(2);
  close(2);
  begin(3);
  for (const { path } of FILES) write(path, 'of an agent');
  expect(configOfUnfinishedSession(workspaceDir)).toMatchObject({ value: { source: { text: 'mine' } } });
  expect(restoreTamperGuards(workspaceDir, io).ok).toBe(true);
  expect(FILES.map(({ path }) => read(path))).toEqual(['mine', 'mine']);
});

test('a session on another item is not unfinished, whatever its number', () => {
  const { begin, workspaceDir } = place();
  begin(1);
  begin(2);
  begin(3, 'r-1/1');
  begin(5, 'r-2/11');
  begin(4);
  expect(unfinishedSessions(workspaceDir)).toEqual([2, 4]);
});

test.each([
  ['an older version', { schema: 1, reports: [{ id: 'a', session: 1, result: 'landed' }] }],
  ['a newer version', { schema: 9 }],
  ['a change that this version does not know', { schema: 2, pending: [{ id: 'm', edit: { name: 'of-the-future' } }] }],
])('an open session is found in a loop file of %s: changed files are not read', (_, loop) => {
  const { begin, write, read, workspaceDir } = place(loop);
  begin(2);
  for (const { path } of FILES) write(path, 'of an agent');
  expect(unfinishedSessions(workspaceDir)).toEqual([2]);
  expect(configOfUnfinishedSession(workspaceDir)).toMatchObject({ value: { source: { text: 'mine' } } });
  expect(restoreTamperGuards(workspaceDir, io).ok).toBe(true);
  expect(FILES.map(({ path }) => read(path))).toEqual(['mine', 'mine']);
});
