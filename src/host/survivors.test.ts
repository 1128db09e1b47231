// Finding and ending what outlived its parent, with real trees of processes.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Bug } from '../model/bug.ts';
import { CAN_FIND_SURVIVORS, endSurvivors, findSurvivors } from './survivors.ts';

/** Starts a shell line of its own session with this token and waits for its line "ready". */
async function start(line: string, token: string): Promise<ChildProcess> {
  const child = spawn('/bin/sh', ['-c', line], {
    detached: true,
    env: { PATH: process.env['PATH'], HARNESS_TOKEN: token },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  return child;
}
/** Z: dead, and its new parent has not looked yet. */
const stateOf = (pid: number): string => {
  try {
    return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '?';
  } catch {
    return 'gone';
  }
};
const fresh = () => `test-${randomUUID()}/`;

test('an empty prefix, which would match every marked process of the machine, is a bug', async () => {
  expect(() => findSurvivors('')).toThrow(Bug);
  await expect(endSurvivors('')).rejects.toThrow(Bug);
});

test('where nothing survives there is nothing to end', async () => {
  expect(await endSurvivors(fresh())).toEqual({ ended: [], left: [] });
});

describe.runIf(CAN_FIND_SURVIVORS)('on a machine that shows environments', () => {
  test('a process is found by the beginning of its token, and only by the beginning', async () => {
    const prefix = fresh();
    const child = await start('echo ready; exec sleep 60', `${prefix}run-1/check`);
    // In the middle of its exec a process shows no environment at all.
    const sleeps = { pid: child.pid, why: 'marked', command: 'sleep 60' };
    await expect.poll(() => findSurvivors(prefix)).toMatchObject([sleeps]);
    expect(findSurvivors(`${prefix}run-1/check`)).toHaveLength(1);
    expect(findSurvivors(`${prefix}run-2`)).toEqual([]);
    expect(findSurvivors('run-1/check')).toEqual([]);
    expect(await endSurvivors(prefix)).toMatchObject({ ended: [{ pid: child.pid }], left: [] });
  });

  test('a tree with a deaf daemon, an escaped session and a child without environment ends as a whole', async () => {
    const prefix = fresh();
    const tree = [
      `setsid sh -c 'trap "" TERM; sleep 61; sleep 61' &`,
      `(setsid sh -c '(sleep 62; true) & true' &)`,
      `env -i /bin/sleep 63 &`,
      `env -i /bin/sh -c 'trap "" TERM; sleep 64; sleep 64' &`,
      `sleep 0.3; echo ready; wait`,
    ].join('\n');
    await start(tree, `${prefix}a`);
    expect(new Set(findSurvivors(prefix).map((one) => one.why)).size).toBeGreaterThan(1);
    const { ended, left } = await endSurvivors(prefix);
    expect(left).toEqual([]);
    expect(ended.length).toBeGreaterThanOrEqual(6);
    expect(findSurvivors(prefix)).toEqual([]);
    expect(ended.filter((one) => !['gone', 'Z'].includes(stateOf(one.pid)))).toEqual([]);
  });

  test('an orphan without environment is found by the group it shares with a marked one', async () => {
    const prefix = fresh();
    await start('(env -i /bin/sleep 60 & env true); sleep 60 & echo ready; exit 0', `${prefix}a`);
    // In the middle of its exec a process shows no environment at all.
    await expect.poll(() => findSurvivors(prefix).map((one) => one.why)).toContain('group');
    expect((await endSurvivors(prefix)).left).toEqual([]);
  });

  test('a stopped process is ended too', async () => {
    const prefix = fresh();
    const child = await start('echo ready; exec sleep 60', `${prefix}a`);
    child.kill('SIGSTOP');
    expect(await endSurvivors(prefix)).toMatchObject({ ended: [{ pid: child.pid }], left: [] });
  });

  test('whoever asks is never found, though it carries the token itself', async () => {
    const prefix = fresh();
    const script = `const { endSurvivors, findSurvivors } = await import(${JSON.stringify(import.meta.resolve('./survivors.ts'))});
      console.log(JSON.stringify([findSurvivors(${JSON.stringify(prefix)}), await endSurvivors(${JSON.stringify(prefix)})]));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { HARNESS_TOKEN: `${prefix}me` },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [code] = await once(child, 'close');
    expect({ code, answer: JSON.parse(text) }).toEqual({ code: 0, answer: [[], { ended: [], left: [] }] });
  });

  test('a fork bomb of short lives is caught', async () => {
    const prefix = fresh();
    await start(`hop() { (sleep 0.005; hop) & }; trap "" TERM; hop; echo ready; wait`, `${prefix}a`);
    expect((await endSurvivors(prefix)).left).toEqual([]);
    expect(findSurvivors(prefix)).toEqual([]);
  });
});
