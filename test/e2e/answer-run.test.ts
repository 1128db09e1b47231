// `answer --run`: a decision, and the work that it lets continue, in one command.
import { expect, test } from 'vitest';
import { CART_STEPS, FEATURES, makeRepo, type Repo } from '../support/repo.ts';

/** #2 is done and waits for a person's own look. */
async function asking(): Promise<Repo> {
  const work = [...CART_STEPS, { claim: 2 }, { say: 'done' }];
  const repo = makeRepo({
    '.scenario.yaml': JSON.stringify({
      schema: 1,
      sessions: [
        { when: { item: 2 }, turns: [work] },
        { when: {}, repeat_last: true, turns: [[{ say: 'nothing to do' }]] },
      ],
    }),
    'features.json': FEATURES.replace('"id": 2,', '"id": 2, "verification_type": "manual", "manual_checks": ["look"],'),
  });
  expect((await repo.harness('run', '--json')).code).toBe(8);
  return repo;
}

test('the answered work lands by the same command, with the answer beside the result of the run', async () => {
  const repo = await asking();
  const ran = await repo.harness('answer', 'g-1', 'verified', '--run', '--json');
  expect([ran.code, ran.json()]).toMatchObject([
    0,
    { schema: 'harness.answer/1', result: 'landed', landed: ['2'], answered: { gate: 'g-1', option: 'verified' } },
  ]);
});

test('an answer that does not fit runs nothing', async () => {
  const repo = await asking();
  const refused = await repo.harness('answer', 'g-1', 'perhaps', '--run', '--json');
  expect([refused.code, refused.json()]).toMatchObject([2, { error: { code: 'gate-option-unknown' } }]);
  expect((await repo.harness('answer', 'g-1', 'verified', '--until-done')).code).toBe(2);
  expect((await repo.harness('gates', '--json')).json()).toMatchObject({ gates: [{ id: 'g-1' }] });
});
