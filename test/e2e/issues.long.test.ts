// Issues of items beyond the first sync: what is known of them is lost, an item is put back to work, the forge does not answer.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordsOf, setByPerson } from '../support/local-forge.ts';
import { actsOf, issuesShop, shown } from './issues-shop.ts';

test('what is known of issues can be rebuilt, and an item that is put back to work closes its issue again', async () => {
  const repo = issuesShop('forge: { kind: local }\ngithub: {}');
  expect((await repo.harness('run', '--once', '-y')).code).toBe(0);
  setByPerson(repo, 1, 'open', new Date(Date.now() + 1_000).toISOString());
  setByPerson(repo, 2, 'closed', new Date(Date.now() + 1_000).toISOString());
  expect(await actsOf(repo)).toEqual(['explain #1 of 2', 'report #2 of 3']);
  // Nothing is created or said twice.
  rmSync(join(repo.privateDir, 'issues.json'));
  expect(await actsOf(repo)).toEqual(['explain #1 of 2', 'report #2 of 3']);
  expect(recordsOf(repo, 'issues').map(({ comments }) => comments.length)).toEqual([2, 0]);

  // A person who finds it wanting puts it back to work; its next landing closes the issue.
  await repo.harness('override', '2', '--passes', 'false', '--reason', 'too small', '-y');
  expect(await actsOf(repo)).toEqual([]);
  expect(shown(repo)[0]).toBe('User can fill a cart: open');
  await repo.harness('override', '2', '--passes', 'true', '--reason', 'looked at it', '-y');
  expect(await actsOf(repo)).toEqual(['close #1 of 2']);
  expect(recordsOf(repo, 'issues')[0]?.comments[0]?.body).toContain('looked at it');
});

test('a forge that does not answer is a warning, or stops the run where the configuration says so', async () => {
  const repo = issuesShop('forge: { kind: local }\ngithub: {}\npush: { remote: null }');
  repo.git('remote', 'set-url', 'origin', join(repo.root, '..', 'gone.git'));
  const warned = await repo.harness('run', '--once', '-y');
  expect(warned.code).toBe(0);
  expect(warned.stderr).toContain('The issues do not follow the list:');
  repo.write('.harness.yaml', repo.read('.harness.yaml').replace('github: {}', 'github: { on_sync_failure: fail }'));
  repo.git('commit', '-qam', 'stricter');
  const stopped = await repo.harness('run', '--once', '-y', '--json');
  expect(stopped.code).toBe(5);
  expect(JSON.stringify(stopped.json())).toContain('issues-not-synced');

  repo.write('.harness.yaml', repo.read('.harness.yaml').replace(/^github:.*\n/m, ''));
  expect((await repo.harness('github', 'sync', '--json')).json()).toMatchObject({ error: { code: 'issues-off' } });
});
