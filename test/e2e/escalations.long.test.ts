// Questions to people through the program: asked at the terminal, answered by the first, by a time-out where the configuration
// says so; and what is asked when everything has landed.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectExit, honest, session, work, workshop, type Session, type Workshop } from './workshop.ts';

const idle = session(1, { say: 'I only looked.' });
const quick = 'features: { max_stuck_sessions: 1 }';
const policies = (text: string): string => `gates: { policies: { ${text} } }`;
type Gate = {
  id: string;
  subject: string;
  state: string;
  answer: { option: string; by: string } | null;
  policy: unknown;
};
const gates = async (shop: Workshop): Promise<readonly Gate[]> =>
  ((await shop.harness('gates', '--all', '--json')).json() as { gates: Gate[] }).gates;

describe('a question with a policy', () => {
  test('is answered by its time-out in an unattended run, and says who answered', async () => {
    const shop = workshop({
      sessions: [idle],
      config: `${quick}\n${policies('feature-stuck: { answer: skip, after: 1s }')}`,
    });
    const ran = await shop.harness('run', '--until-done', '--json');
    expectExit(ran, 3);
    expect(ran.json()).toMatchObject({
      result: 'blocked',
      reason: 'nothing-ready',
      items: [{ result: 'partial' }, { result: 'skipped' }],
    });
    expect(await gates(shop)).toMatchObject([
      { subject: 'feature-stuck', answer: { option: 'skip', by: 'gates.policies' } },
    ]);
  });

  test('is still a person’s: an answer before the time-out counts, and the waiting run continues', async () => {
    const shop = workshop({
      sessions: [{ when: { item: 1, role: 'coding' }, turns: [[{ say: 'I only looked.' }]] }],
      config: `${quick}\n${policies('feature-stuck: { answer: abort, after: 2h }')}`,
    });
    const live = shop.start('run', '--until-done', '--max-items', '1', '--json');
    await expect.poll(async () => (await gates(shop)).map(({ state }) => state), { timeout: 20_000 }).toEqual(['open']);
    expect(await gates(shop)).toMatchObject([{ policy: { answer: 'abort' } }]);
    shop.play([session(1, ...work(1))]);
    expectExit(await shop.harness('answer', 'g-1', 'retry'), 0);
    const ended = await live.ended;
    expect(ended.json()).toMatchObject({ landed: ['1'] });
  });

  test('that would say a person looked is refused, and so is a question or an option that does not exist', async () => {
    for (const [policy, key] of [
      ['doubtful-proof: { answer: land, after: 1h }', 'gates.policies.doubtful-proof.answer'],
      ['manual-verification: { answer: verified, after: 1h }', 'gates.policies.manual-verification.answer'],
      ['feature-stuk: { answer: skip, after: 1h }', 'gates.policies.feature-stuk'],
      ['feature-stuck: { answer: skip, after: soon }', 'gates.policies.feature-stuck.after'],
      ['feature-stuck: { answer: skip }', 'gates.policies.feature-stuck'],
    ]) {
      const shop = workshop({ config: policies(policy ?? '') });
      const ran = await shop.harness('run');
      expectExit(ran, 2);
      expect(ran.stderr).toContain(key);
    }
  });
});

describe('an environment that reset.sh cannot bring back', () => {
  const broken = (config = ''): Workshop =>
    workshop({
      sessions: [session(1, ...work(1))],
      init: '#!/bin/sh\ntest -f mended\n',
      files: { 'reset.sh': '#!/bin/sh\necho the disk is full\ntest -f mended\n' },
      config,
    });

  test('is a person’s: they fix it and say so, and the run continues; no agent was started before', async () => {
    const shop = broken();
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 3);
    expect(ran.json()).toMatchObject({ result: 'gate', gates: ['g-1'] });
    expect(await gates(shop)).toMatchObject([{ subject: 'reset-failed', state: 'open' }]);
    expect((await shop.harness('gates')).stdout).toContain('./reset.sh failed');
    expect(shop.sessions()).toEqual([]);
    // Said too early it is asked again.
    expectExit(await shop.harness('answer', 'g-1', 'manual'), 0);
    expectExit(await shop.harness('run', '--json'), 3);
    shop.write('mended', '');
    shop.git('add', 'mended');
    shop.git('commit', '-qm', 'room on the disk');
    expectExit(await shop.harness('answer', 'g-2', 'manual'), 0);
    const again = await shop.harness('run', '--json');
    expectExit(again, 0);
    expect(again.json()).toMatchObject({ landed: ['1'] });
  });

  test('ends the run where they say so', async () => {
    const shop = broken();
    expectExit(await shop.harness('run', '--json'), 3);
    expectExit(await shop.harness('answer', 'g-1', 'abort'), 0);
    const ran = await shop.harness('run', '--json');
    expect(ran.json()).toMatchObject({ result: 'blocked', reason: 'decided-abort' });
    expect(shop.git('status', '--porcelain')).toBe('');
  });

  test('is tried again by an unattended run, where a policy says so, three times at most', async () => {
    const shop = broken(policies('reset-failed: { answer: retry, after: 1s }'));
    const ran = await shop.harness('run', '--until-done', '--json');
    expectExit(ran, 5);
    expect(ran.json()).toMatchObject({ result: 'blocked', reason: 'reset-failed' });
    expect(await gates(shop)).toMatchObject(Array.from({ length: 3 }, () => ({ answer: { option: 'retry' } })));
  });
});

describe('work that does not hold', () => {
  const bad = session(
    1,
    { write: { path: 'src/bench', text: 'x\n' } },
    { write: { path: 'tests/bench.test', text: 'no|false\n' } },
    'claim',
  );

  test('is asked about where the configuration says so: the work stays until a person decides about it', async () => {
    const shop = workshop({
      sessions: [bad],
      config: `verification: { fix_turns: 0 }\n${policies('verification-failed: { answer: wait }')}`,
    });
    expectExit(await shop.harness('run', '--json'), 3);
    expect(shop.read('src/bench')).toBe('x\n');
    expect(shop.processes()).toEqual([]);
    expectExit(await shop.harness('answer', 'g-1', 'retry'), 0);
    expect((await shop.harness('run', '--json')).json()).toMatchObject({ result: 'rejected' });
    expect(shop.git('ls-files', 'src')).toBe('src/door');
    expect((await shop.harness('attempts', '1')).stdout).not.toBe('');
  });

  test.each([
    ['skip', 'skipped', false],
    ['abort', 'blocked', false],
    ['manual-verify', 'blocked', true],
  ])('answered with %s ends as %s', async (option, result, isKept) => {
    const shop = workshop({
      sessions: [bad],
      config: `verification: { fix_turns: 0 }\n${policies('verification-failed: { answer: wait }')}`,
    });
    await shop.harness('run');
    expectExit(await shop.harness('answer', 'g-1', option), 0);
    const ran = (await shop.harness('run', '--json')).json() as { items: { result: string }[] };
    expect(ran.items[0]?.result).toBe(result === 'blocked' ? (option === 'abort' ? 'aborted' : 'blocked') : result);
    expect([shop.git('ls-files', 'src'), shop.git('status', '--porcelain')]).toEqual(['src/door', '']);
    expect(shop.workInProgress('1') !== '').toBe(isKept);
  });

  test('three times is another question than being stuck: it shows what failed', async () => {
    const shop = workshop({ sessions: [bad], config: `verification: { fix_turns: 0 }\n${quick}` });
    expectExit(await shop.harness('run', '--until-done', '--json'), 3);
    const [gate] = await gates(shop);
    expect(gate?.subject).toBe('repeated-failures');
    expect((await shop.harness('gates')).stdout).toContain('tests/bench.test');
  });
});

describe('an application that is still broken after an agent was asked to fix it first', () => {
  const mended = session(1, ...work(1), { run: 'rm -f src/broken' });
  const broken = (sessions: readonly Session[], config = ''): Workshop => {
    const shop = workshop({
      sessions,
      files: { 'src/broken': 'x\n' },
      config: `verification: { fix_turns: 0 }\n${config}`,
    });
    const file = shop.read('.harness.yaml');
    shop.write('.harness.yaml', file.replace('testing: {', "testing: { sanity: { quick: 'test ! -e src/broken' },"));
    shop.git('commit', '-qam', 'a quick test');
    return shop;
  };

  test('lands nothing on top of it, whatever else holds: the user is asked, and shown what fails', async () => {
    const shop = broken([session(1, ...work(1))]);
    expectExit(await shop.harness('run', '--json'), 3);
    expect(await gates(shop)).toMatchObject([{ subject: 'sanity-failed', state: 'open' }]);
    expect((await shop.harness('gates')).stdout).toContain('test ! -e src/broken');
    expect(shop.subjects()).not.toContain('feat(bench): #1 A bench can be set up');
    expect(shop.processes()).toEqual([]);
  });

  test('fixed in the session is no question at all', async () => {
    const shop = broken([mended]);
    expect((await shop.harness('run', '--json')).json()).toMatchObject({ landed: ['1'] });
  });

  test.each([
    ['retry', 'partial', true],
    ['rollback', 'rejected', false],
    ['manual', 'blocked', true],
    ['abort', 'aborted', false],
  ])('answered with %s ends as %s; the next session can fix it, and lands', async (option, result, isKept) => {
    const shop = broken([session(1, ...work(1))]);
    await shop.harness('run');
    expectExit(await shop.harness('answer', 'g-1', option), 0);
    const ran = (await shop.harness('run', '--json')).json() as { items: { result: string }[] };
    expect(ran.items[0]?.result).toBe(result);
    expect([shop.git('ls-files', 'src'), shop.git('status', '--porcelain')]).toEqual(['src/broken\nsrc/door', '']);
    expect(shop.workInProgress('1') !== '').toBe(isKept);
    shop.play([mended]);
    expect((await shop.harness('run', '--json')).json()).toMatchObject({ landed: ['1'] });
  });

  test('is tried again by a policy until the item is stuck, which is another question', async () => {
    const shop = broken([session(1, ...work(1))], policies('sanity-failed: { answer: retry, after: 1s }'));
    expectExit(await shop.harness('run', '--until-done', '--json'), 3);
    expect((await gates(shop)).map(({ subject }) => subject)).toEqual([
      'sanity-failed',
      'sanity-failed',
      'sanity-failed',
      'feature-stuck',
    ]);
  });
});

describe('items that wait for each other', () => {
  const circle = (config = ''): Workshop => {
    const shop = workshop({ sessions: honest, config });
    const text = shop.read('features.json');
    shop.write('features.json', text.replace('"depends_on": [1]', '"depends_on": [1, 3]'));
    shop.git('commit', '-qam', 'a saw needs a board');
    return shop;
  };

  test('are a person’s: the cycle is shown, and the run continues once a person has edited the backlog and says so', async () => {
    const shop = circle();
    expectExit(await shop.harness('run', '--json'), 3);
    expect(await gates(shop)).toMatchObject([{ subject: 'dependency-cycle', state: 'open' }]);
    expect((await shop.harness('gates')).stdout).toContain('2 → 3 → 2');
    expectExit(await shop.harness('items'), 5);
    shop.write('features.json', shop.read('features.json').replace('[1, 3]', '[1]'));
    shop.git('commit', '-qam', 'it does not');
    expectExit(await shop.harness('answer', 'g-1', 'edit'), 0);
    expect((await shop.harness('run', '--until-done', '--json')).json()).toMatchObject({ landed: ['1', '2', '3'] });
  });

  test('said to be edited and not edited are asked about twice; then the run ends and names the place', async () => {
    const shop = circle();
    for (const gate of ['g-1', 'g-2']) {
      expectExit(await shop.harness('run'), 3);
      expectExit(await shop.harness('answer', gate, 'edit'), 0);
    }
    const ran = await shop.harness('run');
    expectExit(ran, 5);
    expect(ran.stderr).toContain('features.json:6:');
  });

  test('are left out by a policy at night, each in a commit of its own; the others land', async () => {
    const shop = circle(policies('dependency-cycle: { answer: skip, after: 1s }'));
    const ran = await shop.harness('run', '--until-done', '--json');
    expect(ran.json()).toMatchObject({ landed: ['1'] });
    expect(shop.subjects()).toEqual(
      expect.arrayContaining([
        'chore(harness): #2 is skipped: it is part of a circle',
        'chore(harness): #3 is skipped: it is part of a circle',
        'feat(bench): #1 A bench can be set up',
      ]),
    );
    expectExit(await shop.harness('items'), 0);
    expect(shop.git('status', '--porcelain')).toBe('');
  });

  test('and a person who ends the run', async () => {
    const shop = circle();
    await shop.harness('run');
    expectExit(await shop.harness('answer', 'g-1', 'abort'), 0);
    expect((await shop.harness('run', '--json')).json()).toMatchObject({ result: 'blocked', reason: 'decided-abort' });
  });
});

describe('when everything has landed', () => {
  const all = async (): Promise<Workshop> => {
    const shop = workshop({ sessions: honest });
    expectExit(await shop.harness('run', '--until-done', '--json'), 0);
    return shop;
  };
  const breaks = (shop: Workshop): void => {
    shop.git('rm', '-q', 'src/bench');
    shop.git('commit', '-q', '-m', 'tidied up');
  };

  test('it is verified once more; what a person broke since is asked about, reset, and worked on again', async () => {
    const shop = await all();
    const done = await shop.harness('run', '--json');
    expectExit(done, 0);
    expect(done.json()).toMatchObject({ result: 'done', reason: 'nothing-left' });
    expect((await shop.harness('run')).stderr).toMatch(/full/);
    breaks(shop);
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 3);
    expect(await gates(shop)).toMatchObject([{ subject: 'false-positives', state: 'open' }]);
    expectExit(await shop.harness('answer', 'g-1', 'reset'), 0);
    const again = await shop.harness('run', '--until-done', '--json');
    expectExit(again, 0);
    expect(again.json()).toMatchObject({ result: 'done', landed: ['1'] });
    expect(shop.subjects().slice(-2)).toEqual([
      'fix(harness): #1 does not hold any more',
      'feat(bench): #1 A bench can be set up',
    ]);
  });

  test('what a hand marked as done and never passed is asked about, though nothing that passed fails', async () => {
    const shop = workshop({ sessions: [] });
    shop.write('features.json', shop.read('features.json').replaceAll('"passes": false', '"passes": true'));
    shop.git('commit', '-qam', 'all done, I say');
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 3);
    expect(await gates(shop)).toMatchObject([{ subject: 'false-positives', state: 'open' }]);
    expect((await shop.harness('gates')).stdout).toContain('#3, #2, #1');
  });

  test('in maintenance it is looked at again and again: what breaks is the next item, without a question', async () => {
    const shop = await all();
    const live = shop.start('run', '--maintain', '--every', '1s', '--json');
    await live.until(join(shop.privateDir, 'waits'));
    expect((await shop.harness('status')).stdout).toContain('the next check of the project');
    breaks(shop);
    await expect.poll(() => shop.subjects().at(-1), { timeout: 30_000 }).toBe('feat(bench): #1 A bench can be set up');
    expectExit(await shop.harness('stop'), 0);
    const ended = await live.ended;
    expect(ended.code).toBe(10);
    expect(ended.json()).toMatchObject({ result: 'paused', landed: ['1'] });
    expect(await gates(shop)).toEqual([]);
  });
});

test('at a terminal the question is asked there, a mistyped answer is reported, and the run continues with the answer', async () => {
  const shop = workshop({ sessions: [idle], config: quick });
  const ran = await shop.onTerminal(['sikp', 'skip waits for a carpenter'], 'run', '--until-done');
  expect(ran.screen).toContain('has not been completed in 1 sessions');
  expect(ran.screen).toContain('has no option sikp');
  expect(await gates(shop)).toMatchObject([{ answer: { option: 'skip', note: 'waits for a carpenter' } }]);
  expect(JSON.parse(shop.read('features.json')) as unknown).toMatchObject({
    features: [{ skipped: { reason: 'waits for a carpenter' } }, {}, {}],
  });
});
