// The repository of a command in a folder without git: only for a workflow, and reading creates none.
import { mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureOf, picture, stage, valueOf } from '../../../test/stage/repository.ts';
import { withoutGit, type Bare } from '../../../test/stage/without-git.ts';
import { systemClock } from '../../host/clock.ts';
import { realIo } from '../../host/io.ts';
import { ok } from '../../model/result.ts';
import { makeOwnRepository } from '../../repos/own-repository.ts';
import { takeCheckpoint } from '../../repos/checkpoint.ts';
import { openRepositoryView } from '../../repos/repository-view.ts';
import { withRunLock } from './run-lock.ts';
import { repositoryOf, type OpenRequest } from './repository.ts';
import { openTarget } from './target.ts';
import { repositoryFolders } from './project-view.ts';

const find = (s: Bare, more: Partial<OpenRequest> = {}) =>
  repositoryOf({ repo: s.root, configFile: null, ...more }, { token: 't', env: s.env });
const SESSION = JSON.stringify({ version: '2.0', task: 'a thing', phase: 'plan_ready', has_git: false });

describe('a folder without git', () => {
  test.each<readonly [string, { readonly [path: string]: string }, Partial<OpenRequest>]>([
    ['its configuration says so', { '.harness.yaml': 'playbook: workflow\n' }, {}],
    ['a file named by the command says so', { 'other.yaml': 'playbook: workflow\n' }, { configFile: 'other.yaml' }],
    ['the command says so', {}, { playbook: 'workflow' }],
    ['a session of it is there', { '.harness/state.json': SESSION }, {}],
    ['a session of it is there that is broken', { '.harness/state.json': '{' }, {}],
  ])('is a workflow’s where %s', async (_, files, more) => {
    const s = withoutGit({ 'a.txt': 'a\n', ...files });
    const before = picture(s.root);
    expect(valueOf(await find(s, more))).toMatchObject({ root: s.root, isPrivate: true });
    expect([picture(s.root), readdirSync(s.root).includes('.harness-engine')]).toEqual([before, false]);
  });

  test.each<readonly [string, { readonly [path: string]: string }, Partial<OpenRequest>]>([
    ['nothing says what it is', {}, {}],
    ['another playbook is written', { '.harness.yaml': 'playbook: features\n' }, { playbook: 'workflow' }],
    ['another playbook is asked for', { '.harness/state.json': SESSION }, { playbook: 'features' }],
    ['the session is that of another skill', { '.harness/state.json': '{"skill":"x"}' }, {}],
    [
      'a session of it began with git',
      { '.harness.yaml': 'playbook: workflow\n', '.harness/state.json': SESSION.replace('false', 'true') },
      {},
    ],
    ['the configuration cannot be read', { '.harness.yaml': ': [' }, {}],
  ])('is no repository where %s', async (_, files, more) => {
    expect(failureOf(await find(withoutGit(files), more)).reason).toBe('not-a-repository');
  });

  test('once created it is used by workflows, also after the session, and by no other playbook', async () => {
    const s = withoutGit({ 'deep/a.txt': 'a\n' });
    valueOf(await makeOwnRepository(s.gitWith()));
    expect(valueOf(await find(s, { repo: join(s.root, 'deep') }))).toMatchObject({ root: s.root, isPrivate: true });
    expect(valueOf(await repositoryFolders({ repo: s.root, configFile: null }))).toMatchObject({ isPrivate: true });
    s.write('.harness.yaml', 'playbook: tasks\n');
    expect(failureOf(await find(s)).reason).toBe('not-a-repository');
    s.write('.harness.yaml', 'playbook: { backlog: workflow, machine: workflow }\n');
    expect(valueOf(await find(s)).isPrivate).toBe(true);
  });

  test('a broken .git and a home directory are refused', async () => {
    const s = withoutGit({ '.harness.yaml': 'playbook: workflow\n' });
    mkdirSync(join(s.root, '.git'));
    expect(failureOf(await find(s)).reason).toBe('not-a-repository');
    const home = await find(s, { repo: homedir(), playbook: 'workflow' });
    expect(home.ok && home.value.isPrivate).toBe(false);
  });
});

test('the first run creates it under the lock, and its git uses it', async () => {
  const other = stage({ 'README.md': 'x\n', 'features.json': '{"project":"x","features":[]}' });
  const usual = valueOf(await openTarget({ repo: other.root, configFile: null }));
  expect([usual.hasGit, usual.view.hasGit]).toEqual([true, true]);
  const s = withoutGit({ 'a.txt': 'a\n' });
  const git = s.gitWith();
  const workspaceDir = join(git.commonDir, 'harness');
  const view = openRepositoryView(git, s.root, systemClock);
  const stateDir = join(s.root, '.harness');
  const target = { ...usual, root: s.root, hasGit: false, stateDir, workspaceDir, git, view, io: realIo() };
  const silent = { event: () => undefined, agent: () => undefined };
  for (const run of ['r-1', 'r-2']) {
    const taken = await withRunLock(target, run, 'harness run', 'no-box', silent, async ({ context }) => {
      expect([context.git.gitDir, context.view.hasGit]).toEqual([git.gitDir, false]);
      expect((await context.view.head()).dirty).toEqual([]);
      const held = await takeCheckpoint(context.git, { ref: 'refs/harness/checkpoints/1', message: 'm' });
      return held.ok ? ok(held.value.tree) : held;
    });
    expect(valueOf(taken)).toMatch(/^[0-9a-f]{40}$/);
  }
  expect(valueOf(await git.run(['rev-list', '--count', 'HEAD'])).trim()).toBe('1');
  expect(s.has('.git')).toBe(false);
});
