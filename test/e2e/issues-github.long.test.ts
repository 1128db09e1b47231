// Issues on GitHub (the stand-in) as the backlog: they become items in the order of their dependencies, and items follow them. GitHub's own
// description judges every request.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileIssue } from '../support/github/people.ts';
import { standInForGithub } from '../support/github/server.ts';
import type { StoredIssue } from '../support/github/state.ts';
import { actsOf, issuesShop } from './issues-shop.ts';

test('open issues with the label become items, a new title follows, a closed one is left out, a landed one is closed', async () => {
  const repo = issuesShop('backlog: github\ngithub: { repo: ada/shop, create_missing_issues: false }');
  const github = await standInForGithub(join(repo.root, '..', 'remote.git'));
  onTestFinished(() => github.close());
  repo.write('.harness.yaml', `${repo.read('.harness.yaml')}forge: { api_url: "${github.url}" }\n`);
  repo.git('commit', '-qam', 'the stand-in');
  Object.assign(repo.env, { GITHUB_API_URL: github.url, GH_TOKEN: github.token });
  const { state } = github;
  const change = (issue: StoredIssue, what: Partial<StoredIssue>): void =>
    void Object.assign(issue, { ...what, updated: state.now() });
  const ship = fileIssue(github, 'Ship it', 'Depends on #2\nTest: tests/ship.test.mjs\n\nBy parcel.');
  const wrap = fileIssue(github, 'Wrap it', 'Depends on #3', ['harness', 'priority: 1']);
  const other = fileIssue(github, 'Not for agents', '', []);
  expect(await actsOf(repo)).toEqual(['wait #1 of ', 'wait #2 of ']);

  change(other, { state: 'closed', reason: 'completed' });
  expect(await actsOf(repo)).toEqual(['add #2 of 4', 'add #1 of 5']);
  const added = repo.features().slice(3);
  expect(added).toMatchObject([
    { id: 4, description: 'Wrap it (#2)', priority: 1, depends_on: [], passes: false },
    { id: 5, description: 'Ship it (#1)', test_file: 'tests/ship.test.mjs', depends_on: [4], passes: false },
  ]);
  expect(added[1]?.['notes']).toContain('By parcel.');
  expect(repo.git('log', '-2', '--format=%s')).toContain('#5 from issue #1: Ship it (#1)');
  expect(await actsOf(repo)).toEqual([]);

  change(ship, { title: 'Ship it today' });
  change(wrap, { state: 'closed', reason: 'completed' });
  expect(await actsOf(repo)).toEqual(['retitle #1 of 5', 'skip #2 of 4']);
  expect(repo.features().slice(3)).toMatchObject([
    { id: 4, skipped: { reason: 'Issue #2 was closed by a person.' } },
    { id: 5, description: 'Ship it today (#1)' },
  ]);
  expect(await actsOf(repo)).toEqual([]);

  // A run takes new issues at its start, and closes those of items that are done.
  await repo.harness('override', '5', '--passes', 'true', '--reason', 'shipped by hand', '-y');
  fileIssue(github, 'Thank them', '');
  const ran = await repo.harness('run', '--once', '-y');
  expect(ran.stderr).toContain('Item 5 is done: issue #1 is closed');
  expect(ran.stderr).toContain('Issue #4 becomes an item');
  expect(ship.state).toBe('closed');
  expect(repo.features().at(-1)).toMatchObject({ description: 'Thank them (#4)' });
  expect(github.violations).toEqual([]);
});
