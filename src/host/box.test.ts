// The box with real commands, at every level that this machine holds: what is promised of all of them.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBox, sweepBoxes, type Box, type BoxCommand } from './box.ts';
import { shellLine } from './process.ts';
import { findSurvivors } from './survivors.ts';
import { heldLevels } from '../../test/support/levels.ts';

let root = '';
let box: Box;
const held = await heldLevels();

describe.each([...held])('at level %s', (level) => {
  beforeEach(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'box-')));
    box = await openBox({ root, level });
  });
  afterEach(async () => {
    await box.close();
    rmSync(root, { recursive: true });
  });
  const sh = (line: string, more: Partial<BoxCommand> = {}) =>
    box.run({
      argv: shellLine(line),
      token: `test-${randomUUID()}`,
      wallMs: 30_000,
      idleMs: null,
      keepBytes: 100_000,
      floodBytes: null,
      ...more,
    });

  test('it says what it is', () => {
    expect(box.level).toBe(level);
  });

  test('a command runs in the root, or in a folder of it', async () => {
    mkdirSync(join(root, 'sub'));
    expect((await sh('pwd')).stdout).toBe(`${root}\n`);
    expect((await sh('pwd', { cwd: 'sub' })).stdout).toBe(`${root}/sub\n`);
  });

  test('a command gets the check environment and what it asks for', async () => {
    const exit = await sh('echo "$CI $NO_COLOR $A"', { env: { A: 'extra' } });
    expect(exit.stdout).toBe('1 1 extra\n');
  });

  test('a limit holds', async () => {
    expect((await sh('sleep 60', { wallMs: 200 })).ended).toBe('wall');
    expect((await sh('echo', { signal: AbortSignal.abort() })).ended).toBe('aborted');
    expect((await sh('cat', { stdin: 'in' })).stdout).toBe('in');
  });

  test('its temporary folder is its own, lives as long as the box and goes with it', async () => {
    const { stdout } = await sh('echo x > "$TMPDIR/file"; printf %s "$TMPDIR"');
    expect((await sh('cat "$TMPDIR/file"')).stdout).toBe('x\n');
    const other = await openBox({ root, level });
    await other.close();
    expect(existsSync(stdout)).toBe(true);
    await box.close();
    await box.close();
    expect(existsSync(stdout)).toBe(false);
  });

  test('a daemon that a command left behind is ended with the command', async () => {
    const token = `test-${randomUUID()}`;
    await sh('setsid sleep 60 >/dev/null 2>&1 & exit 0', { token });
    expect(findSurvivors(token)).toEqual([]);
  });

  test('a server that was meant to stay lives until the box is closed, and no longer', async () => {
    const token = `test-${randomUUID()}`;
    await sh('setsid sleep 60 >/dev/null 2>&1 & sleep 61 & echo up', { token, leaveRunning: true });
    await sh('true', { token });
    expect(findSurvivors(token).map((one) => one.command)).toEqual(expect.arrayContaining(['sleep 60', 'sleep 61']));
    await box.close();
    expect(findSurvivors(token)).toEqual([]);
  });

  test('what a box that was never closed left is swept, and nothing else', async () => {
    const other = await openBox({ root: tmpdir(), level });
    const left = (await sh('printf %s "$TMPDIR"')).stdout;
    const command = { argv: shellLine('printf %s "$TMPDIR"'), token: 'test', wallMs: 30_000, idleMs: null };
    const kept = (await other.run({ ...command, keepBytes: 1_000, floodBytes: null })).stdout;
    sweepBoxes(root);
    expect([existsSync(left), existsSync(kept)]).toEqual([false, true]);
    await other.close();
  });
});
