// A list of tasks, worked by the program (docs/tasks.md).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { directoryLocksOf } from '../../src/host/directory-lock.ts';
import { heldLevels } from '../support/levels.ts';
import { task } from '../support/task-record.ts';
import { made, taskList } from './task-list.ts';
import { expectExit } from './workshop.ts';

const grep = (log: readonly string[], word: string): readonly string[] => log.filter((line) => line.includes(word));

describe('a list written by hand in the form of the reference', () => {
  test('is worked by priority, then by number, what failed before comes last; every line of the log is one that the reference greps for', async () => {
    const shop = taskList([
      task('task-001', { status: 'completed', owner: 'anna', completed_at: '2025-07-01T10:15:30Z' }),
      task('task-002', { status: 'failed', attempts: 1, error_log: ['[TASK_EXEC] Redis connection refused'] }),
      task('task-003', { depends_on: ['task-001'] }),
      task('task-010', { priority: 'P0' }),
    ]);
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({
      result: 'done',
      items: [
        { id: 'task-010', proof: { strength: 'exit-code', held: ['feature'], not_possible: [] } },
        { id: 'task-003' },
        { id: 'task-002' },
      ],
    });
    expect(shop.git('log', '-1', '--format=%(trailers:key=Harness-Proof,valueonly,separator=)')).toBe('exit-code');
    const log = shop.log();
    expect(grep(log, 'Starting').map((line) => /\[(task-\d+)\]/.exec(line)?.[1])).toEqual([
      'task-010',
      'task-003',
      'task-002',
    ]);
    expect(log[0]).toMatch(/^\[SESSION-1\] LOCK acquired \(pid=\d+\)$/);
    expect(log).toContainEqual(expect.stringMatching(/^\[SESSION-1\] Completed \[task-003\] \(commit [0-9a-f]{7}\)$/));
    expect(log.at(-2)).toBe(
      '[SESSION-1] STATS tasks_total=4 completed=4 failed=0 pending=0 blocked=0 attempts_total=1 checkpoints=0',
    );
    expect(log.at(-1)).toBe('[SESSION-1] LOCK released');
    // Unknown fields are still there, and what was not touched is byte for byte as it was.
    expect(shop.task('task-001')).toMatchObject({ owner: 'anna', completed_at: '2025-07-01T10:15:30Z' });
    expect(shop.list()).toMatchObject({ version: 2, created: '2025-07-01T10:00:00Z', session_count: 1 });
    expect(shop.git('log', '--format=%s', '--reverse').split('\n').slice(1)).toEqual([
      'feat(task): #task-010 Make task-010',
      'feat(task): #task-003 Make task-003',
      'feat(task): #task-002 Make task-002',
    ]);
    expect(shop.git('status', '--porcelain')).toBe('');
  });

  test('that its owner has committed is worked all the same: no commit of the harness carries it, no rollback takes it back', async () => {
    const shop = taskList([task('task-001', { max_attempts: 1 }), task('task-002')], {
      isTracked: true,
      sessions: [
        { when: { item: 'task-001' }, turns: [[{ write: { path: 'junk.txt', text: 'x' } }, { say: 'Done.' }]] },
        made('task-002'),
      ],
    });
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 3);
    expect(shop.task('task-001')).toMatchObject({ status: 'failed', attempts: 1 });
    expect(shop.task('task-002')).toMatchObject({ status: 'completed' });
    expect(shop.git('log', '--format=%s', '--', 'harness-tasks.json').split('\n')).toEqual(['start']);
    expect(shop.git('status', '--porcelain')).toBe(' M harness-tasks.json');
    expect(existsSync(join(shop.root, 'junk.txt'))).toBe(false);
  });

  test('is recognised without a configuration', async () => {
    const validation = { command: 'grep -q task-001 task-001.txt', timeout_seconds: 60 };
    const shop = taskList([task('task-001', { validation })]);
    shop.git('rm', '-q', '.harness.yaml');
    expect((await shop.harness('items', '--json')).json()).toMatchObject({
      items: [{ id: 'task-001', status: 'ready' }],
    });
    const plan = await shop.harness('run', '--dry-run', '--provider', 'claude');
    expect(plan.stdout + plan.stderr).toContain('grep -q task-001 task-001.txt');
  });

  test('with mistakes is refused with each of them and its place, and nothing is written', async () => {
    const shop = taskList([task('task-001', { status: 'done' }), task('task-001', { attempts: -1 })]);
    const before = shop.read('harness-tasks.json');
    const ran = await shop.harness('run');
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain('harness-tasks.json has 3 errors');
    expect(ran.stderr).toContain(
      'Task task-001 cannot have status "done"; allowed: "pending" | "in_progress" | "completed" | "failed"',
    );
    expect(ran.stderr).toMatch(/harness-tasks\.json:\d+:\d+ tasks\[1\]\.attempts/);
    expect(shop.read('harness-tasks.json')).toBe(before);
  });
});

describe('an attempt that fails', () => {
  test('is rolled back and can be taken back, its cleanup runs, the log says why; the next knows it', async () => {
    const shop = taskList([task('task-001', { on_failure: { cleanup: 'touch cleaned.tmp' } })], {
      files: { '.gitignore': '.harness/\n*.tmp\n' },
      sessions: [
        {
          when: { item: 'task-001', attempt: 1 },
          turns: Array.from({ length: 9 }, () => [{ write: { path: 'wrong.txt', text: 'wrong\n' } }, { say: 'Done.' }]),
        },
        made('task-001'),
      ],
    });
    expectExit(await shop.harness('run'), 0);
    expect(shop.task('task-001')).toMatchObject({ status: 'completed', attempts: 1 });
    expect(shop.task('task-001')['error_log']).toEqual([expect.stringMatching(/^\[TEST_FAIL\] check-failed/)]);
    expect(existsSync(join(shop.root, 'cleaned.tmp'))).toBe(true);
    expect(existsSync(join(shop.root, 'wrong.txt'))).toBe(false);
    const log = shop.log();
    expect(grep(grep(log, 'ERROR'), 'TEST_FAIL')).toHaveLength(1);
    const [, ref = ''] =
      /ROLLBACK \[task-001\] git reset --hard [0-9a-f]{7} \(kept as (\S+)\)$/.exec(grep(log, 'ROLLBACK')[0] ?? '') ??
      [];
    expect(shop.git('show', `${ref}:wrong.txt`)).toBe('wrong');
    expect(shop.read('.harness/sessions/2/prompt-1.md')).toContain('[TEST_FAIL] check-failed');
  });

  test('is cleaned up where its services are: what the start script left running, and a socket that the configuration opens', async () => {
    const cleanup = 'kill "$(cat service.tmp)" && node stop.cjs';
    const shopOf = (config: string, socket: string) =>
      taskList([task('task-001', { max_attempts: 1, on_failure: { cleanup } })], {
        config: `verification: { fix_turns: 0 }\n${config}`,
        sessions: [{ turns: [[{ say: 'Done.' }]] }],
        files: {
          '.gitignore': '.harness/\n*.tmp\n',
          'harness-init.sh': '#!/bin/sh\nsleep 600 >/dev/null 2>&1 &\necho $! > service.tmp\n',
          'stop.cjs': `require('net').connect(${JSON.stringify(socket)}).on('connect', () => process.exit(0));\n`,
        },
      });
    const folder = mkdtempSync(join(tmpdir(), 'hs-'));
    const socket = join(folder, 's');
    const service = createServer((connection) => connection.end());
    await new Promise<void>((listening) => service.listen(socket, listening));
    onTestFinished(() => {
      service.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const open = shopOf(`sandbox: { sockets: [${socket}] }`, socket);
    expectExit(await open.harness('run'), 3);
    expect(grep(open.log(), 'cleanup')).toEqual([]);
    const [level] = await heldLevels();
    if (level !== 'bwrap') return;
    const closed = shopOf('', socket);
    expectExit(await closed.harness('run'), 3);
    expect(grep(closed.log(), 'cleanup')).toHaveLength(1);
  });

  test('because the validation takes too long is a TIMEOUT; one whose command is not there stops the run before an agent is paid, and counts no attempt', async () => {
    const slow = taskList([
      task('task-001', { max_attempts: 1, validation: { command: 'sleep 30', timeout_seconds: 0.2 } }),
    ]);
    expectExit(await slow.harness('run'), 3);
    expect(slow.task('task-001')['error_log']).toEqual([expect.stringContaining('[TIMEOUT] check-timed-out')]);
    const missing = taskList([task('task-001', { validation: { command: 'no-such-program --now' } })]);
    const ran = await missing.harness('run');
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain('no-such-program --now');
    expect(ran.stderr).toContain('Install no-such-program');
    expect(missing.sessions()).toEqual([]);
    expect(missing.task('task-001')).toMatchObject({ status: 'pending', attempts: 0 });
    expect(grep(missing.log(), '[ENV_SETUP]')).toHaveLength(1);
  });

  test('as often as it may be, keeps back who depends on it; a circle is no task at all', async () => {
    const shop = taskList(
      [
        task('task-001', { max_attempts: 2 }),
        task('task-002', { depends_on: ['task-001'] }),
        task('task-003', { depends_on: ['task-004'] }),
        task('task-004', { depends_on: ['task-003'] }),
        task('task-005'),
      ],
      {
        sessions: [{ when: { item: 'task-001' }, turns: [[{ say: 'Done.' }]] }, made('task-005')],
        config: 'verification: { fix_turns: 0 }',
      },
    );
    const ran = await shop.harness('run');
    expectExit(ran, 3);
    expect(ran.stderr).toContain('4 tasks are left and none can be tried: task-001, task-002, task-003, task-004');
    expect(shop.task('task-001')).toMatchObject({ status: 'failed', attempts: 2 });
    expect(shop.task('task-002')['error_log']).toEqual(['[DEPENDENCY] Blocked by failed task-001']);
    expect(shop.task('task-003')['error_log']).toEqual([
      '[DEPENDENCY] Circular dependency detected: task-003 -> task-004 -> task-003',
    ]);
    expect(shop.task('task-005')).toMatchObject({ status: 'completed' });
    expect(shop.log().at(-2)).toContain(
      'STATS tasks_total=5 completed=1 failed=4 pending=0 blocked=0 attempts_total=2',
    );
  });
});

describe('limits', () => {
  test('of tasks end a session with its figures; of sessions end all of them', async () => {
    const shop = taskList([task('task-001'), task('task-002')], {
      file: { session_config: { max_tasks_per_session: 1, max_sessions: 2 } },
    });
    const first = await shop.harness('run', '--json');
    expectExit(first, 6);
    expect(first.json()).toMatchObject({ result: 'limit', items: [{ id: 'task-001' }] });
    expectExit(await shop.harness('run'), 0);
    expect(shop.task('task-002')).toMatchObject({ status: 'completed' });
    const third = await shop.harness('run');
    expectExit(third, 6);
    expect(grep(shop.log(), 'STATS')).toHaveLength(3);
    expect(shop.list()['session_count']).toBe(2);
  });
});

describe('a list that cannot be parsed', () => {
  test('comes back from the copy that was made before it was written', async () => {
    const shop = taskList([task('task-001'), task('task-002')]);
    expectExit(await shop.harness('run', 'task-001'), 0);
    shop.write('harness-tasks.json', shop.read('harness-tasks.json').slice(0, 300));
    expectExit(await shop.harness('run'), 0);
    expect(grep(shop.log(), 'restored from harness-tasks.json.bak')).toHaveLength(1);
    expect(shop.task('task-002')).toMatchObject({ status: 'completed' });
  });

  test('and whose copy is broken too stops the run, and says so in the log', async () => {
    const shop = taskList([task('task-001')]);
    shop.write('harness-tasks.json', '{ "tasks": [');
    shop.write('harness-tasks.json.bak', '{');
    const ran = await shop.harness('run');
    expect(ran.code).toBe(5);
    expect(shop.log()).toEqual(['[SESSION-1] ERROR [ENV_SETUP] harness-tasks.json corrupted and unrecoverable']);
    expect(shop.read('harness-tasks.json')).toBe('{ "tasks": [');
  });
});

test('a task that names no proof waits for a person, and lands as unproved on their word', async () => {
  const shop = taskList([task('task-001', { validation: { command: null } })], { sessions: [made('task-001')] });
  const ran = await shop.harness('run', '--json', '--no-input');
  expectExit(ran, 3);
  const [gate] = ((await shop.harness('gates', '--json')).json()['gates'] as { id: string; header: string }[]) ?? [];
  expect(gate?.header).toBe('No proof');
  expectExit(await shop.harness('answer', gate?.id ?? '', 'land', '-m', 'looked at it'), 0);
  expectExit(await shop.harness('run', '--json'), 0);
  expect(shop.task('task-001')).toMatchObject({
    status: 'completed',
    override: { passes: true, reason: 'looked at it' },
  });
  expect((await shop.harness('items', '--json')).json()).toMatchObject({
    items: [{ id: 'task-001', status: 'unproved' }],
  });
});

test('an agent that writes into the list or rewrites the log is caught: both are put back, and the attempt has failed', async () => {
  const forged = JSON.stringify({ version: 2, tasks: [] });
  const shop = taskList([task('task-001')], {
    config: 'sandbox: { agents: outside }',
    sessions: [
      {
        when: { item: 'task-001', attempt: 1 },
        turns: [
          [
            { write: { path: 'task-001.txt', text: 'task-001\n' } },
            { write: { path: 'harness-tasks.json', text: forged } },
            { say: 'Done.' },
          ],
        ],
      },
      made('task-001'),
    ],
  });
  expectExit(await shop.harness('run'), 0);
  expect(shop.list().tasks).toHaveLength(1);
  expect(shop.task('task-001')).toMatchObject({ status: 'completed', attempts: 1 });
  expect(shop.task('task-001')['error_log']).toEqual([expect.stringContaining('[TASK_EXEC] harness-file-edited')]);
});

test('the skills for agents are put where they look for them, once, and never over another text', async () => {
  const shop = taskList([]);
  const paths = ['harness', 'workflow'].map((name) => `.claude/skills/${name}/SKILL.md`);
  const made = await shop.harness('init', '--skill', '--json');
  expectExit(made, 0);
  expect(made.json()).toMatchObject({ made: paths, result: 'applied' });
  const [subject, ...changed] = shop.git('show', '--format=%s', '--name-only').trim().split(/\n+/);
  expect(subject).toContain('chore(harness): the skills /harness and /workflow for agents');
  expect(changed).toEqual(paths);
  expect((await shop.harness('init', '--skill', '--json')).json()).toMatchObject({ result: 'already' });
  shop.git('rm', '-q', '-r', '.claude/skills/workflow');
  shop.git('commit', '-q', '-m', 'one is not wanted');
  expect((await shop.harness('init', '--skill', '--json')).json()).toMatchObject({ made: [paths[1]] });
  expect(shop.git('show', '--format=%s', '--no-patch')).toContain('the skill /workflow for agents');
  for (const path of paths) {
    const was = shop.read(path);
    shop.write(path, 'mine');
    const kept = await shop.harness('init', '--skill');
    expect([kept.code, shop.read(path)]).toEqual([5, 'mine']);
    shop.write(path, was);
  }
});

test('tasks are added, left out and vouched for as any item is', async () => {
  const shop = taskList([task('task-001'), task('task-002')]);
  const added = await shop.harness(
    'add',
    'Make tea',
    '--verify',
    'grep -q tea tea.txt',
    '--priority',
    'P0',
    '--timeout',
    '9',
    '--depends-on',
    'task-001',
    '--json',
  );
  expectExit(added, 0);
  expect(added.json()).toMatchObject({ item: 'task-003', result: 'applied' });
  expect(shop.task('task-003')).toMatchObject({
    priority: 'P0',
    depends_on: ['task-001'],
    max_attempts: 3,
    validation: { command: 'grep -q tea tea.txt', timeout_seconds: 9 },
  });
  expectExit(await shop.harness('skip', 'task-002', '--reason', 'not now', '--yes'), 0);
  expectExit(await shop.harness('override', 'task-001', '--passes', 'true', '--reason', 'by hand', '--yes'), 0);
  const { items } = (await shop.harness('items', '--json')).json() as { items: { id: string; status: string }[] };
  expect(items.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'task-001 unproved',
    'task-002 skipped',
    'task-003 ready',
  ]);
  expect(shop.git('log', '--format=%s')).toBe('start');
  expect((await shop.harness('add', 'x', '--priority', 'P9')).code).toBe(2);
});

test('harness-init.sh is run before each task; one that fails twice stops the run', async () => {
  const shop = taskList([task('task-001'), task('task-002')], {
    files: { '.gitignore': '.harness/\n*.tmp\n', 'harness-init.sh': '#!/bin/sh\necho up >> up.tmp\n' },
  });
  expectExit(await shop.harness('run'), 0);
  expect(shop.read('up.tmp').split('\n').length).toBeGreaterThan(2);
  const broken = taskList([task('task-001')], { files: { 'harness-init.sh': '#!/bin/sh\nexit 7\n' } });
  const ran = await broken.harness('run');
  expect(ran.code).toBe(5);
  expect(grep(broken.log(), 'ERROR [ENV_SETUP] init-failed')).toHaveLength(1);
  expect(broken.task('task-001')).toMatchObject({ status: 'pending', attempts: 0 });
});

describe('another process at work', () => {
  test('who follows the reference by hand is named, and keeps the list', async () => {
    const shop = taskList([task('task-001')]);
    const [, literal] = directoryLocksOf(shop.root);
    mkdirSync(literal);
    onTestFinished(() => rmSync(literal, { recursive: true, force: true }));
    writeFileSync(join(literal, 'pid'), `${process.pid}\n`);
    const ran = await shop.harness('run');
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain(String(process.pid));
    expect(shop.log()).toEqual([]);
    expect(shop.task('task-001')).toMatchObject({ status: 'pending' });
  });

  test('that has died is no owner: its lock is taken over, and the log says so', async () => {
    const shop = taskList([task('task-001')]);
    const [, literal] = directoryLocksOf(shop.root);
    const dead = spawnSync('true').pid;
    mkdirSync(literal);
    onTestFinished(() => rmSync(literal, { recursive: true, force: true }));
    writeFileSync(join(literal, 'pid'), `${dead}\n`);
    expectExit(await shop.harness('run'), 0);
    expect(shop.log()[1]).toBe(`[SESSION-1] WARN Removed stale lock from pid=${dead}`);
    expect(existsSync(literal)).toBe(false);
  });
});
