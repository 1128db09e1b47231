// Quota through the program: near the end of a window the session hands its work over; another agent continues, or the run
// waits for the window to reset; runs of the same user in other repositories share the figures.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventsOf, expectExit, session, work, workshop, type Session, type Workshop } from './workshop.ts';

const WINDOW = 'quota: { windows: [{ provider: scripted, hours: 5, tokens: 1000 }] }';
const used = (input: number): Session['turns'][number][number] => ({ usage: { input } });
const half = { write: { path: 'src/bench', text: 'half a bench\n' } };
const note = { append: { path: 'claude-progress.txt', text: 'HANDOVER: the bench lacks its legs\n' } };
/** It works, comes near the end of the window, hears that it must wrap up, and does. */
const near: Session = { when: { role: 'coding', item: 1 }, turns: [[half, used(960), 'hang'], [note]] };

const AGENTS =
  '{ provider: scripted, scenario: ../scenario.json }, fallback: [{ provider: scripted, scenario: ../other.json }]';
/** A fixture project whose agents have a substitute. */
function pair(first: readonly Session[], other: readonly Session[], config = ''): Workshop {
  const shop = workshop({ sessions: first, agent: AGENTS, config });
  shop.play(other, 'other.json');
  return shop;
}
const prompts = (shop: Workshop, session: number): string =>
  readFileSync(join(shop.root, '.harness', 'sessions', String(session), 'prompt-1.md'), 'utf8');

test('near the end of a window the agent hands over, no session begins, and the next run says until when', async () => {
  const shop = workshop({ sessions: [near, session(1, ...work(1))], config: WINDOW });
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ result: 'partial', reason: 'provider_limit', next: { prompt: 'continuation' } });
  expect([shop.subjects(), shop.workInProgress('1')]).toEqual([[], 'WIP: Provider limit - #1 A bench can be set up']);
  expect(JSON.parse(shop.read('.harness/session_state.json'))).toMatchObject({ status: 'partial', stuck_count: 0 });

  const status = await shop.harness('status', '--json');
  expect(status.json()).toMatchObject({ quota: [{ provider: 'scripted', window: '5h', used: 0.96 }] });
  expect((await shop.harness('status')).stdout).toMatch(/Quota +scripted: 96 % of 5h used; resets at /);

  const again = await shop.harness('run', '--json');
  expectExit(again, 10);
  expect(again.json()).toMatchObject({ result: 'paused', reason: 'agent-quota-near' });
  expect(shop.sessions().filter((name) => !name.endsWith('.json'))).toHaveLength(1);
});

test('another agent continues where the first had to stop, with the same orientation and what was done', async () => {
  const shop = pair([near], [{ when: { role: 'continuation', item: 1 }, turns: [work(1)] }], WINDOW);
  const ran = await shop.harness('run', '--until-done', '--max-items', '1', '--json');
  expectExit(ran, 6);
  expect(ran.json()).toMatchObject({ landed: ['1'] });
  expect(shop.subjects()).toEqual(['feat(bench): #1 A bench can be set up']);
  expect(eventsOf(shop, 'agent-stands-in')).toMatchObject([{ item: '1', data: { window: '5h', percent: 96 } }]);
  expect(eventsOf(shop, 'waiting')).toEqual([]);
  expect(prompts(shop, 2)).toContain('HANDOVER: the bench lacks its legs');
  const told = await pair([near], [], WINDOW).harness('run', '--until-done', '--max-sessions', '1');
  expect(told.stdout + told.stderr).toContain('the quota of its account is nearly used up: the agent has to wrap up');
});

test('a provider that refuses for hours delays nothing while another agent is free', async () => {
  const refusal = { fail: { kind: 'rate-limited', retry_after_seconds: 7_200 } };
  const shop = pair(
    [{ when: { item: 1 }, turns: [[half, refusal]] }],
    [{ when: { role: 'continuation', item: 1 }, turns: [work(1)] }],
  );
  const ran = await shop.harness('run', '--until-done', '--max-items', '1', '--json');
  expectExit(ran, 6);
  expect(ran.json()).toMatchObject({ landed: ['1'] });
  expect(eventsOf(shop, 'waiting')).toEqual([]);
  expect(eventsOf(shop, 'agent-stands-in')).toMatchObject([{ data: { window: 'refused', percent: 100 } }]);
});

test('a run in another repository of the same person begins nothing on an account that is nearly used up', async () => {
  const shop = workshop({ sessions: [near], config: WINDOW });
  expectExit(await shop.harness('run', '--json'), 0);
  const other = join(shop.around, 'other');
  shop.git('clone', '-q', shop.root, other);
  const ran = await shop.harness('run', '--repo', other, '--json');
  expectExit(ran, 10);
  expect(ran.json()).toMatchObject({ result: 'paused', reason: 'agent-quota-near' });
});

test('after a kill in the substitute’s session the same agent continues: none is chosen again in the middle', async () => {
  const shop = pair(
    [near],
    [
      {
        when: { role: 'continuation', item: 1 },
        turns: [[{ write: { path: '../begun', text: '' } }, 'hang'], work(1)],
      },
    ],
    WINDOW,
  );
  const first = shop.start('run', '--until-done', '--max-items', '1', '--json');
  await first.until(join(shop.around, 'begun'));
  first.signal('SIGKILL');
  await first.ended;
  shop.play([{ when: { role: 'continuation', item: 1 }, turns: [work(1)] }], 'other.json');
  const ran = await shop.harness('run', '--until-done', '--max-items', '1', '--json');
  expectExit(ran, 6);
  expect(shop.subjects()).toEqual(['feat(bench): #1 A bench can be set up']);
  expect(eventsOf(shop, 'agent-stands-in')).toHaveLength(1);
  expect(shop.processes()).toEqual([]);
});

test('an agent that cannot log in, or is not installed, is no substitute: the work is kept and the run keeps waiting', async () => {
  const locked = pair([near], [{ when: { item: 1 }, turns: [[{ fail: 'auth' }]] }], WINDOW);
  const ran = await locked.harness('run', '--until-done', '--max-sessions', '2', '--json');
  expectExit(ran, 6);
  expect(ran.json()).toMatchObject({
    items: [{ reason: 'provider_limit' }, { result: 'partial', reason: 'agent-auth' }],
  });

  const absent =
    '{ provider: scripted, scenario: ../scenario.json }, fallback: [{ provider: acp, command: [not-installed] }]';
  const alone = workshop({ sessions: [near], agent: absent, config: WINDOW });
  expectExit(await alone.harness('run', '--json'), 0);
  const next = await alone.harness('run', '--json');
  expectExit(next, 10);
  expect(next.json()).toMatchObject({ reason: 'agent-quota-near' });
  expect((await alone.harness('doctor')).stdout).toContain('not-installed');
});
