// A run that is killed in the middle of a task: each row of the decision matrix (docs/tasks.md, "After a kill"), on a real
// repository.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { task } from '../support/task-record.ts';
import { made, taskList, type Played, type TaskList } from './task-list.ts';
import { expectExit, type Steps } from './workshop.ts';

const HERE: Steps = [{ run: 'touch ../here' }, { wait_for_file: '../never' }];
/** Is killed where it has come to the end of these steps. */
const cut = (...steps: Steps): Played => ({ when: { item: 'task-001', session: 1 }, turns: [[...steps, ...HERE]] });
const again = made('task-001');
const nothing: Played = { when: { item: 'task-001' }, turns: Array.from({ length: 9 }, () => [{ say: 'Done.' }]) };

const write = (text: string) => ({ write: { path: 'task-001.txt', text: `${text}\n` } });
const commit = (message: string) => ({
  run: `git add -A && git -c user.name=a -c user.email=a@b.c commit -qm '${message}'`,
});
const say = (step: number, what: string) => ({ say: `CHECKPOINT step=${step}/4 "${what}"\n` });
/** Long enough for a message to be received. */
const HEARD = { pause: 0.5 };

async function killed(steps: readonly Played[], config = 'sandbox: { agents: outside }'): Promise<TaskList> {
  const shop = taskList([task('task-001')], { sessions: steps, config });
  const live = shop.start('run');
  await live.until(join(shop.around, 'here'));
  live.signal('SIGKILL');
  await live.ended;
  // A forged list stays as the agent wrote it until the next run.
  expect(['in_progress', undefined]).toContain(shop.task('task-001')['status']);
  return shop;
}

const recovery = (shop: TaskList): string => shop.log().find((line) => line.includes('RECOVERY')) ?? '';
const subjects = (shop: TaskList): readonly string[] => shop.git('log', '--format=%s').split('\n');

describe('nothing uncommitted, no commit', () => {
  test('and no word of progress: the attempt has failed, and the next one does it', async () => {
    const shop = await killed([cut(), again]);
    expectExit(await shop.harness('run'), 0);
    expect(shop.task('task-001')).toMatchObject({
      status: 'completed',
      attempts: 1,
      error_log: ['[SESSION_TIMEOUT] No progress detected'],
    });
    expect(recovery(shop)).toMatch(/^\[SESSION-2\] RECOVERY \[task-001\] action="mark failed" reason="uncommitted=no/);
  });

  test('and steps that changed no file: it is resumed from the last one', async () => {
    const shop = await killed([cut(say(1, 'read the code'), say(2, 'made a plan'), HEARD)]);
    shop.play([again]);
    expectExit(await shop.harness('run'), 0);
    expect(shop.task('task-001')).toMatchObject({ status: 'completed', attempts: 0 });
    expect(shop.task('task-001')['checkpoints']).toMatchObject([
      { step: 1, total: 4, description: 'read the code', timestamp: expect.any(String) },
      { step: 2, total: 4, description: 'made a plan' },
    ]);
    expect(recovery(shop)).toContain('action="resume from last step"');
  });

  test('and steps whose files are gone: the work was lost', async () => {
    const shop = await killed([cut(write('half'), say(1, 'half of it'), HEARD, { delete: 'task-001.txt' }), again]);
    expectExit(await shop.harness('run'), 0);
    expect(shop.task('task-001')).toMatchObject({ status: 'completed', attempts: 1 });
    expect(shop.task('task-001')['error_log']).toEqual([
      '[SESSION_TIMEOUT] Work was lost: the files are not what the checkpoints say',
    ]);
  });
});

describe('nothing uncommitted, commits that name the task', () => {
  test('that validate: it is done, in one accepting commit', async () => {
    const shop = await killed([cut(write('task-001'), commit('task-001: all of it')), nothing]);
    expectExit(await shop.harness('run'), 0);
    expect(shop.task('task-001')).toMatchObject({ status: 'completed', attempts: 0 });
    expect(subjects(shop)).toEqual(['feat(task): #task-001 Make task-001', 'start']);
    expect(recovery(shop)).toContain('action="mark completed" reason="uncommitted=no commits=yes');
  });

  test('that do not: everything since the task began is taken back, and kept as an attempt', async () => {
    const shop = await killed([cut(write('half'), commit('half of task-001')), again]);
    expectExit(await shop.harness('run'), 0);
    expect(shop.task('task-001')).toMatchObject({ status: 'completed', attempts: 1 });
    expect(shop.task('task-001')['error_log']).toEqual([expect.stringContaining('[TEST_FAIL]')]);
    expect(subjects(shop)).toEqual(['feat(task): #task-001 Make task-001', 'start']);
    const kept = shop.git('for-each-ref', '--format=%(refname)', 'refs/harness/attempts');
    expect(kept.split('\n').some((ref) => shop.git('show', `${ref}:task-001.txt`) === 'half')).toBe(true);
  });
});

describe('uncommitted changes, and no commit', () => {
  test('that validate as they lie there: they are committed, and it is done', async () => {
    const shop = await killed([cut(write('task-001'), say(3, 'nearly done'), HEARD), nothing]);
    expectExit(await shop.harness('run'), 0);
    expect(shop.task('task-001')).toMatchObject({ status: 'completed', attempts: 0, checkpoints: [{ step: 3 }] });
    expect(shop.git('show', 'HEAD:task-001.txt')).toBe('task-001');
    expect(recovery(shop)).toContain('action="mark completed, uncommitted changes committed"');
  });

  test('that do not: they go, with the untracked files', async () => {
    const shop = await killed([cut(write('half'), { write: { path: 'new/junk.txt', text: 'x' } }), again]);
    expectExit(await shop.harness('run'), 0);
    expect(shop.task('task-001')).toMatchObject({ status: 'completed', attempts: 1 });
    expect(existsSync(join(shop.root, 'new'))).toBe(false);
  });
});

describe('both', () => {
  test('that validate: the changes are committed, and it is done', async () => {
    const shop = await killed([cut(write('half'), commit('task-001 half'), write('task-001')), nothing]);
    expectExit(await shop.harness('run'), 0);
    expect(shop.task('task-001')).toMatchObject({ status: 'completed', attempts: 0 });
    expect(subjects(shop)).toEqual(['feat(task): #task-001 Make task-001', 'start']);
    expect(shop.git('show', 'HEAD:task-001.txt')).toBe('task-001');
  });

  test('that do not: all of it is taken back', async () => {
    const shop = await killed([cut(write('half'), commit('task-001 half'), write('more')), again]);
    expectExit(await shop.harness('run'), 0);
    expect(shop.task('task-001')).toMatchObject({ status: 'completed', attempts: 1 });
  });
});

test('work that validates and breaks what held before is not committed, unless the list is to be followed to the letter', async () => {
  const breaking = [cut(write('task-001'), { delete: 'README.md' }), again];
  const guarded = 'sandbox: { agents: outside }\ntesting: { runner: command, full: "test -f README.md" }';
  const shop = await killed(breaking, guarded);
  expectExit(await shop.harness('run'), 0);
  expect(shop.task('task-001')).toMatchObject({ status: 'completed', attempts: 1 });
  expect(existsSync(join(shop.root, 'README.md'))).toBe(true);
  const literal = await killed(breaking, `${guarded}\nrecovery: literal`);
  await literal.harness('run');
  expect(literal.task('task-001')['error_log']).toEqual([]);
  expect(literal.task('task-001')).toMatchObject({ status: 'completed', attempts: 0 });
});

test('who wrote into the list before the kill is found out all the same', async () => {
  const forged = { write: { path: 'harness-tasks.json', text: '{"version":2,"tasks":[]}' } };
  const shop = await killed([cut(write('task-001'), forged), again]);
  expectExit(await shop.harness('run'), 0);
  expect(shop.list().tasks).toHaveLength(1);
  expect(shop.task('task-001')).toMatchObject({ status: 'completed', attempts: 1 });
  expect(shop.task('task-001')['error_log']).toEqual([expect.stringContaining('[TASK_EXEC] harness-file-edited')]);
});

test('a task that began at a commit which is gone is given up, and says why', async () => {
  const shop = taskList([task('task-001', { status: 'in_progress', started_at_commit: 'deadbeef' })]);
  expectExit(await shop.harness('run'), 3);
  expect(shop.task('task-001')).toMatchObject({ status: 'failed', attempts: 3 });
  expect(shop.task('task-001')['error_log']).toEqual([
    expect.stringContaining('started_at_commit deadbeef is not there'),
  ]);
});
