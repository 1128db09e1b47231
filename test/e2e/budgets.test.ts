// Budgets in tokens and minutes, through the program: a session that uses one up ends at a question, with its work kept, and as much again is
// allowed in the same unit.
import { expect, test } from 'vitest';
import { eventsOf, expectExit, session, work, workshop } from './workshop.ts';

const HALF = { write: { path: 'src/bench', text: 'half a bench\n' } };

test('tokens that are used up in the middle of a session are asked about, and raised by as many', async () => {
  const shop = workshop({
    sessions: [session(1, HALF, { usage: { input: 700, output: 400 } }, 'hang')],
    config: 'limits: { per_feature_tokens: 1000 }',
  });
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 3);
  expect(shop.workInProgress('1')).toBe('WIP: Budget - #1 A bench can be set up');
  const question = await shop.harness('gates', '--json');
  expect(question.stdout).toContain('1,100 tokens are used, the limit is 1,000');
  expectExit(await shop.harness('answer', 'g-1', 'increase'), 0);
  shop.play([{ when: { role: 'continuation', item: 1 }, turns: [work(1)] }]);
  expect((await shop.harness('run', '--until-done', '--max-items', '1', '--json')).json()).toMatchObject({
    landed: ['1'],
  });
  expect(shop.read('.harness/costs.yaml')).toMatch(/raised:[\s\S]*scope: feature[\s\S]*tokens: 1100/);
});

test('minutes act with an agent that reports nothing', async () => {
  const shop = workshop({
    sessions: [session(1, HALF, 'hang')],
    config: 'limits: { per_feature_minutes: 0.05 }',
  });
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 3);
  // On a machine that is busy the limit itself may come before the wrap-up.
  expect(eventsOf(shop, 'session-limit').map(({ data }) => data?.['limit'])).toContainEqual(
    expect.stringMatching(/^budget-(?:wrap-up|limit)$/),
  );
  expect((await shop.harness('gates', '--json')).stdout).toMatch(
    /Agents have worked for [\d.]+ (?:sec|ms), the limit is 3 sec/,
  );
  expect(shop.workInProgress('1')).toBe('WIP: Budget - #1 A bench can be set up');
});
