// What the screens say at the end of the work: what can be done next, what is not known, what was caught and what was not.
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { expectExit, workshop } from './workshop.ts';

test('a project that is done says what can follow, its health, and that no cost was reported', async () => {
  const shop = workshop();
  const ran = await shop.harness('run', '--until-done');
  expectExit(ran, 0);
  expect(ran.stdout).toContain('Done: every item has landed');
  expect(ran.stdout).toContain('→ harness run --maintain');
  expect(ran.stdout).toContain('→ harness add "TITLE"');
  expect((await shop.harness('status')).stdout).toMatch(/^Health +GOOD \(1\.00\), measured in session 3$/m);
  const { health } = (await shop.harness('status', '--json')).json();
  expect(health).toEqual({ status: 'GOOD', overall: 1, session: 3 });
  const costs = (await shop.harness('costs')).stdout;
  expect(costs).toContain('The agents reported neither cost nor tokens.');
  expect(costs).toMatch(/^ +#1 +– +0 tokens +1 session$/m);
  expect((await shop.harness('runs')).stdout).toContain('3 sessions, 3 landed, 0 caught');
  expect((await shop.harness('report')).stdout).not.toContain('$0.00 (an estimate)');
  expect(JSON.parse(shop.read('.harness/sessions/1/session.json'))).toMatchObject({ role: 'coding' });
});

test('an agent that does not answer was not caught; a server says why it did not start', async () => {
  const shop = workshop({ sessions: [] });
  expectExit(await shop.harness('run'), 2);
  expect((await shop.harness('runs')).stdout).toContain('1 session, 0 landed, 0 caught');
  expect((await shop.harness('report')).stdout).toContain('Nothing was refused.');
  const taken = createServer();
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const ui = await shop.harness('ui', '--no-open', '--port', String(port));
  expectExit(ui, 5);
  expect(ui.stderr).toContain(`Port ${port} is in use by another program.`);
});
