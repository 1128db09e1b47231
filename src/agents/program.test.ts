// The process of a provider's program, with real programs, and with a box around them where this machine has one.
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { openBox } from '../host/box.ts';
import { isAlive, processId } from '../host/process-table.ts';
import { endOrphans, findOrphans, processTree } from '../host/process-tree.ts';
import { shellLine } from '../host/process.ts';
import type { Enclosure } from '../host/sandbox/level.ts';
import { heldLevels } from '../../test/support/levels.ts';
import { startProgram, type Program } from './program.ts';

const held = await heldLevels();
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function start(line: string, box?: Enclosure): { readonly program: Program; readonly token: string } {
  const token = `test-${randomUUID()}`;
  const program = startProgram({
    argv: shellLine(line),
    env: { PATH: process.env['PATH'] ?? '' },
    token,
    ...(box === undefined ? {} : { box }),
    graceMs: { program: 300, leftovers: 0 },
  });
  cleanups.push(() => endOrphans(token, 0));
  return { program, token };
}
const commands = (token: string): readonly string[] => findOrphans(token).map(({ command }) => command);

test('a program that is not there has exited with the reason', async () => {
  const program = startProgram({
    argv: ['/nowhere/at-all'],
    env: {},
    token: 'test',
    graceMs: { program: 0, leftovers: 0 },
  });
  expect(await program.exited).toMatchObject({ error: { code: 'ENOENT' }, code: null, signal: null });
  await program.end(0);
});

test('how a program exited is known with the end of what it wrote to stderr', async () => {
  const { program } = start(`head -c 5000 /dev/zero | tr '\\0' x >&2; echo end >&2; exit 3`);
  expect(await program.exited).toEqual({ error: null, code: 3, signal: null });
  expect([program.stderr().length, program.stderr().endsWith('xend')]).toEqual([3_999, true]);
});

const deaf = `setsid sh -c 'trap "" TERM; sleep 61; sleep 61' &`;

test('ending a program takes patience, then TERM, then KILL, and nothing it started is left', async () => {
  const { program, token } = start(`${deaf} trap "" TERM; while :; do sleep 1; done`);
  await expect.poll(() => commands(token)).toContain('sleep 61');
  await program.end(50);
  expect(await program.exited).toMatchObject({ signal: 'SIGKILL' });
  expect(commands(token)).toEqual([]);
});

describe('what the tools of a program left running ends without the program', () => {
  const sweeps = async (box?: Enclosure): Promise<void> => {
    const { program, token } = start(`${deaf} wait; exec sleep 63`, box);
    await expect.poll(() => commands(token)).toContain('sleep 61');
    await program.sweep();
    await expect.poll(() => commands(token).filter((line) => line.startsWith('sleep'))).toEqual(['sleep 63']);
    expect(isAlive(program.child.pid ?? 0)).toBe(true);
    await program.end(0);
    expect(commands(token)).toEqual([]);
  };

  test('without a box', () => sweeps());

  test.runIf(held.has('bwrap'))('in a box', async () => {
    const box = await openBox({ root: tmpdir(), level: 'bwrap' });
    cleanups.push(() => box.close());
    await sweeps(box.enclose({ readable: [], writable: [] }));
  });
});

test.runIf(held.has('bwrap'))('of a program in a box nothing is left when its box has ended', async () => {
  const box = await openBox({ root: tmpdir(), level: 'bwrap' });
  cleanups.push(() => box.close());
  for (const trap of ['', 'trap "" TERM; ']) {
    const line = `${deaf} ${trap}while :; do sleep 1; done`;
    const { program, token } = start(line, box.enclose({ readable: [], writable: [] }));
    await expect.poll(() => commands(token)).toContain('sleep 61');
    const id = processId(program.child.pid ?? 0);
    const tree = processTree({ variable: 'HARNESS_TOKEN', value: token }, id === null ? null : { ...id, isBox: true });
    expect(await tree.boxEnded(0)).toBe(false);
    tree.find();
    expect(await tree.boxEnded(0)).toBe(false);
    await program.end(0);
    expect([commands(token), await tree.boxEnded(0)]).toEqual([[], true]);
  }
});
