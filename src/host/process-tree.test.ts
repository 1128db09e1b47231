// Groups, trees and orphans of real processes.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { Bug } from '../model/bug.ts';
import { CAN_LIST_PROCESSES, isAlive, liveStartOf, processId, processTable } from './process-table.ts';
import { endOrphans, findOrphans, processGroup, processTree, signalProcess } from './process-tree.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) processGroup(child).signal('SIGKILL');
});

/** Starts a shell line in a session of its own with this token and waits for its line "ready". */
async function start(line: string, token: string): Promise<ChildProcess> {
  const child = spawn('/bin/sh', ['-c', line], {
    detached: true,
    env: { PATH: process.env['PATH'], HARNESS_TOKEN: token },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}
const pidOf = (child: ChildProcess): number => child.pid ?? 0;
const fresh = () => `test-${randomUUID()}/`;

test('an empty token, which would match every marked process of the machine, is a bug', () => {
  expect(() => findOrphans('')).toThrow(Bug);
  expect(() => endOrphans('')).toThrow(Bug);
});

test('where there are no orphans there is nothing to end', async () => {
  expect(await endOrphans(fresh())).toEqual({ ended: [], left: [] });
});

describe.runIf(CAN_LIST_PROCESSES)('on a machine that shows environments', () => {
  test('a process is found by its token and by what the token is below, and by nothing else', async () => {
    const prefix = fresh();
    const child = await start('echo ready; exec sleep 60', `${prefix}run-1/check`);
    // In the middle of its exec a process shows no environment at all.
    const sleeps = { pid: child.pid, why: 'marked', command: 'sleep 60' };
    await expect.poll(() => findOrphans(prefix)).toMatchObject([sleeps]);
    expect(findOrphans(`${prefix}run-1/check`)).toHaveLength(1);
    expect(findOrphans(`${prefix}run-2`)).toEqual([]);
    expect(findOrphans(`${prefix}run-1`)).toHaveLength(1);
    expect(findOrphans('run-1/check')).toEqual([]);
    expect(await endOrphans(prefix)).toMatchObject({ ended: [{ pid: child.pid }], left: [] });
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
    expect(new Set(findOrphans(prefix).map((one) => one.why)).size).toBeGreaterThan(1);
    const { ended, left } = await endOrphans(prefix);
    expect(left).toEqual([]);
    expect(ended.length).toBeGreaterThanOrEqual(6);
    expect(findOrphans(prefix)).toEqual([]);
    expect(ended.filter((one) => isAlive(one.pid))).toEqual([]);
  });

  test('of trees that end at the same time each ends as a whole, and no other', async () => {
    const tokens = [fresh(), fresh(), fresh()];
    const started = await Promise.all(
      tokens.map((token) => start(`trap "" TERM; sleep 65 & echo ready; wait; wait`, token)),
    );
    const ended = await Promise.all(tokens.map((token) => endOrphans(token, 50)));
    for (const [n, tree] of ended.entries()) {
      expect(tree.left).toEqual([]);
      expect(tree.ended).toHaveLength(2);
      expect(tree.ended.map(({ pid }) => pid)).toContain(started[n]?.pid);
      expect(findOrphans(tokens[n] ?? '')).toEqual([]);
    }
  });

  test('an orphan without environment is found by the group it shares with a marked one', async () => {
    const prefix = fresh();
    await start('(env -i /bin/sleep 60 & env true); sleep 60 & echo ready; exit 0', `${prefix}a`);
    // In the middle of its exec a process shows no environment at all.
    await expect.poll(() => findOrphans(prefix).map((one) => one.why)).toContain('group');
    expect((await endOrphans(prefix)).left).toEqual([]);
  });

  test('a process that executes one program after another is ended, though it shows no environment in between', async () => {
    const again = 'exec /bin/sh -c "$0" "$0"';
    for (let n = 0; n < 12; n += 1) {
      const value = fresh();
      const child = spawn('/bin/sh', ['-c', again, again], {
        detached: true,
        env: { HARNESS_TOKEN: value },
        stdio: 'ignore',
      });
      children.push(child);
      await once(child, 'spawn');
      expect(await endOrphans(value, 0)).toMatchObject({ ended: [{ pid: child.pid }], left: [] });
    }
  });

  test('a stopped process is ended too', async () => {
    const prefix = fresh();
    const child = await start('echo ready; exec sleep 60', `${prefix}a`);
    child.kill('SIGSTOP');
    expect(await endOrphans(prefix)).toMatchObject({ ended: [{ pid: child.pid }], left: [] });
  });

  test('the process that searches is never found, though it carries the token itself', async () => {
    const prefix = fresh();
    const script = `const { endOrphans, findOrphans } = await import(${JSON.stringify(import.meta.resolve('./process-tree.ts'))});
      console.log(JSON.stringify([findOrphans(${JSON.stringify(prefix)}), await endOrphans(${JSON.stringify(prefix)})]));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { HARNESS_TOKEN: `${prefix}me` },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [code] = await once(child, 'close');
    expect({ code, answer: JSON.parse(text) }).toEqual({ code: 0, answer: [[], { ended: [], left: [] }] });
  });

  test('a fork bomb of processes that exit at once is caught', async () => {
    const prefix = fresh();
    await start(`hop() { (sleep 0.005; hop) & }; trap "" TERM; hop; echo ready; wait`, `${prefix}a`);
    expect((await endOrphans(prefix)).left).toEqual([]);
    expect(findOrphans(prefix)).toEqual([]);
  });

  test('a token that another one merely begins with is not above it', async () => {
    const prefix = fresh();
    const other = await start('echo ready; exec sleep 60', `${prefix}session-12`);
    expect(await endOrphans(`${prefix}session-1`)).toEqual({ ended: [], left: [] });
    expect(isAlive(pidOf(other))).toBe(true);
  });
});

describe.runIf(CAN_LIST_PROCESSES)('a pid that the kernel has given to another process', () => {
  const another = (child: ChildProcess): string => String(Number(liveStartOf(pidOf(child))) - 1);

  test('is not signalled as the process that had it before', async () => {
    const child = await start('echo ready; exec sleep 60', fresh());
    signalProcess({ pid: pidOf(child), startTicks: another(child) }, 'SIGKILL');
    signalProcess({ pid: pidOf(child), startTicks: liveStartOf(pidOf(child)) ?? '' }, 'SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });

  test('is not signalled as the leader of a group that has ended', async () => {
    const child = await start('echo ready; exec sleep 60', fresh());
    const ended = processGroup({ pid: child.pid, exitCode: 0, signalCode: null });
    ended.signal('SIGKILL');
    await ended.empty();
    await ended.end(Promise.resolve(), 0);
    processGroup(child).signal('SIGINT');
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
  });

  test('is not searched for children as the program that had it before', async () => {
    const shell = await start('env -i sleep 60 & echo ready; wait', fresh());
    const tree = processTree({ variable: 'HARNESS_TOKEN', value: fresh() }, processId(pidOf(shell)));
    expect(tree.find()).toMatchObject([{ why: 'descendant' }]);
    const stale = { pid: pidOf(shell), startTicks: another(shell) };
    expect(processTree({ variable: 'HARNESS_TOKEN', value: fresh() }, stale).find()).toEqual([]);
  });
});

describe.runIf(CAN_LIST_PROCESSES)('the tree below a program', () => {
  const below = (child: ChildProcess, token: string) =>
    processTree({ variable: 'HARNESS_TOKEN', value: token }, processId(pidOf(child)));

  test('ends without the program', async () => {
    const token = fresh();
    const deaf = `trap "" TERM; sleep 61; sleep 61`;
    const program = await start(
      `setsid sh -c '${deaf}' & env -i sleep 62 & sleep 0.2; echo ready; wait; exec sleep 63`,
      token,
    );
    const { ended, left } = await below(program, token).end(0);
    expect([ended.length >= 3, left]).toEqual([true, []]);
    expect(isAlive(pidOf(program))).toBe(true);
  });

  test('ends when the program has exited already, also a process that shows no trace of it any more', async () => {
    const token = fresh();
    const program = await start(`env -i setsid sleep 60 & sleep 0.2; echo ready; wait`, token);
    const tree = below(program, token);
    const [orphan] = tree.find();
    program.kill('SIGKILL');
    await once(program, 'exit');
    expect(await tree.end()).toMatchObject({ ended: [{ pid: orphan?.pid }], left: [] });
  });
});

describe('a group', () => {
  test('is ended by TERM where that is enough, else by KILL', async () => {
    for (const [line, signal] of [
      ['echo ready; exec sleep 60', 'SIGTERM'],
      ['trap "" TERM; echo ready; while :; do sleep 1; done', 'SIGKILL'],
    ] as const) {
      const child = await start(line, fresh());
      const exit = once(child, 'exit');
      expect(await processGroup(child).end(exit, 300)).toBe(signal);
    }
  });

  test.runIf(CAN_LIST_PROCESSES)('is empty when the last of it has ended, not when its leader has', async () => {
    const child = await start(`(trap "" TERM; sleep 0.5) & echo ready`, fresh());
    await once(child, 'exit');
    const members = () => processTable().filter((row) => row.group === child.pid);
    expect(members()).not.toEqual([]);
    await processGroup(child).empty();
    expect(members()).toEqual([]);
  });

  test('of a child that could not be started takes no signal', async () => {
    const child = spawn('/nowhere/at-all');
    await once(child, 'error');
    const group = processGroup(child);
    group.signal('SIGKILL');
    await group.empty();
  });
});
