// A mission where something goes wrong: a plan that is rejected, assertions that are unclear, reviewers that judge badly, features that fail
// again and again.
import { describe, expect, test } from 'vitest';
import {
  answers,
  as,
  claimOf,
  CONTRACT,
  contractText,
  DRAFT,
  expectMissionDone,
  fileOf,
  honestMission,
  LIST,
  missionShop,
  passes,
  plan,
  verdictOf,
  wordOf,
  runMission,
} from './mission-project.ts';
import { IS_NIGHT } from '../support/effort.ts';
import { expectExit, type Session, type Steps } from './workshop.ts';

const ID = 'F-001';
const ONE = [{ id: ID }];
const THREE = ['F-001', 'F-002', 'F-003'].map((id) => ({ id }));
/** These come before what every role honestly does. */
const with_ = (...sessions: readonly Session[]): readonly Session[] => [...sessions, ...honestMission(THREE)];
const failing = (why: string, id = ID): string =>
  verdictOf([{ id: claimOf(id), verdict: 'fail', why, path: fileOf(id), quote: '' }]);

test('a rejected plan ends with 7 and says why; its draft stays, and the next run plans again with the reasons', async () => {
  const rejecting = [as('planner', {}, plan(ONE)), answers('plan-reviewer', {}, 'REJECT\n\nF-001 has no saw.\n')];
  const shop = missionShop({ sessions: rejecting });
  const before = shop.git('rev-parse', 'HEAD');
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 7);
  expect(shop.read('.harness/escalation.md')).toMatch(
    /^# The plan was rejected\n[^]*F-001 has no saw\.[^]*## What to do\n/,
  );
  expect([shop.isThere(DRAFT.list), shop.isThere(DRAFT.contract), shop.isThere(LIST)]).toEqual([true, true, false]);
  expect([shop.git('rev-parse', 'HEAD'), shop.git('status', '--porcelain')]).toEqual([before, '']);

  shop.play(honestMission(ONE));
  const again = await shop.harness('init', '--spec', 'SPEC.md');
  expectExit(again, 0);
  // The session before was not interrupted, and nothing of it is left to keep.
  expect(again.stderr).toContain(
    'The last plan was rejected: it is planned again with the reasons (.harness/plan/review.md).',
  );
  expect(again.stderr).not.toMatch(/interrupted|attempt/);
  await runMission(shop, 0);
  expect(shop.prompts('planner').at(-1)).toContain('F-001 has no saw.');
  await expectMissionDone(shop, [ID]);
});

test('a contract that a person edits and does not commit is named by status and at the start of a run, until it is committed', async () => {
  const shop = missionShop({ planned: ONE, sessions: honestMission(ONE) });
  const before = await shop.harness('status', '--json');
  expect(before.json()).not.toHaveProperty('uncommitted');
  const edited = shop.read(CONTRACT).replace(/: .*/, ': It says something else.');
  shop.write(CONTRACT, edited);
  expect((await shop.harness('status', '--json')).json()).toMatchObject({ uncommitted: [CONTRACT] });
  expect((await shop.harness('status')).stdout).toContain(
    `${CONTRACT}: not committed, and only what is committed counts`,
  );
  const said = `${CONTRACT} has changes that are not committed: what is committed counts`;
  const ran = await shop.harness('run', '--until-done');
  expectExit(ran, 0);
  expect(ran.stderr).toContain(said);
  expect(shop.prompts('worker').join('\n')).not.toContain('It says something else.');
  expect(shop.read(CONTRACT)).toBe(edited);
  shop.git('commit', '-q', '-m', 'contract', CONTRACT);
  const again = await shop.harness('run', '--until-done');
  expectExit(again, 0);
  expect(again.stderr).not.toContain(said);
  expect((await shop.harness('status', '--json')).json()).not.toHaveProperty('uncommitted');
});

test.runIf(IS_NIGHT)(
  'an empty plan, such as that of `harness init`, asks nothing, says what to write, and is planned once there is a specification',
  async () => {
    const config = 'checkpoints: { types: [{ name: plan, triggerOn: post-planner }] }\n';
    const shop = missionShop({ planned: [], config, sessions: honestMission(ONE) });
    const spec = shop.read('SPEC.md');
    shop.git('rm', '-q', 'SPEC.md');
    shop.git('commit', '-q', '-m', 'no specification yet');
    const idle = await shop.harness('run', '--until-done');
    expectExit(idle, 0);
    expect(idle.stdout).toContain('There is no plan yet. Describe in SPEC.md what to build');
    shop.write('SPEC.md', spec);
    shop.git('add', 'SPEC.md');
    shop.git('commit', '-q', '-m', 'specification');
    const planned = await shop.harness('run', '--until-done');
    expectExit(planned, 8);
    expect(planned.stdout).toContain('Features in the plan: 1.');
    expect(planned.stdout).toContain('The run waits at a gate:');
    expectExit(await shop.harness('answer', 'g-1', 'grant'), 0);
    await runMission(shop, 0);
    await expectMissionDone(shop, [ID]);
  },
);

test('what the reviewer of a plan and the orchestrator change is taken back, and is in no commit', async () => {
  const strays: Steps = [
    { write: { path: 'src/door', text: 'EDITED\n' } },
    { write: { path: 'src/new', text: 'new\n' } },
  ];
  const issues = [{ title: 'It has no handle', why: 'Heavy.', path: fileOf(ID), severity: 'high' }];
  const shop = missionShop({
    config: 'isolation: in-place\n',
    sessions: [
      as('plan-reviewer', {}, [...strays, { say: 'ACCEPT' }]),
      answers('validator', {}, verdictOf([passes(ID)], issues)),
      as('orchestrator', {}, [...strays, { say: 'DONE' }]),
      ...honestMission(ONE),
    ],
  });
  await runMission(shop, 0);
  expect(shop.git('log', '--format=', '--name-only', 'HEAD~2..', '--', 'src').split('\n')).toEqual([fileOf(ID)]);
  expect([shop.read('src/door'), shop.isThere('src/new')]).toEqual(['door\n', false]);
  await expectMissionDone(shop, [ID]);
});

test.runIf(IS_NIGHT)(
  'an assertion that can be read in two ways is made clear by an architect, and the worker builds what it then says',
  async () => {
    const clear = contractText(ONE).replace('names its thing.', 'names its thing, in lower case.');
    const shop = missionShop({
      planned: ONE,
      sessions: with_(
        answers(
          'validator',
          { attempt: 1 },
          verdictOf([{ id: claimOf(ID), verdict: 'unclear', why: 'upper or lower case', path: '', quote: '' }]),
        ),
        // An architect may change the text of an assertion; ids are claimed, and stay.
        as(
          'architect',
          {},
          [{ write: { path: '{{OUTPUT}}', text: clear.replace(claimOf(ID), 'VAL-BENCH-009') } }, { say: 'Renamed.' }],
          [
            { write: { path: '{{OUTPUT}}', text: clear } },
            { write: { path: 'src/door', text: 'an architect was here\n' } },
            { say: 'Lower case, as everywhere.' },
          ],
        ),
      ),
    });
    const json = await runMission(shop, 0);
    expect(json['items']).toMatchObject([{ problems: ['review-unclear'] }, { result: 'landed' }]);
    expect(shop.prompts('architect')).toHaveLength(1);
    expect(shop.prompts('architect')[0]).toContain('upper or lower case');
    expect(shop.prompts('worker').at(-1)).toContain('in lower case');
    expect(shop.subjects()).toEqual([
      `docs(mission): the contract of #${ID} is clarified`,
      `feat(bench): #${ID} The thing of ${ID} is there`,
    ]);
    expect([shop.read(CONTRACT), shop.read('src/door')]).toEqual([clear, 'door\n']);
    await expectMissionDone(shop, [ID]);
  },
);

test.runIf(IS_NIGHT)(
  'a worker that says what is unclear gets the answer in its next prompt: of an architect twice, then of a person',
  async () => {
    const asks = (n: number): Session =>
      as('worker', { item: ID, session: n }, [
        { append: { path: fileOf(ID), text: `begun in ${n}\n` } },
        { say: `I stopped.\nUNCLEAR: ${claimOf(ID)} QUESTION-${n}` },
      ]);
    const decides = (n: number): Session =>
      as('architect', { session: n }, [
        { write: { path: '{{OUTPUT}}', text: contractText(ONE).replace('its thing.', `its thing, as in ${n}.`) } },
        { say: `ANSWER-${n}` },
      ]);
    // An architect comes within the next session of the feature, with a number of its own.
    const sessions = with_(asks(1), decides(3), asks(2), decides(5), asks(4));
    const shop = missionShop({ planned: ONE, sessions });
    const json = await runMission(shop, 3);
    expect(json['items']).toMatchObject([
      { result: 'partial', reason: 'unclear', problems: ['review-unclear'] },
      { result: 'partial', reason: 'unclear' },
      { result: 'partial', reason: 'unclear' },
    ]);
    const { gates } = (await shop.harness('gates', '--json')).json();
    expect(gates).toMatchObject([
      { item: ID, subject: 'mission-unclear', question: expect.stringContaining('decided 2 times') },
    ]);
    expect(shop.read('.harness/escalation.md')).toContain('QUESTION-4');
    expect(shop.prompts('architect').map((text) => /QUESTION-\d/.exec(text)?.[0])).toEqual([
      'QUESTION-1',
      'QUESTION-2',
    ]);

    expectExit(await shop.harness('answer', 'g-1', 'decide', '-m', 'ANSWER-OF-ADA'), 0);
    await runMission(shop, 0);
    const given = shop.prompts('worker').map((text) => text.match(/ANSWER-[\w-]+/g) ?? []);
    expect(given).toEqual([[], ['ANSWER-3'], ['ANSWER-3', 'ANSWER-5'], ['ANSWER-3', 'ANSWER-5', 'ANSWER-OF-ADA']]);
    expect(shop.prompts('validator').at(-1)).toContain('ANSWER-OF-ADA');
    expect(shop.read(CONTRACT)).toContain('as in 5.');
    await expectMissionDone(shop, [ID]);
  },
);

test('after two failed sessions a debugger looks for the cause, once, and the next worker has its finding', async () => {
  const shop = missionShop({
    planned: ONE,
    sessions: with_(
      answers('validator', { attempt: ['1', '2'] }, failing('It wobbles.')),
      as('debugger', {}, [
        { write: { path: 'src/door', text: 'tried something\n' } },
        { say: '## Root cause\nTHE-LEG-IS-SHORT (src/f-001:1)' },
      ]),
    ),
  });
  await runMission(shop, 0);
  const workers = shop.prompts('worker');
  expect(workers.map((text) => text.includes('THE-LEG-IS-SHORT'))).toEqual([false, false, true]);
  expect(shop.prompts('debugger')).toHaveLength(1);
  expect(shop.prompts('debugger')[0]).toContain('It wobbles.');
  expect(shop.read('src/door')).toBe('door\n');
  await expectMissionDone(shop, [ID]);
});

describe('a validator', () => {
  test('that edits code has no verdict: the code is restored, and a worker gets another session', async () => {
    const shop = missionShop({
      planned: ONE,
      sessions: with_(
        as('validator', { attempt: 1 }, [
          { append: { path: fileOf(ID), text: 'EDITED-BY-THE-VALIDATOR\n' } },
          { write: { path: 'src/new', text: 'new\n' } },
          { say: verdictOf([passes(ID)]) },
        ]),
      ),
    });
    const json = await runMission(shop, 0);
    expect(json['items']).toMatchObject([{ problems: ['verdict-void'] }, { result: 'landed' }]);
    expect(shop.prompts('validator')).toHaveLength(3); // twice without a verdict, then one that counts
    expect([shop.read(fileOf(ID)), shop.isThere('src/new')]).toEqual([`${wordOf(ID)}\n`, false]);
    await expectMissionDone(shop, [ID]);
  });

  test.runIf(IS_NIGHT)('without quotes that can be found is asked again, and then passes nothing', async () => {
    const shop = missionShop({
      planned: ONE,
      sessions: with_({
        ...answers('validator', { attempt: 1 }, verdictOf([passes(ID, claimOf(ID), 'a line of another file')])),
        repeat_last: true,
      } as Session),
    });
    const json = await runMission(shop, 0);
    expect(json['items']).toMatchObject([{ problems: ['review-unquoted'] }, { result: 'landed' }]);
    await expectMissionDone(shop, [ID]);
  });

  test.runIf(IS_NIGHT)('that is confidently wrong is found out by the crosscheck', async () => {
    const shop = missionShop({
      planned: ONE,
      config: 'mission: { crosscheck: true }\n',
      sessions: with_(
        answers('crosscheck', { attempt: 1 }, failing('It has three legs.')),
        answers('crosscheck', { attempt: '2+' }, verdictOf([passes(ID)])),
      ),
    });
    const json = await runMission(shop, 0);
    expect(json['items']).toMatchObject([{ problems: ['review-finding'] }, { result: 'landed' }]);
    expect(shop.prompts('worker').at(-1)).toContain('It has three legs.');
    expect(shop.prompts('crosscheck')[0]).not.toContain('validator:');
    await expectMissionDone(shop, [ID]);
  });
});

test.runIf(IS_NIGHT)('a feature that failed three times waits for a user: exit 3, and the others land', async () => {
  const shop = missionShop({
    planned: [{ id: ID }, { id: 'F-002' }],
    sessions: with_(
      answers('validator', { item: ID }, failing('It wobbles.')),
      answers('debugger', {}, '## Root cause\nNot found.'),
    ),
  });
  const json = await runMission(shop, 3);
  expect(json).toMatchObject({ landed: ['F-002'] });
  expect(shop.statuses()).toEqual([
    [ID, 'pending'],
    ['F-002', 'passing'],
  ]);
  expect(shop.prompts('worker')).toHaveLength(4);
  const { gates } = (await shop.harness('gates', '--json')).json();
  expect(gates).toMatchObject([{ kind: 'escalation', item: ID }]);
});

test('three lanes build what does not depend on each other at the same time; what depends comes after', async () => {
  const planned = [...THREE, { id: 'F-004', dependsOn: ['F-001', 'F-002'] }, { id: 'F-005', dependsOn: ['F-004'] }];
  const shop = missionShop({ planned, config: 'lanes: 3\n', sessions: honestMission(planned) });
  const json = await runMission(shop, 0);
  const landed = json['landed'] as readonly string[];
  for (const { id, dependsOn = [] } of planned as readonly { id: string; dependsOn?: readonly string[] }[])
    for (const other of dependsOn) expect(landed.indexOf(other)).toBeLessThan(landed.indexOf(id));
  await expectMissionDone(
    shop,
    planned.map(({ id }) => id),
  );
});
