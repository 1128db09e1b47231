// `land: pull-request` with the other playbooks: a task whose list is in no commit, and a feature of a mission.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordsOf } from '../support/local-forge.ts';
import type { Repo } from '../support/repo.ts';
import { task as taskRecord } from '../support/task-record.ts';
import { honestMission, missionShop } from './mission-shop.ts';
import { made, taskList } from './task-list.ts';

const SETTINGS = 'forge: { kind: local }\nland: pull-request\n';

/** The remote of a repository, with what it has now. */
function withRemote(repo: Pick<Repo, 'root' | 'env' | 'git'>): string {
  const remote = join(repo.root, '..', 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote], { env: repo.env });
  repo.git('remote', 'add', 'origin', remote);
  repo.git('push', '-q', 'origin', 'HEAD:refs/heads/main');
  return remote;
}
const merge = (repo: Repo, branch: string): void => {
  repo.git('fetch', '-q', 'origin', `refs/heads/${branch}`);
  repo.git('push', '-q', 'origin', 'FETCH_HEAD:refs/heads/main');
};

test('a task is under way until its pull request is merged, and completed then', async () => {
  const repo = taskList([taskRecord('task-001'), taskRecord('task-002', { depends_on: ['task-001'] })], {
    config: SETTINGS,
    sessions: [made('task-001'), made('task-002')],
  });
  withRemote(repo);
  const first = await repo.harness('run', '-y');
  expect(first.stderr).toContain('Item task-001 is proposed');
  expect(first.code).toBe(8);
  expect(repo.task('task-001').status).toBe('in_progress');
  expect(recordsOf(repo, 'pulls')).toHaveLength(1);
  merge(repo, 'harness/task-001');
  const second = await repo.harness('run', '-y');
  expect(second.stderr).toContain('Pull request #1 is merged: item task-001 has landed.');
  expect(repo.task('task-001').status).toBe('completed');
  expect(second.stderr).toContain('Item task-002 is proposed');
  merge(repo, 'harness/task-002');
  const third = await repo.harness('run', '-y');
  expect(third.stderr).toContain('Pull request #2 is merged');
  expect(third.code).toBe(0);
  expect(repo.list().tasks.map(({ status }) => status)).toEqual(['completed', 'completed']);
});

test('a feature of a mission is judged, proposed and merged', async () => {
  const shop = missionShop({ sessions: honestMission, config: SETTINGS });
  withRemote(shop);
  const first = await shop.harness('run', '--once', '-y');
  expect(first.stderr).toContain('Item F-001 is proposed');
  expect(first.code).toBe(0);
  const [pull] = recordsOf(shop, 'pulls');
  expect(pull?.body).toContain('Harness-Key: item F-001');
  merge(shop, 'harness/F-001');
  const second = await shop.harness('run', '--once', '-y');
  expect(second.stderr).toContain('Pull request #1 is merged: item F-001 has landed.');
  expect(shop.read('.harness/features.json')).toContain('"passing"');
});
