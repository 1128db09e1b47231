// A forge that is a git remote alone: several processes at once, a kill between any two steps, people with git, records that are broken.
import { expect, test } from 'vitest';
import { localForgeGit } from '../../src/app/forge/local-git.ts';
import type { ForgeGit } from '../../src/forge/local/git.ts';
import { localForge } from '../../src/forge/local/forge.ts';
import type { Forge, PullAsk } from '../../src/forge/port.ts';
import { failure } from '../../src/model/failure.ts';
import { err } from '../../src/model/result.ts';
import { valueOf } from '../stage/repository.ts';
import { localWorld, type LocalWorld } from './forge-worlds.ts';

const REF = 'refs/harness/forge';
const ASK: PullAsk = { head: 'harness/2', base: 'main', key: 'item 2', title: 'a cart', body: '', isDraft: false };
const MERGE = { method: 'squash', title: 'a cart', message: '' } as const;

const gitOf = async ({ stage, remote }: LocalWorld): Promise<ForgeGit> =>
  valueOf(await localForgeGit(stage.git, { remote: 'origin', url: remote, shown: remote }));
const forgeOn = (world: LocalWorld, git: ForgeGit): Forge => localForge({ git, ci: null, waiting: world.time });

function shop(): LocalWorld & { readonly sha: string } {
  const world = localWorld();
  const sha = world.branch('harness/2', { 'cart.txt': 'goods\n' });
  return { ...world, sha };
}

test('of two processes that open the same pull request at once, both get the same one', async () => {
  const world = shop();
  const [one, two] = [await world.forge(), await world.forge()];
  const opened = await Promise.all([one.openPull(ASK), two.openPull(ASK), one.openPull(ASK)]);
  expect(new Set(opened.map((each) => valueOf(each).pull.number))).toEqual(new Set([1]));
  expect(opened.filter((each) => valueOf(each).how === 'opened')).toHaveLength(1);
});

test('changes at the same time are all kept, each with a number of its own', async () => {
  const world = shop();
  const forges = [await world.forge(), await world.forge(), await world.forge()];
  const made = await Promise.all(
    forges.map((forge, n) =>
      forge.createIssue({ key: `item ${n}`, title: `item ${n}`, body: '', labels: [], since: null }),
    ),
  );
  expect(made.map((each) => valueOf(each).issue.number).sort((a, b) => a - b)).toEqual([1, 2, 3]);
  const { issues } = valueOf(
    await (await world.forge()).issues({ state: 'all', labels: [], size: 10, cursor: null, since: null }),
  );
  expect(issues.map(({ title }) => title).sort()).toEqual(['item 0', 'item 1', 'item 2']);
});

test.each(['before', 'after'] as const)(
  'a kill %s the push of a merge leaves it undone or done, never half',
  async (when) => {
    const world = shop();
    const git = await gitOf(world);
    const { pull } = valueOf(await forgeOn(world, git).openPull(ASK));
    const before = world.tip('main');
    const killed: ForgeGit = {
      ...git,
      async push(moves) {
        if (when === 'after') await git.push(moves);
        return err(failure('forge-unreachable', { host: 'origin', words: 'killed' }));
      },
    };
    await forgeOn(world, killed).mergePull(pull.number, { ...MERGE, head: world.sha });
    const read = valueOf(await forgeOn(world, git).readPull(pull.number));
    expect(read.state).toBe(when === 'before' ? 'open' : 'merged');
    expect(world.tip('main') === before).toBe(when === 'before');
    const merged = valueOf(await forgeOn(world, git).mergePull(pull.number, { ...MERGE, head: world.sha }));
    expect(merged.how).toBe(when === 'before' ? 'merged' : 'already');
    expect(world.tip('main')).toBe(merged.commit);
  },
);

test('a push to the base branch between look and merge is merged with, not lost', async () => {
  const world = shop();
  const git = await gitOf(world);
  const { pull } = valueOf(await forgeOn(world, git).openPull(ASK));
  let isFirst = true;
  const raced: ForgeGit = {
    ...git,
    push(moves) {
      if (isFirst) world.branch('main', { 'other.txt': 'theirs\n' });
      isFirst = false;
      return git.push(moves);
    },
  };
  valueOf(await forgeOn(world, raced).mergePull(pull.number, { ...MERGE, head: world.sha }));
  world.stage.sh('fetch', '-q', 'origin');
  expect(world.stage.sh('show', 'origin/main:other.txt')).toBe('theirs');
  expect(world.stage.sh('show', 'origin/main:cart.txt')).toBe('goods');
});

test('one that loses every race gives up and says so', async () => {
  const world = shop();
  const git = await gitOf(world);
  const losing: ForgeGit = { ...git, push: () => Promise.resolve({ ok: true, value: 'overtaken' }) };
  expect(await forgeOn(world, losing).openPull(ASK)).toMatchObject({ failure: { reason: 'forge-busy' } });
  expect(world.time.slept).toHaveLength(11);
});

test('a branch that a person merged with git alone is merged, and one that they deleted is closed', async () => {
  const world = shop();
  const forge = await world.forge();
  const { number } = valueOf(await forge.openPull(ASK)).pull;
  world.branch('harness/3', { 'pay.txt': 'coins\n' });
  const other = valueOf(await forge.openPull({ ...ASK, head: 'harness/3', key: 'item 3' })).pull;
  world.stage.sh('push', '-q', 'origin', `${world.sha}:refs/heads/main`);
  world.stage.sh('push', '-q', 'origin', ':refs/heads/harness/2', ':refs/heads/harness/3');
  expect(valueOf(await forge.readPull(number))).toMatchObject({ state: 'merged', mergeCommit: world.sha });
  expect(valueOf(await forge.readPull(other.number)).state).toBe('closed');
});

test('a record that is not understood stops, and is not replaced', async () => {
  const world = shop();
  const git = await gitOf(world);
  const forge = forgeOn(world, git);
  valueOf(await forge.openPull(ASK));
  const tip = valueOf(await git.refs([REF])).get(REF) ?? null;
  const commit = valueOf(await git.record(tip, new Map([['pulls/1.json', '{ "schema": 2 }']]), 'of a newer version'));
  valueOf(await git.push([{ ref: REF, from: tip, to: commit }]));
  for (const asked of [forge.readPull(1), forge.openPull(ASK), forge.closePull(1)])
    expect(await asked).toMatchObject({
      failure: { reason: 'forge-record-unreadable', params: { file: 'pulls/1.json', ref: REF } },
    });
  expect(valueOf(await git.refs([REF])).get(REF)).toBe(commit);
});

test('the checks of a commit run once, and again for another command', async () => {
  const world = shop();
  const forge = await world.forge();
  valueOf(await forge.checks(world.sha));
  valueOf(await (await world.forge()).checks(world.sha));
  expect(world.ran).toEqual([world.sha]);
  const again = localForge({
    git: await gitOf(world),
    ci: {
      command: 'npm run other',
      run: () => Promise.resolve({ ok: true, value: { passed: false, exit: 1, ms: 1, output: 'red' } }),
    },
    waiting: world.time,
  });
  expect(valueOf(await again.checks(world.sha))).toMatchObject({ state: 'failed', checks: [{ summary: 'red' }] });
  expect(valueOf(await forgeOn(world, await gitOf(world)).checks(world.sha)).state).toBe('none');
});

test('a remote that is away is a failure that passes', async () => {
  const world = shop();
  const git = valueOf(
    await localForgeGit(world.stage.git, {
      remote: 'origin',
      url: '/nowhere/at/all.git',
      shown: '/nowhere/at/all.git',
    }),
  );
  expect(await forgeOn(world, git).openPull(ASK)).toMatchObject({ failure: { reason: 'forge-unreachable' } });
});

test('another clone sees the same, and the user’s branches and work tree are as they were', async () => {
  const world = shop();
  const before = world.stage.sh('for-each-ref', 'refs/heads', 'refs/remotes');
  const forge = await world.forge();
  valueOf(await forge.openPull(ASK));
  valueOf(await forge.mergePull(1, { ...MERGE, head: world.sha }));
  expect(world.stage.sh('for-each-ref', 'refs/heads', 'refs/remotes')).toBe(before);
  expect(world.stage.sh('status', '--porcelain')).toBe('');
  const other = localWorld();
  const git = valueOf(
    await localForgeGit(other.stage.git, { remote: 'origin', url: world.remote, shown: world.remote }),
  );
  expect(valueOf(await localForge({ git, ci: null, waiting: other.time }).readPull(1))).toMatchObject({
    state: 'merged',
    title: 'a cart',
  });
});
