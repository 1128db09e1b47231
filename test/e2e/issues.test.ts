// The issues of a repository as a mirror of the items: created, closed with the evidence, and left to people who close or reopen them.
import { expect, test } from 'vitest';
import { recordsOf, setByPerson } from '../support/local-forge.ts';
import { actsOf, issuesShop, shown } from './issues-shop.ts';

test('open items have issues, one that landed is closed with its evidence, and what a person does is respected', async () => {
  const repo = issuesShop('forge: { kind: local }\ngithub: {}');
  const ran = await repo.harness('run', '--once', '-y');
  expect(ran.stderr).toContain('Item 2: issue #1 was created');
  expect(ran.stderr).toContain('Item 2 is done: issue #1 is closed with its evidence.');
  expect(ran.code).toBe(0);
  expect(shown(repo)).toEqual(['User can fill a cart: closed', 'User can pay: open']);
  const [cart, pay] = recordsOf(repo, 'issues');
  expect(pay?.body).toContain('Depends on #1');
  expect(cart?.comments).toHaveLength(1);
  for (const part of [repo.git('rev-parse', 'HEAD'), 'node --test', 'refs/harness/evidence/2', 'Harness-Evidence: '])
    expect(cart?.comments[0]?.body).toContain(part);
  expect(await actsOf(repo)).toEqual([]);

  setByPerson(repo, 1, 'open', new Date(Date.now() + 1_000).toISOString());
  setByPerson(repo, 2, 'closed', new Date(Date.now() + 1_000).toISOString());
  expect(await actsOf(repo)).toEqual(['explain #1 of 2', 'report #2 of 3']);
  expect(await actsOf(repo)).toEqual([]);
  expect(shown(repo)).toEqual(['User can fill a cart: open', 'User can pay: closed']);
  expect(recordsOf(repo, 'issues')[0]?.comments[1]?.body).toContain('harness override 2 --passes false');
  expect(repo.features().map(({ passes }) => passes)).toEqual([true, true, false]);
});
