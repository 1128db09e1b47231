// Endurance through the program: what becomes of a session that fills its context, gets nowhere, costs too much, or whose
// provider cannot be reached for a while.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventsOf, expectExit, session, work, workshop, type Session, type Workshop } from './workshop.ts';

const limits = (shop: Workshop): readonly unknown[] =>
  eventsOf(shop, 'session-limit').map(({ data }) => `${String(data?.['limit'])} ${String(data?.['did'])}`);
const state = (shop: Workshop): unknown => JSON.parse(shop.read('.harness/session_state.json'));
const fill = (used: number): Session['turns'][number][number] => ({ usage: { input: used } });

describe('a context that fills', () => {
  const half = { write: { path: 'src/bench', text: 'half a bench\n' } };

  test('ends the session with a handover: the agent is notified, writes its note, and the next session continues', async () => {
    const shop = workshop({
      sessions: [
        {
          when: { role: 'coding', item: 1 },
          turns: [
            [half, fill(160_000), fill(185_000), 'hang'],
            // It cannot be notified in the middle of a turn: it was cut, and this is what it does when it is asked to wrap up.
            [{ append: { path: 'claude-progress.txt', text: 'HANDOVER: the bench lacks its legs\n' } }],
          ],
        },
        { when: { role: 'continuation', item: 1 }, turns: [work(1)] },
      ],
    });
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ result: 'partial', reason: 'context_limit', next: { prompt: 'continuation' } });
    expect(limits(shop)).toEqual(['context-warning told', 'context-wrap-up wrap-up']);
    expect([shop.subjects(), shop.workInProgress('1')]).toEqual([[], 'WIP: Context limit - #1 A bench can be set up']);
    expect(shop.read('claude-progress.txt')).not.toContain('HANDOVER');
    expect(state(shop)).toMatchObject({ status: 'partial', termination_reason: 'context_limit' });
    expectExit(await shop.harness('run', '--json'), 0);
    expect(shop.subjects()).toEqual(['feat(bench): #1 A bench can be set up']);
    expect(shop.read('claude-progress.txt')).toContain('Noted by the agent: HANDOVER: the bench lacks its legs');
  });

  test('and an agent that does not stop is stopped: its work is kept all the same', async () => {
    const shop = workshop({
      sessions: [
        {
          when: { role: 'coding', item: 1 },
          turns: [
            [half, fill(185_000), 'hang'],
            [fill(200_001), 'hang'],
          ],
        },
      ],
    });
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ result: 'partial', reason: 'context_limit' });
    expect(limits(shop).at(-1)).toBe('context-limit ended');
    expect(shop.git('show', 'refs/harness/wip/1:src/bench')).toBe('half a bench');
    expect(shop.read('.git/harness/pending-log/1.json')).toContain('context_limit in the middle of #1');
    expect(shop.processes()).toEqual([]);
  });

  test('of an agent that reports nothing is measured by what it says', async () => {
    const shop = workshop({
      sessions: [{ when: { item: 1 }, turns: [[half, { flood: 9_000 }, 'hang'], [{ say: 'Stopped.' }]] }],
      config: 'context: { window_tokens: 2000 }',
    });
    expect((await shop.harness('run', '--json')).json()).toMatchObject({ result: 'partial', reason: 'context_limit' });
    expect(eventsOf(shop, 'session-limit').at(-1)?.data).toMatchObject({ source: 'estimated', window: 2000 });
  });
});

describe('an agent that gets nowhere', () => {
  const reading = [10, 20, 30].flatMap((k) => [{ say: 'Let me look once more.' }, fill(k * 1_000)]);
  const config = 'progress: { check_interval_tokens: 8000, stuck_warning: "Look up from your desk." }';

  test('is notified, then ended; after three such sessions a person is asked, with all options', async () => {
    const shop = workshop({
      sessions: [{ when: { item: 1 }, turns: [[fill(1_000), ...reading, 'hang'], [{ say: 'I do not know.' }]] }],
      config,
    });
    const ran = await shop.harness('run', '--until-done', '--json');
    expectExit(ran, 3);
    expect(ran.json()).toMatchObject({
      result: 'gate',
      items: [1, 2, 3].map(() => ({ id: '1', result: 'partial', reason: 'stuck' })),
    });
    expect(limits(shop).slice(0, 2)).toEqual(['stuck told', 'stuck-wrap-up wrap-up']);
    expect(state(shop)).toMatchObject({ stuck_count: 3, termination_reason: 'stuck' });
    const shown = await shop.harness('gates', '--json');
    expect(shown.json()).toMatchObject({
      gates: [{ options: ['split', 'manual', 'retry', 'skip', 'abort'].map((id) => ({ id })) }],
    });
  });

  test('in a circle of one error is notified', async () => {
    const failing = Array.from({ length: 6 }, (_, n) => ({ run: `echo "Error: no saw in drawer ${n}" >&2; exit 1` }));
    const shop = workshop({ sessions: [session(1, ...failing, ...work(1))] });
    expectExit(await shop.harness('run', '--json'), 0);
    expect(limits(shop)).toEqual(['same-error told']);
  });
});

describe('money', () => {
  const costly = session(
    1,
    { write: { path: 'src/bench', text: 'gold\n' } },
    { usage: { input: 10, cost_usd: 6 } },
    'hang',
  );
  const config = 'costs: { per_session_usd: 5 }';

  test('that is used up in the middle of a session ends it at a question; more is spent only when a person allows it', async () => {
    const shop = workshop({ sessions: [costly], config });
    const ran = await shop.harness('run', '--until-done', '--json');
    expectExit(ran, 3);
    expect(ran.json()).toMatchObject({ result: 'gate' });
    expect((await shop.harness('status', '--json')).json()).toMatchObject({ cost: { usd: 6 } });
    expect([shop.subjects(), shop.workInProgress('1')]).toEqual([[], 'WIP: Budget - #1 A bench can be set up']);
    expect(shop.sessions().filter((name) => !name.endsWith('.json'))).toHaveLength(1);
    // It asks and spends nothing, however often it is started.
    expectExit(await shop.harness('run', '--until-done', '--json'), 3);
    expect(shop.sessions().filter((name) => !name.endsWith('.json'))).toHaveLength(1);

    expectExit(await shop.harness('answer', 'g-1', 'increase'), 0);
    shop.play([
      { when: { role: 'continuation', item: 1 }, turns: [[{ usage: { input: 10, cost_usd: 5.5 } }, ...work(1)]] },
    ]);
    const next = await shop.harness('run', '--until-done', '--max-items', '1', '--json');
    expect(next.json()).toMatchObject({ landed: ['1'] });
    expect(shop.read('.harness/costs.yaml')).toMatch(/raised:[\s\S]*scope: session/);
  });

  test('answered with "pause" waits; the project’s budget is asked about before a session is begun', async () => {
    const shop = workshop({ sessions: [costly], config: 'costs: { total_project_usd: 5 }' });
    expectExit(await shop.harness('run', '--json'), 3);
    expectExit(await shop.harness('answer', 'g-1', 'pause'), 0);
    const paused = await shop.harness('run', '--json');
    expectExit(paused, 10);
    expect(paused.json()).toMatchObject({ result: 'paused', reason: 'budget-exhausted' });
    const again = await shop.harness('run', '--json');
    expectExit(again, 3);
    expect(again.json()).toMatchObject({ result: 'gate', gates: ['g-2'] });
    expect(shop.sessions().filter((name) => !name.endsWith('.json'))).toHaveLength(1);
  });

  test('of unknown price is reported as unknown: a budget that cannot act is no budget', async () => {
    const shop = workshop({ sessions: [session(1, { usage: { input: 10 } }, ...work(1))], config });
    const blind = await shop.harness('run');
    expectExit(blind, 0);
    expect(blind.stderr).not.toContain('the cost of this agent is unknown'); // this agent says what it costs: nothing
  });
});

describe('a provider that cannot be reached', () => {
  const limited = (seconds: number) => ({ fail: { kind: 'rate-limited', retry_after_seconds: seconds } });

  test('for a moment is waited for, and the agent continues in its session', async () => {
    const shop = workshop({
      sessions: [{ when: { item: 1 }, turns: [[{ write: { path: 'src/bench', text: 'be' } }, limited(1)], work(1)] }],
    });
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ result: 'landed' });
    expect(eventsOf(shop, 'waiting')).toMatchObject([{ data: { why: 'agent-rate-limited', attempt: 1, of: 8 } }]);
    expect(existsSync(join(shop.privateDir, 'waits'))).toBe(false);
  });

  test('is waited for to the same moment by the run after a kill, and status says when', async () => {
    const shop = workshop({
      sessions: [{ when: { item: 1 }, turns: [[{ write: { path: '../asked', text: '' } }, limited(6)], work(1)] }],
    });
    const first = shop.start('run', '--json');
    await first.until(join(shop.around, 'asked'));
    await first.until(join(shop.privateDir, 'waits'));
    const waits = (): readonly string[] => readdirSync(join(shop.privateDir, 'waits'));
    const until = (): unknown =>
      (JSON.parse(readFileSync(join(shop.privateDir, 'waits', waits()[0] ?? ''), 'utf8')) as { until: string }).until;
    await expect.poll(waits).toEqual([expect.stringMatching(/\.json$/)]);
    const before = until();
    const status = await shop.harness('status', '--json');
    expect(status.json()).toMatchObject({ waiting: [{ why: 'agent-rate-limited', until: before, attempt: 1, of: 8 }] });
    expect((await shop.harness('status')).stdout).toContain(`next try at ${String(before)}`);
    first.signal('SIGKILL');
    await first.ended;
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ result: 'landed' });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(String(before)));
    expect(eventsOf(shop, 'waiting')).toHaveLength(1);
    expect(shop.subjects()).toEqual(['feat(bench): #1 A bench can be set up']);
  });

  test('for longer than a session waits ends it with its work kept, and is no failure of the item', async () => {
    const shop = workshop({ sessions: [session(1, { write: { path: 'src/bench', text: 'be\n' } }, limited(7_200))] });
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 10);
    expect(ran.json()).toMatchObject({ result: 'paused', reason: 'agent-rate-limited' });
    expect([shop.subjects(), shop.workInProgress('1')]).toEqual([[], 'WIP: Error - #1 A bench can be set up']);
    expect(state(shop)).toMatchObject({ status: 'partial', stuck_count: 0 });
    shop.play([{ when: { role: 'continuation', item: 1 }, turns: [work(1)] }]);
    expect((await shop.harness('run', '--json')).json()).toMatchObject({ result: 'landed' });
  });
});
