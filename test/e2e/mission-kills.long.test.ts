// A mission whose program is killed while a role is at work, or whose orchestrator is not available: the next run continues, and everything
// happens once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  answers,
  as,
  expectMissionDone,
  fileOf,
  honestMission,
  missionShop,
  passes,
  plan,
  testOf,
  verdictOf,
  type MissionShop,
} from './mission-project.ts';
import { expectExit, type Session, type Steps } from './workshop.ts';

const ID = 'F-001';
const ONE = [{ id: ID }];
const with_ = (...sessions: readonly Session[]): readonly Session[] => [...sessions, ...honestMission(ONE)];

/** The agent says that it is there, and waits. */
const waiting: Steps = [{ write: { path: '../here', text: '' } }, { wait_for_file: '../go' }];
async function killedAt(shop: MissionShop, honest: readonly Session[]): Promise<void> {
  const first = shop.start('run', '--until-done', '--json');
  await first.until(join(shop.around, 'here'));
  first.signal('SIGKILL');
  await first.ended;
  writeFileSync(join(shop.around, 'go'), '');
  shop.play(honest);
  expectExit(await shop.harness('run', '--until-done', '--json'), 0);
}

test('while the planner works, the next run plans to the end, once', async () => {
  const shop = missionShop({ sessions: [as('planner', {}, [...waiting, ...plan(ONE)])] });
  await killedAt(shop, honestMission(ONE));
  expect(shop.subjects().filter((subject) => subject === 'chore(mission): plan')).toHaveLength(1);
  await expectMissionDone(shop, [ID]);
});

test('while a validator judges, the work is judged again and lands once', async () => {
  const judging = as('validator', { item: ID }, [...waiting, { say: verdictOf([passes(ID)]) }]);
  const shop = missionShop({ planned: ONE, sessions: with_(judging) });
  await killedAt(shop, with_(judging));
  expect(shop.prompts('worker')).toHaveLength(1);
  await expectMissionDone(shop, [ID]);
});

test('between the landing and what becomes of its issues, they still become features, once', async () => {
  const issues = [{ title: 'It has no handle', why: 'Heavy.', path: fileOf(ID), severity: 'high' }];
  const more = (orchestrating: Steps): readonly Session[] =>
    with_(
      answers('validator', { item: ID }, verdictOf([passes(ID)], issues)),
      as('orchestrator', {}, orchestrating),
      as('worker', { item: 'F-FIX-001' }, [
        { append: { path: fileOf(ID), text: 'a handle of oak\n' } },
        { append: { path: testOf(ID), text: `it can be carried|grep -q handle ${fileOf(ID)}\n` } },
      ]),
      answers('validator', { item: 'F-FIX-001' }, verdictOf([passes(ID, 'VAL-FIX-001', 'a handle of oak')])),
    );
  const converted: Steps = [{ say: 'CONVERTED\nFIX 1: The thing can be carried' }];
  const shop = missionShop({ planned: ONE, sessions: more([...waiting, ...converted]) });
  await killedAt(shop, more([...waiting, ...converted]));
  expect(shop.subjects().filter((subject) => subject.startsWith('chore(mission): 1 fix'))).toHaveLength(1);
  await expectMissionDone(shop, [ID, 'F-FIX-001']);
});

test('issues whose orchestrator was not available become features in the next run', async () => {
  const issues = [{ title: 'It has no handle', why: 'Heavy.', path: fileOf(ID), severity: 'high' }];
  const found = answers('validator', { item: ID }, verdictOf([passes(ID)], issues));
  const shop = missionShop({ planned: ONE, sessions: with_(found, as('orchestrator', {}, [{ fail: 'auth' }])) });
  const first = await shop.harness('run', '--until-done', '--json');
  expectExit(first, 5);
  expect(first.json()).toMatchObject({ landed: [ID], reason: 'mission-issues-undecided' });
  expect(shop.isThere(`.harness/issues/${ID}.json`)).toBe(true);

  shop.play(
    with_(
      as('orchestrator', {}, [{ say: 'CONVERTED\nFIX 1: The thing can be carried' }]),
      as('worker', { item: 'F-FIX-001' }, [
        { append: { path: fileOf(ID), text: 'a handle of oak\n' } },
        { append: { path: testOf(ID), text: `it can be carried|grep -q handle ${fileOf(ID)}\n` } },
      ]),
      answers('validator', { item: 'F-FIX-001' }, verdictOf([passes(ID, 'VAL-FIX-001', 'a handle of oak')])),
    ),
  );
  const second = await shop.harness('run', '--until-done', '--json');
  expectExit(second, 0);
  expect(second.json()).toMatchObject({ landed: ['F-FIX-001'] });
  expect(shop.isThere(`.harness/issues/${ID}.json`)).toBe(false);
  await expectMissionDone(shop, [ID, 'F-FIX-001']);
});
