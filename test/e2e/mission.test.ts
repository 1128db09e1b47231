// A mission from its specification to its end: a plan that is sent back, a checkpoint, a validator that finds what the tests do not, an issue
// that becomes a feature.
import { expect, test } from 'vitest';
import {
  answers,
  as,
  build,
  claimOf,
  CONTRACT,
  contractText,
  DRAFT,
  expectMissionDone,
  fileOf,
  LIST,
  missionShop,
  passes,
  plan,
  testOf,
  verdictOf,
} from './mission-project.ts';
import { expectExit } from './workshop.ts';

const ID = 'F-001';
const FEATURES = [{ id: ID }];
const CHECKPOINT = 'checkpoints: { types: [{ name: plan, triggerOn: post-planner }] }\n';

test('from a specification to its end: a plan that is sent back, a checkpoint, a refused feature, an issue that becomes one', async () => {
  const shop = missionShop({
    config: CHECKPOINT,
    sessions: [
      as('planner', {}, plan(FEATURES, '# Validation contract\n\n- VAL-OTHER-001: Something else.\n'), [
        { write: { path: DRAFT.contract, text: contractText(FEATURES) } },
        { say: 'The contract fits now.' },
      ]),
      answers('plan-reviewer', {}, 'ACCEPT-WITH-NOTES\n\nF-001: say which wood.\n'),
      as('worker', { item: ID, attempt: 1 }, build(ID)),
      answers(
        'validator',
        { item: ID, attempt: 1 },
        verdictOf([{ id: claimOf(ID), verdict: 'fail', why: 'It has no colour.', path: fileOf(ID), quote: '' }]),
      ),
      as('worker', { item: ID, attempt: '2+' }, [
        { append: { path: fileOf(ID), text: 'red\n' } },
        { append: { path: testOf(ID), text: `${ID} is red|grep -q red ${fileOf(ID)}\n` } },
        { say: 'It is red now.\nNOTE: paint comes last' },
      ]),
      answers(
        'validator',
        { item: ID, attempt: '2+' },
        verdictOf(
          [passes(ID)],
          [{ title: 'It has no handle', why: 'It cannot be carried.', path: fileOf(ID), severity: 'high' }],
        ),
      ),
      answers('orchestrator', { item: ID }, 'CONVERTED\nFIX 1: The thing can be carried\n'),
      as('worker', { item: 'F-FIX-001' }, [
        { append: { path: fileOf(ID), text: 'a handle of oak\n' } },
        { append: { path: testOf(ID), text: `it can be carried|grep -q handle ${fileOf(ID)}\n` } },
        { say: 'It has a handle.' },
      ]),
      // The quote is not there at first: it is asked again, not the worker.
      answers(
        'validator',
        { item: 'F-FIX-001' },
        verdictOf([passes(ID, 'VAL-FIX-001', 'a handle of ash')]),
        verdictOf([passes(ID, 'VAL-FIX-001', 'a handle of oak')]),
      ),
      as('curator', {}, [
        { write: { path: '{{OUTPUT}}', text: '## Summary\nPaint comes last.\n\n## Memory\nOf wood.\n\n## Promote\n' } },
        { say: 'Written.' },
      ]),
    ],
  });
  const planned = await shop.harness('run', '--until-done', '--json');
  expectExit(planned, 8);
  expect(planned.json()).toMatchObject({ result: 'gate', gates: ['g-1'], next: { item: ID } });
  // The mistake went back to the planner, in the same session.
  expect(shop.read('.harness/sessions/0/prompt-2.md')).toContain(claimOf(ID));
  expect(shop.subjects()).toEqual(['chore(mission): plan']);
  expect(shop.git('show', '--format=%b', '--name-only', 'HEAD')).toContain('F-001: say which wood.');
  expect(shop.isThere(DRAFT.list)).toBe(false);

  expectExit(await shop.harness('answer', 'g-1', 'grant'), 0);
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ result: 'done', landed: [ID, 'F-FIX-001'] });
  await expectMissionDone(shop, [ID, 'F-FIX-001']);
  expect(shop.subjects()).toEqual([
    'chore(mission): plan',
    'chore(mission): checkpoint plan is granted',
    `feat(bench): #${ID} The thing of ${ID} is there`,
    `chore(mission): 1 fix found with #${ID}`,
    'feat(fix): #F-FIX-001 The thing can be carried',
  ]);
  expect(shop.list().features).toMatchObject([
    { id: ID, attempts: 2 },
    { id: 'F-FIX-001', claims: ['VAL-FIX-001'], attempts: 1, depends_on: [ID], fixes: ID },
  ]);
  expect(shop.read(CONTRACT)).toContain('- VAL-FIX-001: The thing can be carried.');
  expect(shop.git('show', 'HEAD:.harness/validation-contract.md')).toBe(shop.read(CONTRACT).trimEnd());

  // What each was given: the reasons of the validator, and the work that it continues; never another role's reasons.
  const [, second = ''] = shop.prompts('worker');
  for (const part of ['It has no colour.', 'the last session ended: review', `- \`${fileOf(ID)}\``])
    expect(second).toContain(part);
  expect(second).not.toContain(`\`${CONTRACT}\``);
  for (const prompt of shop.prompts('validator')) expect(prompt).not.toContain('REASON-OF-THE-WORKER');

  const raw = shop.read('.harness/memory/raw.md');
  for (const part of ['review: The thing of F-001 is there (attempt 1)', 'NOTE: paint comes last'])
    expect(raw).toContain(part);
  expect(shop.read('.harness/memory/summary.md')).toContain('Paint comes last.');
  expect(shop.git('ls-files', '.harness')).toBe(`${LIST}\n${CONTRACT}`);
});
