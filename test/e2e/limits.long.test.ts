// Limits: a session that takes too long, says nothing, or says too much is ended by the harness, and what becomes of it.
import { describe, expect, test } from 'vitest';
import { expectExit, session, work, workshop, type Workshop } from './workshop.ts';

const half = session(1, { write: { path: 'src/bench', text: 'half a bench\n' } }, 'hang');

const state = (shop: Workshop): unknown => JSON.parse(shop.read('.harness/session_state.json'));

async function expectContinued(shop: Workshop): Promise<void> {
  const wip = 'refs/harness/wip/1';
  expect(shop.trailers(wip)).toMatchObject({ 'Harness-Item': '1' });
  expect(shop.git('show', `${wip}:src/bench`)).toBe('half a bench');
  expect(shop.git('log', '-1', '--format=%s', wip)).toMatch(/^WIP: .*timeout - #1 A bench can be set up$/i);
  expect([shop.git('status', '--porcelain'), shop.subjects()]).toEqual(['', []]);
  expect(state(shop)).toMatchObject({ status: 'partial', termination_reason: 'timeout', next_prompt: 'continuation' });
  // The next session continues from there, and the log entry of this one lands with it.
  shop.play([{ when: { role: 'continuation', item: 1 }, turns: [work(1)] }]);
  const next = await shop.harness('run', '--json');
  expectExit(next, 0);
  expect(next.json()).toMatchObject({ result: 'landed', landed: ['1'], next: { prompt: 'coding' } });
  expect(shop.subjects()).toEqual(['feat(bench): #1 A bench can be set up']);
  expect(shop.git('show', 'HEAD:claude-progress.txt')).toContain('SESSION TERMINATED: timeout in the middle of #1');
  expect([shop.git('for-each-ref', wip), shop.git('show', 'HEAD:src/bench')]).toEqual([
    '',
    expect.stringContaining('bench'),
  ]);
  expect(shop.processes()).toEqual([]);
}

describe('a session that does not end', () => {
  test('is cut at its time: its work is saved, and the next session completes it', async () => {
    const shop = workshop({ sessions: [half], config: 'session: { timeout_minutes: 0.02 }' });
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({
      result: 'partial',
      reason: 'timeout',
      landed: [],
      next: { item: '1', prompt: 'continuation' },
    });
    await expectContinued(shop);
  });

  test('is cut where it says nothing for too long, though it is deaf', async () => {
    const deaf = session(1, { write: { path: 'src/bench', text: 'half a bench\n' } }, { hang: { deaf: true } });
    const shop = workshop({ sessions: [deaf], config: 'session: { idle_seconds: 1 }' });
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ result: 'partial', reason: 'timeout' });
    expect(shop.processes()).toEqual([]);
    await expectContinued(shop);
  });
});

test('a session that floods is ended and rolled back', async () => {
  const shop = workshop({
    sessions: [session(1, { write: { path: 'src/bench', text: 'bench\n' } }, { flood: 2_000_000 })],
    config: 'session: { max_output_bytes: 100000 }',
  });
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 9);
  expect(ran.json()).toMatchObject({ result: 'failed', reason: 'output-limit', landed: [] });
  expect(shop.git('ls-files', 'src')).toBe('src/door');
  expect([shop.git('status', '--porcelain'), shop.processes()]).toEqual(['', []]);
});

test('three sessions that end without a claim become a question, and the run reports what landed before', async () => {
  const shop = workshop({ sessions: [session(1, ...work(1)), session(2, { say: 'I only looked.' })] });
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 3);
  expect(ran.json()).toMatchObject({
    result: 'gate',
    landed: ['1'],
    items: [{ id: '1' }, { id: '2', result: 'partial' }, { id: '2' }, { id: '2' }],
    gates: ['g-1'],
  });
});

test('an agent that is not logged in stops the run, and is no failure of the feature however often it is tried', async () => {
  const shop = workshop({ sessions: [session(1, { fail: 'auth' })] });
  for (let n = 0; n < 3; n += 1) {
    const ran = await shop.harness('run', '--until-done', '--json');
    expectExit(ran, 4);
    expect(ran.json()).toMatchObject({ result: 'blocked', reason: 'agent-auth', gates: [] });
  }
  shop.play([session(1, ...work(1))]);
  expect((await shop.harness('run', '--json')).json()).toMatchObject({ result: 'landed', landed: ['1'] });
});
