// Further stories of a mission: documentation, a smoke test, a limit, the user's own work tree.
import { expect, test } from 'vitest';
import {
  as,
  build,
  expectMissionDone,
  fileOf,
  honestMission,
  LIST,
  missionShop,
  testOf,
  wordOf,
  runMission,
} from './mission-project.ts';
import { type Session } from './workshop.ts';

const ID = 'F-001';
const ONE = [{ id: ID }];
const THREE = ['F-001', 'F-002', 'F-003'].map((id) => ({ id }));
/** These come before what every role honestly does. */
const with_ = (...sessions: readonly Session[]): readonly Session[] => [...sessions, ...honestMission(THREE)];

test('a documenter writes documentation into the same landing, and nothing else', async () => {
  const shop = missionShop({
    planned: ONE,
    config: 'mission: { documenter: true }\n',
    files: { 'README.md': '# Workshop\n' },
    sessions: with_(
      as('documenter', {}, [
        { append: { path: 'README.md', text: 'There is a thing.\n' } },
        { append: { path: fileOf(ID), text: 'EDITED-BY-THE-DOCUMENTER\n' } },
        { say: 'README.md' },
      ]),
    ),
  });
  await runMission(shop, 0);
  expect(shop.git('show', '--format=', '--name-only', 'HEAD').split('\n').toSorted()).toEqual(
    [LIST, 'README.md', fileOf(ID), testOf(ID)].toSorted(),
  );
  expect([shop.read('README.md'), shop.read(fileOf(ID))]).toEqual([
    '# Workshop\nThere is a thing.\n',
    `${wordOf(ID)}\n`,
  ]);
  await expectMissionDone(shop, [ID]);
});

test('work that fails the smoke test does not land', async () => {
  const shop = missionShop({
    planned: ONE,
    config: "mission: { smoke: 'test ! -e src/smoke || exit 3' }\n",
    sessions: with_(
      as('worker', { attempt: 1 }, [{ write: { path: 'src/smoke', text: 'smoke\n' } }, ...build(ID)]),
      as('worker', { attempt: '2+' }, [{ delete: 'src/smoke' }, { say: 'No smoke.' }]),
    ),
  });
  const json = await runMission(shop, 0);
  expect(json['items']).toMatchObject([{ result: 'partial', reason: 'review' }, { result: 'landed' }]);
  expect(shop.isThere('src/smoke')).toBe(false);
  await expectMissionDone(shop, [ID]);
});

test('after the allowed number of sessions the run ends with 6, and the next one continues', async () => {
  const shop = missionShop({
    planned: THREE,
    config: 'mission: { maxIterations: 2 }\n',
    sessions: honestMission(THREE),
  });
  expect(await runMission(shop, 6)).toMatchObject({ result: 'limit', landed: ['F-001', 'F-002'] });
  await runMission(shop, 0);
  await expectMissionDone(shop, ['F-001', 'F-002', 'F-003']);
});

test('in the user’s own work tree the same features land', async () => {
  const shop = missionShop({ planned: THREE, config: 'isolation: in-place\n', sessions: honestMission(THREE) });
  await runMission(shop, 0);
  await expectMissionDone(shop, ['F-001', 'F-002', 'F-003']);
});
