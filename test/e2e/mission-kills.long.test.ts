// A mission whose program is killed while a role is at work, or whose orchestrator is not available: the next run continues, and everything
// happens once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  answers,
  as,
  build,
  claimOf,
  contractText,
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

/** In the order in which they come. */
const IN_TURN = [
  'planner',
  'plan-reviewer',
  'worker',
  'judge',
  'validator',
  'architect',
  'debugger',
  'crosscheck',
  'documenter',
  'orchestrator',
  'curator',
] as const;
type Role = (typeof IN_TURN)[number];

test('killed once while each of its roles is at work, a mission comes to its end, and everything happened once', async () => {
  const at = (role: Role): Steps => [
    { write: { path: `../at-${role}`, text: '' } },
    { wait_for_file: `../go-${role}` },
  ];
  const says = (role: Role, about: Parameters<typeof as>[1], say: string): Session =>
    as(role, about, [...at(role), { say }]);
  const scores = { size: 5, clarity: 5, tests: 5, scope: 5 };
  const unclear = { id: claimOf(ID), verdict: 'unclear', why: 'upper or lower case', path: '', quote: '' };
  const issue = { title: 'It has no handle', why: 'Heavy.', path: fileOf(ID), severity: 'high' };
  const fix = 'a handle of oak';
  const sessions: readonly Session[] = [
    as('planner', {}, [...at('planner'), ...plan(ONE)]),
    says('plan-reviewer', {}, 'ACCEPT'),
    as('worker', { item: ID }, [...at('worker'), ...build(ID)]),
    says('judge', {}, JSON.stringify({ candidates: [1, 2].map((number) => ({ number, scores, why: 'Plain.' })) })),
    says('validator', { item: ID, attempt: 1 }, verdictOf([unclear])),
    as('architect', {}, [
      ...at('architect'),
      { write: { path: '{{OUTPUT}}', text: contractText(ONE).replace('its thing.', 'its thing, in lower case.') } },
      { say: 'Lower case.' },
    ]),
    says('debugger', {}, '## Root cause\nIt was not said which case.'),
    says('validator', { item: ID }, verdictOf([passes(ID)], [issue])),
    says('crosscheck', { item: ID }, verdictOf([passes(ID)])),
    says('documenter', {}, 'Nothing to document.'),
    says('orchestrator', {}, 'CONVERTED\nFIX 1: The thing can be carried'),
    as('worker', { item: 'F-FIX-001' }, [
      { append: { path: fileOf(ID), text: `${fix}\n` } },
      { append: { path: testOf(ID), text: `it can be carried|grep -q handle ${fileOf(ID)}\n` } },
    ]),
    answers('validator', { item: 'F-FIX-001' }, verdictOf([passes(ID, 'VAL-FIX-001', fix)])),
    answers('crosscheck', { item: 'F-FIX-001' }, verdictOf([passes(ID, 'VAL-FIX-001', fix)])),
    as('curator', {}, [
      ...at('curator'),
      { write: { path: '{{OUTPUT}}', text: '## Summary\nA bench.\n\n## Memory\nOf wood.\n\n## Promote\n' } },
      { say: 'Written.' },
    ]),
  ];
  const config = 'mission: { crosscheck: true, documenter: true, competitors: 2, debugAfter: 1 }\n';
  const shop = missionShop({ config, sessions });
  for (const role of IN_TURN) {
    const run = shop.start('run', '--until-done', '--json');
    await run.until(join(shop.around, `at-${role}`));
    run.signal('SIGKILL');
    await run.ended;
    writeFileSync(join(shop.around, `go-${role}`), '');
  }
  expectExit(await shop.harness('run', '--until-done', '--json'), 0);
  const once = ['chore(mission): plan', `docs(mission): the contract of #${ID} is clarified`];
  for (const subject of [...once, `chore(mission): 1 fix found with #${ID}`])
    expect(shop.subjects().filter((one) => one === subject)).toHaveLength(1);
  expect([shop.list().features.length, shop.prompts('debugger').length]).toEqual([2, 1]);
  expect(shop.read('.harness/memory/summary.md')).toContain('A bench.');
  await expectMissionDone(shop, [ID, 'F-FIX-001']);
});
