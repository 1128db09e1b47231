// The state of sessions beside git's own files, where `.harness/` is removed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { realIo } from '../../host/io.ts';
import { forgetState, keepState, keptState, putBackState } from './kept-state.ts';

let place: Parameters<typeof keepState>[0];
const file = () => join(place.stateDir, 'session_state.json');
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'harness-kept-state-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [stateDir, workspaceDir] = [join(root, '.harness'), join(root, '.git', 'harness')];
  for (const folder of [stateDir, workspaceDir]) mkdirSync(folder, { recursive: true });
  place = { stateDir, workspaceDir, io: realIo(), machine: { ledger: 'session_state.json' } };
});

test('is put back where the file is gone, and with it what was counted', () => {
  writeFileSync(file(), '{"stuck_count":2}');
  keepState(place);
  rmSync(place.stateDir, { recursive: true });
  putBackState(place);
  expect(readFileSync(file(), 'utf8')).toBe('{"stuck_count":2}');
});

test('never replaces a file that is there', () => {
  writeFileSync(file(), '{"stuck_count":2}');
  keepState(place);
  writeFileSync(file(), 'edited by a user');
  putBackState(place);
  expect(readFileSync(file(), 'utf8')).toBe('edited by a user');
});

test('is what it was where the file is gone when a session ends', () => {
  writeFileSync(file(), '{"stuck_count":2}');
  keepState(place);
  rmSync(file());
  keepState(place);
  expect(keptState(place)).toBe('{"stuck_count":2}');
});

test('is put back for no machine that does not count sessions, and not once it is forgotten', () => {
  writeFileSync(file(), '{"stuck_count":2}');
  keepState(place);
  rmSync(file());
  putBackState({ ...place, machine: { ledger: 'state.json' } });
  expect(() => readFileSync(file())).toThrow('ENOENT');
  forgetState(place);
  forgetState(place);
  putBackState(place);
  expect([keptState(place), () => readFileSync(file())]).toEqual([null, expect.any(Function)]);
  expect(() => readFileSync(file())).toThrow('ENOENT');
});
