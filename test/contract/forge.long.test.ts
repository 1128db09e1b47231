// What holds for every forge: GitHub, and a git remote alone. Each test runs against both.
import { describe, expect, test } from 'vitest';
import type { IssuePage, PullAsk } from '../../src/forge/port.ts';
import { valueOf } from '../stage/repository.ts';
import { githubWorld, localWorld, type World } from './forge-worlds.ts';

const ASK: PullAsk = {
  head: 'harness/2',
  base: 'main',
  key: 'item 2',
  title: 'feat: #2 a cart',
  body: 'What landed.',
  isDraft: false,
};
const MERGE = { method: 'squash', title: 'feat: #2 a cart', message: 'Harness-Item: 2' } as const;
const WORK = { 'cart.txt': 'goods\n' };

const worlds: readonly (readonly [name: string, open: () => Promise<World>])[] = [
  ['github', githubWorld],
  ['local', () => Promise.resolve(localWorld())],
];

describe.each(worlds)('%s', (_, open) => {
  test('a pull request is opened once, and another process finds it', async () => {
    const world = await open();
    const sha = world.branch('harness/2', WORK);
    const first = valueOf(await (await world.forge()).openPull(ASK));
    expect(first).toMatchObject({
      how: 'opened',
      pull: { state: 'open', title: ASK.title, head: { branch: 'harness/2', sha }, base: 'main', isDraft: false },
    });
    const again = valueOf(await (await world.forge()).openPull(ASK));
    expect(again).toMatchObject({ how: 'unchanged', pull: { number: first.pull.number, url: first.pull.url } });
    const found = valueOf(await (await world.forge()).findPull(ASK));
    expect(found?.number).toBe(first.pull.number);
  });

  test('a changed title and text update the same pull request', async () => {
    const world = await open();
    world.branch('harness/2', WORK);
    const forge = await world.forge();
    const { pull } = valueOf(await forge.openPull(ASK));
    const changed = valueOf(await forge.openPull({ ...ASK, title: 'feat: #2 a better cart', body: 'More.' }));
    expect(changed).toMatchObject({ how: 'updated', pull: { number: pull.number, title: 'feat: #2 a better cart' } });
    const read = valueOf(await forge.readPull(pull.number));
    expect(read.title).toBe('feat: #2 a better cart');
    expect(read.body).toBe('More.\n\nHarness-Key: item 2\n');
  });

  test('a branch without commits of its own, and one that does not exist, are refused', async () => {
    const world = await open();
    world.stage.sh('push', '-q', 'origin', 'main:refs/heads/harness/2');
    const forge = await world.forge();
    expect(await forge.openPull(ASK)).toMatchObject({ failure: { reason: 'forge-refused' } });
    expect(await forge.openPull({ ...ASK, head: 'harness/none' })).toMatchObject({
      failure: { reason: 'forge-refused' },
    });
    expect(valueOf(await forge.findPull(ASK))).toBeNull();
  });

  test('a pull request of a person is neither taken over nor joined by a second one', async () => {
    const world = await open();
    world.branch('harness/2', WORK);
    const forge = await world.forge();
    const theirs = valueOf(await forge.openPull({ ...ASK, key: 'a person' }));
    expect(await forge.openPull(ASK)).toMatchObject({
      failure: { reason: 'forge-pull-of-another', params: { number: theirs.pull.number } },
    });
    expect(valueOf(await forge.findPull(ASK))).toBeNull();
  });

  test('whether it merges is said, and follows the base branch', async () => {
    const world = await open();
    world.branch('harness/2', { 'list.txt': 'one\n2\nthree\n' });
    const forge = await world.forge();
    const { pull } = valueOf(await forge.openPull(ASK));
    expect(valueOf(await forge.readPull(pull.number)).mergeable).toBe('yes');
    world.branch('main', { 'list.txt': 'one\nTWO\nthree\n' });
    expect(valueOf(await forge.readPull(pull.number)).mergeable).toBe('no');
  });

  test.each(['merge', 'squash', 'rebase'] as const)('%s: the base has the work, once', async (method) => {
    const world = await open();
    const sha = world.branch('harness/2', WORK);
    const forge = await world.forge();
    const { pull } = valueOf(await forge.openPull(ASK));
    const before = world.tip('main');
    const merged = valueOf(await forge.mergePull(pull.number, { ...MERGE, method, head: sha }));
    expect(merged.how).toBe('merged');
    expect(world.tip('main')).toBe(merged.commit);
    world.stage.sh('fetch', '-q', 'origin');
    expect(world.stage.sh('show', 'origin/main:cart.txt')).toBe('goods');
    expect(world.stage.sh('rev-list', '--parents', '-n1', 'origin/main').split(' ')).toHaveLength(
      method === 'merge' ? 3 : 2,
    );
    const again = valueOf(await (await world.forge()).mergePull(pull.number, { ...MERGE, method, head: sha }));
    expect(again).toEqual({ commit: merged.commit, how: 'already' });
    expect(world.tip('main')).toBe(merged.commit);
    expect(before).not.toBe(merged.commit);
    const read = valueOf(await forge.readPull(pull.number));
    expect(read).toMatchObject({ state: 'merged', mergeCommit: merged.commit });
    expect(valueOf(await forge.findPull(ASK))).toMatchObject({ number: pull.number, state: 'merged' });
  });

  test('a branch that moved after it was looked at is not merged', async () => {
    const world = await open();
    const looked = world.branch('harness/2', WORK);
    const forge = await world.forge();
    const { pull } = valueOf(await forge.openPull(ASK));
    const found = world.branch('harness/2', { 'more.txt': 'unseen\n' }, 'harness/2');
    const before = world.tip('main');
    expect(await forge.mergePull(pull.number, { ...MERGE, head: looked })).toMatchObject({
      failure: { reason: 'forge-head-moved', params: { expected: looked, found } },
    });
    expect(world.tip('main')).toBe(before);
  });

  test('what conflicts is not merged', async () => {
    const world = await open();
    const sha = world.branch('harness/2', { 'list.txt': 'one\n2\nthree\n' });
    const forge = await world.forge();
    const { pull } = valueOf(await forge.openPull(ASK));
    const base = world.branch('main', { 'list.txt': 'one\nTWO\nthree\n' });
    expect(await forge.mergePull(pull.number, { ...MERGE, head: sha })).toMatchObject({
      failure: { reason: 'forge-not-mergeable' },
    });
    expect(world.tip('main')).toBe(base);
  });

  test('a closed pull request is not merged, and the next one of the branch is a new one', async () => {
    const world = await open();
    const sha = world.branch('harness/2', WORK);
    const forge = await world.forge();
    const { pull } = valueOf(await forge.openPull(ASK));
    expect(valueOf(await forge.closePull(pull.number)).state).toBe('closed');
    expect(valueOf(await forge.closePull(pull.number)).state).toBe('closed');
    expect(await forge.mergePull(pull.number, { ...MERGE, head: sha })).toMatchObject({
      failure: { reason: 'forge-not-mergeable' },
    });
    const next = valueOf(await forge.openPull(ASK));
    expect(next.how).toBe('opened');
    expect(next.pull.number).toBeGreaterThan(pull.number);
    expect(valueOf(await forge.findPull(ASK))?.number).toBe(next.pull.number);
  });

  test('a comment with a key is edited, and one without is another one', async () => {
    const world = await open();
    world.branch('harness/2', WORK);
    const forge = await world.forge();
    const { number } = valueOf(await forge.openPull(ASK)).pull;
    const first = valueOf(await forge.comment(number, { body: 'checking', key: 'progress' }));
    const edited = valueOf(await (await world.forge()).comment(number, { body: 'passed', key: 'progress' }));
    expect(edited.id).toBe(first.id);
    await forge.comment(number, { body: 'hello', key: null });
    await forge.comment(number, { body: 'hello', key: null });
    const said = valueOf(await forge.comments(number));
    expect(said.map(({ body }) => body.split('\n')[0])).toEqual(['passed', 'hello', 'hello']);
    expect(said.every(({ kind, author }) => kind === 'comment' && author !== '')).toBe(true);
    expect(await forge.comment(99, { body: 'x', key: null })).toMatchObject({ failure: { reason: 'forge-not-found' } });
  });

  test('labels are added and removed, of what is there and what is not', async () => {
    const world = await open();
    world.branch('harness/2', WORK);
    const forge = await world.forge();
    const { number } = valueOf(await forge.openPull(ASK)).pull;
    expect(valueOf(await forge.label(number, { add: ['ready', 'harness'], remove: ['none'] }))).toEqual([
      'ready',
      'harness',
    ]);
    expect(valueOf(await forge.label(number, { add: ['harness'], remove: ['ready'] }))).toEqual(['harness']);
    expect(valueOf(await forge.readPull(number)).labels).toEqual(['harness']);
    expect(await forge.label(99, { add: ['x'], remove: [] })).toMatchObject({
      failure: { reason: 'forge-not-found' },
    });
  });

  test.each(['passed', 'failed'] as const)('checks: %s', async (result) => {
    const world = await open();
    const sha = world.branch('harness/2', WORK);
    world.checked(sha, result);
    const forge = await world.forge();
    expect(valueOf(await forge.checks(sha))).toMatchObject({
      sha,
      state: result,
      checks: [{ name: 'ci', state: result }],
    });
  });

  test('issues: created once, closed, reopened, with the facts of it', async () => {
    const world = await open();
    const forge = await world.forge();
    const ask = { key: 'item 7', title: 'a cart', body: 'Please.', labels: ['harness'], since: null };
    const { issue, how } = valueOf(await forge.createIssue(ask));
    expect(how).toBe('created');
    expect(issue).toMatchObject({ state: 'open', title: 'a cart', labels: ['harness'], isReopened: false });
    expect(valueOf(await (await world.forge()).createIssue(ask))).toMatchObject({
      how: 'unchanged',
      issue: { number: issue.number },
    });
    expect(valueOf(await forge.setIssueState(issue.number, 'closed')).state).toBe('closed');
    expect(valueOf(await forge.setIssueState(issue.number, 'closed')).state).toBe('closed');
    expect(valueOf(await forge.issueEvents(issue.number)).map(({ what }) => what)).toEqual(['closed']);
    expect(valueOf(await forge.setIssueState(issue.number, 'open'))).toMatchObject({ state: 'open', isReopened: true });
    expect(valueOf(await forge.issueEvents(issue.number)).map(({ what }) => what)).toEqual(['closed', 'reopened']);
    expect(valueOf(await forge.readIssue(issue.number))).toMatchObject({ isReopened: true });
    await forge.comment(issue.number, { body: 'done', key: null });
    expect(await forge.readIssue(99)).toMatchObject({ failure: { reason: 'forge-not-found' } });
  });

  test('issues: page by page, newest first, without pull requests', async () => {
    const world = await open();
    world.branch('harness/2', WORK);
    const forge = await world.forge();
    const numbers: number[] = [];
    for (const n of [1, 2, 3, 4, 5]) {
      const ask = { key: `item ${n}`, title: `item ${n}`, body: '', labels: n === 3 ? [] : ['harness'], since: null };
      numbers.push(valueOf(await forge.createIssue(ask)).issue.number);
    }
    valueOf(await forge.openPull(ASK));
    valueOf(await forge.setIssueState(numbers[4] ?? 0, 'closed'));
    const read = async (state: 'open' | 'all', labels: readonly string[]) => {
      const found: string[] = [];
      let cursor: string | null = null;
      for (let pages = 0; pages < 9; pages += 1) {
        const page: IssuePage = valueOf(await forge.issues({ state, labels, size: 2, cursor, since: null }));
        expect(page.issues.length).toBeLessThanOrEqual(2);
        found.push(...page.issues.map(({ title }) => title));
        cursor = page.next;
        if (cursor === null) break;
      }
      return found;
    };
    expect(await read('all', [])).toEqual(['item 5', 'item 4', 'item 3', 'item 2', 'item 1']);
    expect(await read('open', ['harness'])).toEqual(['item 4', 'item 2', 'item 1']);
  });

  test('issues: those that changed since a time, and a creation that looks no further back', async () => {
    const world = await open();
    const forge = await world.forge();
    const asked = (n: number, since: string | null) => ({
      key: `item ${n}`,
      title: `item ${n}`,
      body: '',
      labels: ['harness'],
      since,
    });
    const since = async (time: string) => {
      const filter = { state: 'all', labels: ['harness'], size: 10, cursor: null, since: time } as const;
      return valueOf(await forge.issues(filter)).issues.map(({ title }) => title);
    };
    const first = valueOf(await forge.createIssue(asked(1, null))).issue;
    const second = valueOf(await forge.createIssue(asked(2, first.updatedAt))).issue;
    expect(await since(second.updatedAt)).toEqual(['item 2']);
    const closed = valueOf(await forge.setIssueState(first.number, 'closed'));
    expect(Date.parse(closed.updatedAt)).toBeGreaterThan(Date.parse(second.updatedAt));
    expect(await since(closed.updatedAt)).toEqual(['item 1']);
    await forge.comment(second.number, { body: 'hello', key: 'greeting' });
    expect(await since(closed.updatedAt)).toEqual(['item 2', 'item 1']);
    expect(valueOf(await forge.createIssue(asked(2, first.updatedAt))).how).toBe('unchanged');
  });

  test('the number of a pull request is no issue', async () => {
    const world = await open();
    world.branch('harness/2', WORK);
    const forge = await world.forge();
    const { number } = valueOf(await forge.openPull(ASK)).pull;
    expect(await forge.readIssue(number)).toMatchObject({ failure: { reason: 'forge-not-found' } });
  });

  test('what does not exist is a failure that names it', async () => {
    const world = await open();
    const forge = await world.forge();
    expect(await forge.readPull(42)).toMatchObject({ ok: false, failure: { reason: 'forge-not-found' } });
    expect(valueOf(await forge.findPull({ head: 'harness/2', key: 'item 2' }))).toBeNull();
  });
});
