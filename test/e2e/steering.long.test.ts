// Steering by hand, through the program itself on a real repository: what is said, what is committed, what is left alone.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { acquireLock } from '../../src/host/lock.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const subjects = (repo: Repo): string[] => repo.git('log', '--format=%s', '--reverse').split('\n').slice(1);
const filesOf = (repo: Repo, rev = 'HEAD'): string => repo.git('show', '--format=', '--name-only', rev);
const inbox = (repo: Repo): string[] => {
  const folder = join(repo.privateDir, 'inbox');
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder);
};
const feature = (repo: Repo, id: number) => repo.features().find((f) => f.id === id);

/** This process holds the repository as if it worked in it, until it lets go. */
function hold(repo: Repo, run: string, command: string): () => void {
  const lock = acquireLock(repo.privateDir, {
    pid: process.pid,
    startedAt: '2025-01-16T14:30:00.000Z',
    command,
    run,
  });
  if (!lock.ok) throw new Error(JSON.stringify(lock.failure));
  onTestFinished(() => lock.value.release());
  return () => lock.value.release();
}

describe('pause and resume', () => {
  test('hold where nothing runs, and saying it again changes nothing', async () => {
    const repo = makeRepo();
    const [first, again] = [await repo.harness('pause'), await repo.harness('pause', '--json')];
    expect([first.code, first.stdout]).toEqual([0, 'Paused. Nothing was running.\nResume with: harness resume\n']);
    expect(again.json()).toEqual({
      schema: 'harness.pause/1',
      paused: true,
      was_paused: true,
      live: null,
      taken: false,
    });
    expect(inbox(repo)).toEqual([]);
    const run = await repo.harness('run', '--json');
    expect([run.code, run.json()]).toMatchObject([10, { error: { code: 'paused' } }]);
    const resumed = await repo.harness('resume');
    expect([resumed.code, resumed.stdout]).toEqual([
      0,
      'Resumed.\nNext: session 1, item #2 User can fill a cart (coding)   → harness run\n',
    ]);
    expect((await repo.harness('resume', '--json')).json()).toMatchObject({
      was_paused: false,
      next: { item: '2', prompt: 'coding', session: 1 },
    });
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('a live run takes the message', async () => {
    const repo = makeRepo();
    hold(repo, 'r-20250116143000-abcd', 'harness run');
    const asked = repo.harness('pause', '--json');
    let names = inbox(repo);
    while (names.length === 0) {
      await sleep(10);
      names = inbox(repo).filter((name) => name.endsWith('.json'));
    }
    for (const name of names) rmSync(join(repo.privateDir, 'inbox', name));
    expect((await asked).json()).toMatchObject({
      paused: true,
      taken: true,
      live: { run: 'r-20250116143000-abcd', pid: process.pid, command: 'harness run' },
    });
  });

  test('resume reports what prevents a start', async () => {
    const repo = makeRepo();
    await repo.harness('skip', '2', '--reason', 'later');
    expect((await repo.harness('resume')).stdout).toContain('1 feature is left and cannot be started');
    repo.write('features.json', '{ broken');
    const broken = await repo.harness('resume');
    expect([broken.code, broken.stdout.split('\n')[1]]).toEqual([0, 'The backlog features.json has an error.']);
  });
});

describe('stop', () => {
  test('says that nothing runs', async () => {
    const repo = makeRepo();
    expect(await repo.harness('stop')).toMatchObject({ code: 0, stdout: 'Nothing is running.\n' });
    expect((await repo.harness('stop', '--now', '--json')).json()).toMatchObject({ stopping: false, live: null });
    expect(inbox(repo)).toEqual([]);
  });

  test('names another command that is at work, and leaves no message for a later run', async () => {
    const repo = makeRepo();
    hold(repo, 'v-20250116143000-abcd', 'harness verify');
    const stopped = await repo.harness('stop');
    expect([stopped.code, stopped.stdout]).toEqual([
      0,
      `harness verify (pid ${process.pid}) is running and reads no messages; it ends by itself.\n`,
    ]);
    expect(inbox(repo)).toEqual([]);
  });
});

describe('skip', () => {
  test('commits the decision alone; other work stays as it was, staged or not', async () => {
    const repo = makeRepo();
    repo.write('notes.txt', 'mine\n');
    repo.write('init.sh', '#!/bin/sh\n# mine\nexit 0\n');
    repo.write('reset.sh', '#!/bin/sh\n# staged\nexit 0\n');
    repo.git('add', 'reset.sh');
    const before = repo.git('status', '--porcelain');
    const skipped = await repo.harness('skip', '#2', '--reason', 'Blocked on external API');
    expect(skipped.code).toBe(0);
    expect(skipped.stdout).toContain('Skipped item #2 (User can fill a cart): Blocked on external API\n');
    expect(skipped.stdout).toContain('Features that depend on it wait: 3');
    expect(skipped.stdout).toContain(`commit ${repo.git('rev-parse', 'HEAD').slice(0, 10)}`);
    expect(filesOf(repo)).toBe('features.json');
    expect(repo.git('status', '--porcelain')).toBe(before);
    expect(feature(repo, 2)).toMatchObject({
      passes: false,
      skipped: { reason: 'Blocked on external API', unblock: false },
    });
    expect(subjects(repo)).toEqual(['chore(harness): #2 is skipped']);
  });

  test('said twice is said once', async () => {
    const repo = makeRepo();
    await repo.harness('skip', '--feature', '2', '--reason', 'later');
    const again = await repo.harness('skip', '--feature', '2', '--reason', 'later', '--json');
    expect([again.code, again.json()]).toMatchObject([0, { result: 'already', commit: null }]);
    expect(subjects(repo)).toHaveLength(1);
    const other = await repo.harness('skip', '2', '--reason', 'never', '--unblock', '--json');
    expect(other.json()).toMatchObject({ result: 'applied', unblock: true, dependents: ['3'] });
    expect((await repo.harness('resume', '--json')).json()).toMatchObject({ next: { item: '3' } });
  });

  test('of what has landed is nothing to do', async () => {
    const repo = makeRepo();
    const landed = await repo.harness('skip', '1', '--reason', 'x');
    expect([landed.code, landed.stdout]).toEqual([
      0,
      'Item #1 (User can open the shop) has landed: there is nothing to skip.\nNothing was changed.\n',
    ]);
    expect(subjects(repo)).toEqual([]);
  });

  test("takes the person's own edits of the list along, and says so", async () => {
    const repo = makeRepo();
    repo.write('features.json', repo.read('features.json').replace('User can pay', 'User can pay by card'));
    const skipped = await repo.harness('skip', '2', '--reason', 'later');
    expect(skipped.stdout).toContain('Your uncommitted changes of features.json are included in this commit.');
    expect(repo.git('show', 'HEAD:features.json')).toContain('User can pay by card');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test.each([
    [['skip', '2'], 2, 'reason-needed'],
    [['skip', '2', '--reason', ' '], 2, 'reason-needed'],
    [['skip', '--reason', 'x'], 2, 'usage'],
    [['skip', '77', '--reason', 'x'], 2, 'item-unknown'],
    [['skip', '2', '3', '--reason', 'x'], 2, 'usage'],
    [['skip', '2', '--feature', '3', '--reason', 'x'], 2, 'usage'],
    [['skip', '2', '--raeson', 'x'], 2, 'usage'],
    [['override', '2', '--reason', 'x'], 2, 'usage'],
    [['override', '2', '--passes', 'maybe', '--reason', 'x'], 2, 'usage'],
    [['override', '2', '--passes', 'true'], 2, 'reason-needed'],
    [['override', '2', '--passes', 'true', '--reason', 'x'], 2, 'confirmation-needed'],
    [['override', '77', '--passes', 'true', '--reason', 'x', '--yes'], 2, 'item-unknown'],
    [['manual-verify', '2'], 2, 'confirmation-needed'],
    [['manual-verify'], 2, 'usage'],
    [['add'], 2, 'usage'],
    [['add', ' ', '--verify', 'tests/a.test.mjs'], 2, 'usage'],
    [['add', 'User can leave'], 2, 'usage'],
    [['add', 'User can leave', '--verify', '../a.test.mjs'], 2, 'usage'],
    [['add', 'User can leave', '--verify', 'tests/a.test.mjs', '--depends-on', 'two'], 2, 'usage'],
    [['add', 'User can leave', '--verify', 'tests/a.test.mjs', '--depends-on', '77'], 2, 'usage'],
    [['add', 'User can leave', '--verify', 'tests/a.test.mjs', '--priority', 'high'], 2, 'usage'],
  ])('what cannot be done is refused and changes nothing: %j', async (words, exit, code) => {
    const repo = makeRepo();
    const refused = await repo.harness(...words, '--json');
    expect([refused.code, refused.stdout, refused.json()]).toMatchObject([exit, '', { error: { code, exit } }]);
    expect([subjects(repo), inbox(repo), repo.git('status', '--porcelain')]).toEqual([[], [], '']);
  });

  test('a list that cannot be read is named with its place', async () => {
    const repo = makeRepo({ 'features.json': '{\n  "features": [,]\n}\n' });
    const refused = await repo.harness('skip', '2', '--reason', 'x');
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('features.json:2:16')]);
    expect(inbox(repo)).toEqual([]);
  });
});

describe('while another process is at work', () => {
  test('changes are queued once each, and made in order when the repository is free', async () => {
    const repo = makeRepo();
    const letGo = hold(repo, 'r-20250116143000-abcd', 'harness run');
    const skipped = await repo.harness('skip', '2', '--reason', 'later', '--unblock');
    expect([skipped.code, skipped.stdout]).toEqual([
      0,
      `Queued: the current run applies it before its next item (harness run, pid ${process.pid}).\n`,
    ]);
    await repo.harness('skip', '2', '--reason', 'later', '--unblock');
    const add = (title: string, ...more: string[]) =>
      repo.harness('add', title, '--verify', `tests/${title}.test.mjs`, '--json', ...more);
    expect((await add('Return')).json()).toMatchObject({ result: 'queued', behind: 'run', item: '4' });
    expect((await add('Refund', '--depends-on', '4')).json()).toMatchObject({ result: 'queued', item: '5' });
    expect((await add('Refund', '--depends-on', '4')).json()).toMatchObject({ result: 'queued', item: '5' });
    expect(subjects(repo)).toEqual([]);
    letGo();
    await repo.harness('override', '3', '--passes', 'true', '--reason', 'seen', '--yes');
    expect(subjects(repo)).toEqual([
      'chore(harness): #2 is skipped',
      'chore(harness): #4 added: Return',
      'chore(harness): #5 added: Refund',
      'chore(harness): #3 is set to passes: true, unverified',
    ]);
    expect(feature(repo, 5)).toMatchObject({ description: 'Refund', depends_on: [4] });
    expect([inbox(repo), repo.git('status', '--porcelain')]).toEqual([[], '']);
  });

  test('a short command is waited for', async () => {
    const repo = makeRepo();
    const letGo = hold(repo, 'c-20250116143000-abcd', 'harness skip');
    const asked = repo.harness('skip', '2', '--reason', 'later', '--json');
    while (inbox(repo).length === 0) await sleep(10);
    letGo();
    expect((await asked).json()).toMatchObject({ result: 'applied' });
  });

  test('several commands at once all come through, each with its own commit', async () => {
    const repo = makeRepo();
    const ran = await Promise.all([
      repo.harness('skip', '2', '--reason', 'later', '--json'),
      repo.harness('skip', '3', '--reason', 'later', '--json'),
      repo.harness('add', 'Return', '--verify', 'tests/return.test.mjs', '--json'),
    ]);
    expect(ran.map((r) => [r.code, r.json()['result']])).toEqual(Array.from(ran, () => [0, 'applied']));
    expect(new Set(ran.map((r) => r.json()['commit']))).toEqual(
      new Set(repo.git('log', '--format=%H').split('\n').slice(0, 3)),
    );
  });

  test('an interrupted session is not let go of: the change waits behind it', async () => {
    const repo = makeRepo();
    mkdirSync(repo.privateDir, { recursive: true });
    const running = [{ item: '2', lane: 0, session: 1 }];
    const loop = { schema: 1, run: 'r-1', running, reports: [], pending: [] };
    writeFileSync(join(repo.privateDir, 'loop.json'), JSON.stringify(loop));
    const skipped = await repo.harness('skip', '3', '--reason', 'later', '--json');
    expect([skipped.code, skipped.json()]).toMatchObject([0, { result: 'queued', behind: 'session' }]);
    expect([subjects(repo), inbox(repo)]).toEqual([[], [expect.stringMatching(/\.json$/)]]);
  });
});

describe('override', () => {
  test('shows what it will do and commits what was agreed to; it stays visible', async () => {
    const repo = makeRepo();
    const set = await repo.harness('override', '2', '--passes', 'true', '--reason', 'seen in production', '--yes');
    expect([set.code, set.stderr]).toEqual([
      0,
      [
        'Item #2 (User can fill a cart): changes passes from false to true, without any check.',
        'Features that depend on it may then start: 3',
        'The reason stays visible on the feature: seen in production',
        '',
      ].join('\n'),
    ]);
    expect(feature(repo, 2)).toMatchObject({
      passes: true,
      override: { passes: true, reason: 'seen in production', by: 'Ada' },
    });
    expect(filesOf(repo)).toBe('features.json');
    const words = ['override', '2', '--passes', 'true', '--reason', 'seen in production', '--yes', '--json'];
    const again = await repo.harness(...words);
    expect(again.json()).toMatchObject({ result: 'already', commit: null });
    expect(subjects(repo)).toHaveLength(1);
  });

  test('takes a landing back', async () => {
    const repo = makeRepo();
    await repo.harness('override', '1', '--passes', 'false', '--reason', 'broken in production', '--yes');
    expect(feature(repo, 1)).toMatchObject({ passes: false, override: { passes: false } });
    expect((await repo.harness('resume', '--json')).json()).toMatchObject({ next: { item: '1' } });
  });

  test('asks on a terminal: for the reason, then for a yes', async () => {
    const repo = makeRepo();
    const no = await repo.onTerminal(['seen', 'n'], 'override', '2', '--passes', 'true');
    expect([no.code, no.screen]).toEqual([0, expect.stringContaining('Nothing was changed.')]);
    expect(subjects(repo)).toEqual([]);
    const yes = await repo.onTerminal(['seen', 'yes'], 'override', '2', '--passes', 'true');
    expect([yes.code, yes.screen]).toEqual([0, expect.stringContaining('Set item #2')]);
    expect(yes.screen).toContain('WARNING: This bypasses verification. Are you sure?');
    expect(feature(repo, 2)).toMatchObject({ override: { reason: 'seen' } });
    const silent = await repo.onTerminal([''], 'override', '3', '--passes', 'true');
    expect([silent.code, silent.screen]).toEqual([2, expect.stringContaining('reason-needed')]);
  });
});

describe('manual-verify', () => {
  test('shows the test and its command, and records what the person says', async () => {
    const repo = makeRepo();
    const yes = await repo.onTerminal(['y'], 'manual-verify', '--feature', '2');
    for (const line of [
      'Please verify item #2 by hand: User can fill a cart',
      'Test file: tests/cart.test.mjs',
      'Run: node --test tests/cart.test.mjs',
      'Did all tests pass?',
      'Recorded: item #2 (User can fill a cart) was verified by hand.',
    ])
      expect(yes.screen).toContain(line);
    expect(yes.code).toBe(0);
    expect(feature(repo, 2)).toMatchObject({ passes: true, override: { passes: true, reason: 'verified by hand' } });
    const again = await repo.harness('manual-verify', '2', '--yes', '--json');
    expect(again.json()).toMatchObject({ passed: true, result: 'already' });
    expect(subjects(repo)).toEqual(['chore(harness): #2 is verified by hand']);
  });

  test('a no records nothing and ends as a failed verification', async () => {
    const repo = makeRepo();
    const no = await repo.onTerminal(['n'], 'manual-verify', '2');
    expect([no.code, no.screen]).toEqual([9, expect.stringContaining('Not recorded')]);
    expect(subjects(repo)).toEqual([]);
  });
});

describe('add', () => {
  test('puts a feature at the end of the list in its own layout', async () => {
    const repo = makeRepo();
    const before = repo.read('features.json');
    const what = ['add-feature', 'User can return goods', '--verify', 'tests/return.test.mjs', '--category', 'orders'];
    const how = ['--depends-on', '1,#2', '--priority', '3', '--step', 'Open the order', '--step', 'Press return'];
    const added = await repo.harness(...what, ...how, '--json');
    expect(added.json()).toMatchObject({ schema: 'harness.add/1', item: '4', result: 'applied', flags: [] });
    expect(feature(repo, 4)).toEqual({
      id: 4,
      category: 'orders',
      description: 'User can return goods',
      test_file: 'tests/return.test.mjs',
      verification_steps: ['Open the order', 'Press return'],
      depends_on: [1, 2],
      priority: 3,
      passes: false,
    });
    expect(repo.read('features.json').startsWith(before.slice(0, before.lastIndexOf('}\n  ]')))).toBe(true);
    expect([filesOf(repo), subjects(repo)]).toEqual([
      'features.json',
      ['chore(harness): #4 added: User can return goods'],
    ]);
    const again = await repo.harness('add', 'User can return goods', '--verify', 'tests/return.test.mjs', '--json');
    expect(again.json()).toMatchObject({ item: '4', result: 'already' });
    expect(subjects(repo)).toHaveLength(1);
  });

  test('what is too large is added with advice how to split it', async () => {
    const repo = makeRepo();
    const added = await repo.harness('add', 'User can manage orders', '--verify', 'tests/orders.test.mjs');
    expect(added.code).toBe(0);
    for (const line of [
      'It may be too large',
      '2. User can create orders',
      'tests/orders.test.mjs   (does not exist yet',
    ])
      expect(added.stdout).toContain(line);
  });

  test('says every mistake', async () => {
    const repo = makeRepo();
    const refused = await repo.harness('add', 'Return', '--verify', '-x', '--depends-on', '77,78');
    const wrong = await repo.harness('add', 'Return', '--verify', '/etc/x', '--depends-on', '77,78');
    expect(refused.code).toBe(2);
    expect(wrong.stderr).toContain('cannot have test_file "/etc/x"');
    for (const id of ['77', '78']) expect(wrong.stderr).toContain(`depends on ${id}`);
    expect(subjects(repo)).toEqual([]);
  });
});
