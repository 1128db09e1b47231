// An agent that claims its item without having run its test: it is asked once to run it, and the harness's own checks decide afterwards.
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { expectExit, session, work, workshop, type Steps, type Workshop } from './workshop.ts';

/** The scripted agent as another maker's: one that is asked. */
const PROGRAM = resolve(import.meta.dirname, '../../dist/scripted.mjs');

function shopOf(...turns: readonly Steps[]): Workshop {
  const command = [process.execPath, PROGRAM, '--scenario', '../played.json', '--home', '/tmp/home-of-agent'];
  const shop = workshop({ agent: `{ provider: acp, command: ${JSON.stringify(command)} }` });
  shop.play([{ ...session(1), turns }], 'played.json');
  return shop;
}
const prompts = (shop: Workshop): string => shop.read(join('.harness/sessions/1/prompt-2.md'));
const TESTED: Steps = [{ run: 'sh run.sh tests/bench.test' }, { say: 'It passes.' }];

test('a claim without a test run goes back once, and what is run then counts', async () => {
  const shop = shopOf(work(1), TESTED);
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ landed: ['1'], items: [{ session: 1 }] });
  expect(prompts(shop)).toContain('no run of its test was seen in this session');
  expect(prompts(shop)).toContain('sh run.sh tests/bench.test');
  expect((await shop.harness('evidence', 'show', '1')).stdout).not.toContain('no test run of its own');
});

test('one that is not followed by a test run is checked all the same, and its evidence says so; one that tested is not asked', async () => {
  const silent = shopOf(work(1));
  expectExit(await silent.harness('run'), 0);
  expect((await silent.harness('evidence', 'show', '1')).stdout).toContain('no test run of its own was observed');
  const honest = shopOf([...work(1).slice(0, -1), ...TESTED, 'claim']);
  expectExit(await honest.harness('run'), 0);
  expect(() => prompts(honest)).toThrow();
});
