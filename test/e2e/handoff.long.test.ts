// Handing the work to a person and taking it back, through the program itself: nothing is lost, nothing is believed unproved.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectExit, honest, session, work, workshop, type Live, type Options, type Workshop } from './workshop.ts';

/** Writes half of the work, says so, and waits to be let go. */
const waiting = session(
  1,
  { write: { path: 'src/bench', text: 'half a bench\n' } },
  { write: { path: '../at-work', text: '' } },
  { wait_for_file: '../go' },
  ...work(1),
);
async function atWork(options: Options = {}): Promise<{ readonly shop: Workshop; readonly run: Live }> {
  const shop = workshop({ sessions: [waiting], ...options });
  const run = shop.start('run', '--until-done', '--json');
  await run.until(join(shop.around, 'at-work'));
  return { shop, run };
}
const state = (shop: Workshop): { [field: string]: unknown } =>
  JSON.parse(shop.read('.harness/session_state.json')) as { [field: string]: unknown };
const item = (shop: Workshop, id: number) => shop.features().find((f) => f.id === id);
const isHandedOff = (shop: Workshop): boolean => existsSync(join(shop.privateDir, 'handoff.json'));
const isPaused = (shop: Workshop): boolean => existsSync(join(shop.privateDir, 'paused.json'));

/** As a person would do it: the thing, its test, a commit. */
function doByHand(shop: Workshop, thing: 'bench' | 'saw', says = `${thing} by hand`): void {
  shop.write(`src/${thing}`, `${thing}\n`);
  shop.write(`tests/${thing}.test`, `${thing} is there|grep -q ${thing} src/${thing}\n`);
  shop.git('add', '-A');
  shop.git('commit', '-q', '-m', says);
}

/** Its first feature holds, and waits for a person to look at it. */
async function lookedAt(): Promise<Workshop> {
  const shop = workshop({ sessions: honest });
  shop.write(
    'features.json',
    shop
      .read('features.json')
      .replace('"id": 1,', '"id": 1, "verification_type": "hybrid", "manual_checks": ["It looks right"],'),
  );
  shop.git('commit', '-qam', 'to be looked at');
  expectExit(await shop.harness('run'), 8);
  return shop;
}

describe('handoff', () => {
  test('where nothing runs says that nothing is in progress; nothing is worked until it is taken back', async () => {
    const shop = workshop({ sessions: honest });
    const [first, again] = [await shop.harness('handoff'), await shop.harness('handoff', '--json')];
    expect([first.code, first.stdout]).toEqual([
      0,
      [
        'Handed off: no work starts until it is taken back.',
        '  Nothing is in progress.',
        '  0/3 features passing (0 %)',
        'When done, commit your work and run: harness takeback',
        '',
      ].join('\n'),
    ]);
    expect(again.json()).toMatchObject({
      handed_off: true,
      was_handed_off: true,
      settled: true,
      item: null,
      by: 'Ada',
    });
    for (const call of [['run'], ['run', '--until-done'], ['resume']]) {
      const refused = await shop.harness(...call, '--json');
      expect([refused.code, refused.json()]).toMatchObject([10, { error: { code: 'handed-off', exit: 10 } }]);
      expect(refused.stderr).toContain('harness takeback');
    }
    const status = await shop.harness('status', '--json');
    expect(status.json()).toMatchObject({ paused: true, handed_off: { by: 'Ada', item: null } });
    // What people decide is still written down.
    expectExit(await shop.harness('skip', '3', '--reason', 'later'), 0);
    expect([shop.sessions(), shop.git('status', '--porcelain')]).toEqual([[], '']);
    expectExit(await shop.harness('takeback'), 0);
    expectExit(await shop.harness('run'), 0);
    expect(item(shop, 1)).toMatchObject({ passes: true });
  });

  test('ends a live session, keeps what it did, and says which test belongs to it', async () => {
    const { shop, run } = await atWork();
    const handed = await shop.harness('handoff', '--json');
    expectExit(handed, 0);
    expect(handed.json()).toMatchObject({
      handed_off: true,
      settled: true,
      taken: true,
      live: { command: 'harness run' },
      item: {
        id: '1',
        test_file: 'tests/bench.test',
        command: 'sh run.sh tests/bench.test',
        session: 1,
        reason: 'user_pause',
        work: 'refs/harness/wip/1',
      },
      items: { landed: 0, total: 3 },
    });
    expectExit(await run.ended, 10);
    expect([shop.subjects(), shop.git('show', 'refs/harness/wip/1:src/bench')]).toEqual([[], 'half a bench']);
    expect([shop.git('status', '--porcelain'), shop.processes()]).toEqual(['', []]);
    expect((await shop.harness('handoff')).stdout).toContain('  Item #1 (A bench can be set up) is in progress');
  });

  test('after a kill -9 keeps what was there as work in progress, and nothing of the person is undone later', async () => {
    const { shop, run } = await atWork();
    run.signal('SIGKILL');
    await run.ended;
    const handed = await shop.harness('handoff', '--json');
    expectExit(handed, 0);
    expect(handed.json()).toMatchObject({ settled: true, live: null, item: { id: '1', session: 1 } });
    expect([shop.git('status', '--porcelain'), shop.processes()]).toEqual(['', []]);
    expect(shop.git('show', 'refs/harness/wip/1:src/bench')).toBe('half a bench');
    shop.git('merge', '-q', '--squash', 'refs/harness/wip/1');
    doByHand(shop, 'bench');
    const mine = shop.git('rev-parse', 'HEAD');
    expectExit(await shop.harness('takeback', '--yes'), 0);
    shop.play([session(2, ...work(2))]);
    expectExit(await shop.harness('run'), 0);
    expect(shop.git('merge-base', '--is-ancestor', mine, 'HEAD')).toBe('');
  });

  test('is refused while a session waits for an answer about work that lies in the work tree', async () => {
    const shop = await lookedAt();
    const refused = await shop.harness('handoff', '--json');
    expect([refused.code, refused.json()]).toMatchObject([8, { error: { code: 'session-at-gate' } }]);
    expect([isHandedOff(shop), isPaused(shop)]).toEqual([false, false]);
  });

  test('is refused while the user is asked about work that does not hold, because the work is in the work tree', async () => {
    const bad = session(1, { write: { path: 'src/bench', text: 'x\n' } }, 'claim');
    const shop = workshop({
      sessions: [bad],
      config: 'verification: { fix_turns: 0 }\ngates: { policies: { verification-failed: { answer: wait } } }',
    });
    expectExit(await shop.harness('run'), 3);
    expect((await shop.harness('handoff', '--json')).json()).toMatchObject({ error: { code: 'session-at-gate' } });
    expect(shop.read('src/bench')).toBe('x\n');
    expectExit(await shop.harness('answer', 'g-1', 'manual-verify'), 0);
    await shop.harness('run');
    expectExit(await shop.harness('handoff', '--json'), 0);
  });
});

describe('takeback', () => {
  test('proves what the person did, marks it with their name, and the next session is another', async () => {
    const { shop, run } = await atWork();
    await shop.harness('handoff');
    await run.ended;
    doByHand(shop, 'bench', 'The bench, finished by hand');
    const taken = await shop.harness('takeback', '--yes', '--json');
    expectExit(taken, 0);
    expect(taken.json()).toMatchObject({
      taken_back: true,
      commits: [{ subject: 'The bench, finished by hand' }],
      item: '1',
      passed: true,
      regressions: [],
      failing: [],
      marked: true,
      result: 'applied',
      commit: shop.git('rev-parse', 'HEAD'),
      next: '2',
    });
    expect(item(shop, 1)).toMatchObject({
      passes: true,
      override: {
        passes: true,
        by: 'Ada',
        reason: expect.stringMatching(
          /^done by hand, verified by harness takeback \(evidence: \.git\/harness\/evidence\//,
        ),
      },
    });
    expect(shop.subjects().at(-1)).toBe('chore(harness): #1 is done by hand and verified');
    expect(state(shop)).toMatchObject({
      status: 'complete',
      current_feature: null,
      next_prompt: 'coding',
      last_session: 1,
    });
    expect(JSON.parse(readFileSync(join(shop.privateDir, 'test_baseline.json'), 'utf8'))).toMatchObject({
      passing_tests: expect.arrayContaining([expect.stringContaining('bench is there')]),
    });
    expect([isHandedOff(shop), isPaused(shop), shop.git('status', '--porcelain')]).toEqual([false, false, '']);
    const again = await shop.harness('takeback', '--json');
    expect([again.code, again.json()]).toMatchObject([0, { taken_back: false, was_handed_off: false }]);
    shop.play([{ when: { item: 2, role: 'coding' }, turns: [work(2)] }]);
    const next = await shop.harness('run', '--json');
    expect(next.json()).toMatchObject({ result: 'landed', landed: ['2'] });
  });

  test('asks before it marks: a no leaves the feature to the next session, which continues it', async () => {
    const { shop, run } = await atWork();
    await shop.harness('handoff');
    await run.ended;
    doByHand(shop, 'bench');
    const no = await shop.onTerminal(['n'], 'takeback');
    expect([no.code, no.screen]).toEqual([0, expect.stringContaining('Verified. Mark item #1 as passes: true?')]);
    expect(no.screen).toContain('Item #1 is not marked: the next session continues it.');
    expect([item(shop, 1)?.['passes'], state(shop)['next_prompt']]).toEqual([false, 'continuation']);
    await shop.harness('handoff');
    const silent = await shop.harness('takeback', '--no-input', '--json');
    expect([silent.code, silent.json()]).toMatchObject([0, { passed: true, marked: false, next: '1' }]);
    await shop.harness('handoff');
    const yes = await shop.onTerminal(['y'], 'takeback');
    expect([yes.code, item(shop, 1)?.['passes']]).toEqual([0, true]);
  });

  test('refuses what is not committed, and stays handed off', async () => {
    const shop = workshop({ sessions: honest });
    await shop.harness('handoff');
    shop.write('src/bench', 'mine\n');
    const refused = await shop.harness('takeback', '--json');
    expect([refused.code, refused.json()]).toMatchObject([5, { error: { code: 'dirty-tree' } }]);
    expect([isHandedOff(shop), shop.read('src/bench')]).toEqual([true, 'mine\n']);
  });

  test('does not mark what does not hold, and has the work all the same', async () => {
    const { shop, run } = await atWork();
    await shop.harness('handoff');
    await run.ended;
    shop.write('src/notes', 'not there yet\n');
    shop.git('add', '-A');
    shop.git('commit', '-qm', 'notes');
    const taken = await shop.harness('takeback', '--yes', '--json');
    expect([taken.code, taken.json()]).toMatchObject([
      9,
      { taken_back: true, passed: false, marked: false, next: '1' },
    ]);
    expect([isHandedOff(shop), item(shop, 1)?.['passes'], state(shop)['next_prompt']]).toEqual([
      false,
      false,
      'continuation',
    ]);
  });

  test('finds what the person broke, marks whose it is, and forgets no test', async () => {
    const shop = workshop({ sessions: honest });
    expectExit(await shop.harness('run'), 0);
    const before = readFileSync(join(shop.privateDir, 'test_baseline.json'), 'utf8');
    await shop.harness('handoff');
    doByHand(shop, 'saw');
    rmSync(join(shop.root, 'src/bench'));
    shop.git('commit', '-qam', 'tidy up');
    const taken = await shop.harness('takeback', '2', '--yes', '--json');
    expect([taken.code, taken.json()]).toMatchObject([
      9,
      { item: '2', regressions: [expect.stringContaining('bench is there')], failing: ['1'], marked: false },
    ]);
    expect([item(shop, 1), item(shop, 2)]).toMatchObject([
      { passes: false, failing: { reason: 'found failing when the work was taken back' } },
      { passes: false },
    ]);
    expect(shop.subjects().at(-1)).toBe('fix(harness): #1 does not hold any more');
    expect(readFileSync(join(shop.privateDir, 'test_baseline.json'), 'utf8')).toBe(before);
    expect(taken.json()['next']).toBe('1');
  });

  test('believes no claim that the person wrote into the list', async () => {
    const shop = workshop({ sessions: honest });
    await shop.harness('handoff');
    doByHand(shop, 'bench');
    const list = shop.read('features.json');
    shop.write('features.json', list.replaceAll('"passes": false', '"passes": true'));
    shop.git('commit', '-qam', 'all done');
    const taken = await shop.harness('takeback', '--json');
    expect([taken.code, taken.json()]).toMatchObject([9, { claimed: ['1', '2', '3'], failing: ['2', '3'] }]);
    expect([1, 2, 3].map((id) => item(shop, id)?.['passes'])).toEqual([true, false, false]);
  });

  test('keeps a pause that was there before', async () => {
    const shop = workshop({ sessions: honest });
    await shop.harness('pause');
    await shop.harness('handoff');
    expectExit(await shop.harness('takeback'), 0);
    expect([isHandedOff(shop), isPaused(shop)]).toEqual([false, true]);
  });

  test('speaks German where it is asked to', async () => {
    const shop = workshop({ sessions: honest });
    expect((await shop.harness('--lang', 'de', 'handoff')).stdout).toContain('Übergeben: bis zur Rücknahme');
    expect((await shop.harness('--lang', 'de', 'takeback')).stdout).toContain(
      'Zurückgenommen. Als Nächstes: Aufgabe #1',
    );
  });
});

describe('abort', () => {
  const attempts = async (shop: Workshop): Promise<readonly unknown[]> =>
    ((await shop.harness('attempts', '1', '--json')).json() as { attempts: readonly unknown[] }).attempts;

  test('wants a yes, and a no changes nothing', async () => {
    const shop = workshop({ sessions: honest });
    const refused = await shop.harness('abort', '--json');
    expect([refused.code, refused.json()]).toMatchObject([2, { error: { code: 'confirmation-needed' } }]);
    const no = await shop.onTerminal(['n'], 'abort');
    expect([no.code, no.screen]).toEqual([0, expect.stringContaining('Nothing was changed.')]);
    expect(existsSync(join(shop.root, '.harness'))).toBe(false);
  });

  test('stops a live run, keeps its work as an attempt, and a new run starts from the beginning', async () => {
    const { shop, run } = await atWork();
    const head = shop.git('rev-parse', 'HEAD');
    const aborted = await shop.harness('abort', '--yes', '--json');
    expectExit(aborted, 0);
    expect(aborted.json()).toMatchObject({
      aborted: true,
      live: { command: 'harness run' },
      sessions: [
        { item: '1', session: 1, attempt: expect.stringContaining('refs/harness/attempts/1/'), tree_left: false },
      ],
    });
    await run.ended;
    expect([shop.git('rev-parse', 'HEAD'), shop.git('status', '--porcelain'), shop.processes()]).toEqual([
      head,
      '',
      [],
    ]);
    expect(existsSync(join(shop.root, 'src/bench'))).toBe(false);
    expect(await attempts(shop)).toHaveLength(1);
    const [attempt] = (aborted.json()['sessions'] as { attempt: string }[]).map((one) => one.attempt);
    expect(shop.git('show', `${attempt}:src/bench`)).toBe('half a bench');
    expect(state(shop)).toMatchObject({
      status: 'complete',
      current_feature: null,
      next_prompt: 'coding',
      last_session: 1,
    });
    expect(JSON.parse(shop.read('.harness/sessions/1/session.json'))).toMatchObject({ reason: 'aborted', attempt });
    expect(shop.read('.harness/costs.yaml')).toContain('total_sessions: 1');
    const again = await shop.harness('abort', '--yes', '--json');
    expect([again.code, again.json()]).toMatchObject([0, { aborted: true, live: null, sessions: [], gates: [] }]);
    shop.play([{ when: { role: 'coding', item: 1, attempt: 1 }, turns: [work(1)] }]);
    const next = await shop.harness('run', '--json');
    expect(next.json()).toMatchObject({ result: 'landed', items: [{ id: '1', session: 2 }] });
  });

  test('after a kill -9 does the same', async () => {
    const { shop, run } = await atWork();
    run.signal('SIGKILL');
    await run.ended;
    expectExit(await shop.harness('abort', '--yes'), 0);
    expect([shop.git('status', '--porcelain'), shop.processes(), (await attempts(shop)).length]).toEqual(['', [], 1]);
    expect((await shop.harness('status', '--json')).json()).toMatchObject({
      interrupted: [],
      next: { item: '1', prompt: 'coding' },
    });
  });

  test('withdraws questions, keeps the work they were about, and clears pause and handoff; what people asked for stays', async () => {
    const shop = await lookedAt();
    expect((await shop.harness('skip', '3', '--reason', 'later', '--json')).json()).toMatchObject({
      result: 'queued',
      behind: 'session',
    });
    await shop.harness('pause');
    const aborted = await shop.harness('abort', '--yes');
    expectExit(aborted, 0);
    expect(aborted.stdout).toContain('Withdrawn: g-1');
    expect((await shop.harness('gates', '--json')).json()).toMatchObject({ gates: [] });
    expect([isPaused(shop), shop.git('status', '--porcelain'), (await attempts(shop)).length]).toEqual([false, '', 1]);
    const answered = await shop.harness('answer', 'g-1', 'verified');
    expect(answered.code).toBe(2);
    expectExit(await shop.harness('skip', '2', '--reason', 'later too'), 0);
    expect(item(shop, 3)).toMatchObject({ skipped: { reason: 'later' } });
  });

  test('leaves commits that were made since, and the work tree with them', async () => {
    const { shop, run } = await atWork();
    run.signal('SIGKILL');
    await run.ended;
    writeFileSync(join(shop.root, 'mine.txt'), 'mine\n');
    shop.git('add', 'mine.txt');
    shop.git('commit', '-qm', 'mine, in the middle');
    const head = shop.git('rev-parse', 'HEAD');
    const aborted = await shop.harness('abort', '--yes', '--json');
    expect(aborted.json()).toMatchObject({ sessions: [{ tree_left: true }] });
    expect([shop.git('rev-parse', 'HEAD'), shop.read('src/bench'), shop.read('mine.txt')]).toEqual([
      head,
      'half a bench\n',
      'mine\n',
    ]);
  });

  test('that was cut off lets nothing work until it is ended', async () => {
    const shop = workshop({ sessions: honest });
    shop.write('.git/harness/abort.json', '{}');
    for (const call of [['run'], ['skip', '3', '--reason', 'x']]) {
      const refused = await shop.harness(...call, '--json');
      expect([refused.code, refused.json()]).toMatchObject([5, { error: { code: 'abort-unfinished' } }]);
    }
    expectExit(await shop.harness('abort', '--yes'), 0);
    expectExit(await shop.harness('run'), 0);
  });
});
