// Work in progress: kept beside the branch, continued on the newest tip, and never lost.
import { expect, test } from 'vitest';
import { Death, dyingIo } from '../../test/stage/death.ts';
import { stage, type Stage, valueOf } from '../../test/stage/repository.ts';
import { listAttempts } from './attempts.ts';
import { takeCheckpoint, type Snapshot } from './checkpoint.ts';
import type { Git } from './git.ts';
import { restoreTree } from './restore.ts';
import { dropWip, findWip, keepWip, listWips, resumeWip, type KeepAsk } from './wip.ts';

const checkpoint = async (s: Stage): Promise<Snapshot> =>
  valueOf(await takeCheckpoint(s.git, { ref: 'refs/harness/checkpoints/1', message: 'before' }));
const askOf = (base: Snapshot, more: Partial<KeepAsk> = {}): KeepAsk => ({
  item: '7',
  session: 2,
  run: 'r-1',
  subject: 'WIP: #7',
  base,
  own: ['list.json'],
  token: 'token-1',
  ...more,
});
const keep = async (git: Git, base: Snapshot, more: Partial<KeepAsk> = {}) =>
  valueOf(await keepWip(git, askOf(base, more)));
/** A session on the tip that writes these files and ends by a limit. */
async function session(s: Stage, files: { readonly [path: string]: string }, more: Partial<KeepAsk> = {}) {
  const base = await checkpoint(s);
  const resumed = valueOf(await resumeWip(s.git, '7', base));
  for (const [path, text] of Object.entries(files)) s.write(path, text);
  const wip = await keep(s.git, base, more);
  valueOf(await restoreTree(s.git, base));
  return { resumed, wip };
}
const show = (s: Stage, path: string): string => s.sh('show', `refs/harness/wip/7:${path}`);
const isClean = (s: Stage): boolean => s.sh('status', '--porcelain') === '';

test('what a session left is beside the branch, without the files of the harness', async () => {
  const s = stage({ 'a.txt': 'a\n', 'list.json': '[]\n' });
  const { wip } = await session(s, { 'a.txt': 'half\n', 'new.txt': 'new\n', 'list.json': '[1]\n' });
  expect([show(s, 'a.txt'), show(s, 'new.txt'), show(s, 'list.json')]).toEqual(['half', 'new', '[]']);
  expect([s.read('a.txt'), isClean(s), s.sh('rev-list', '--count', 'HEAD')]).toEqual(['a\n', true, '1']);
  expect(wip).toMatchObject({ item: '7', session: 2, ref: 'refs/harness/wip/7', subject: 'WIP: #7' });
  expect(valueOf(await listWips(s.git))).toEqual([wip]);
});

test('the next session continues from it, and the later sessions are its history', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  await session(s, { 'a.txt': 'half\n' });
  const { resumed } = await session(s, { 'b.txt': 'more\n' }, { token: 'token-2', subject: 'WIP: again' });
  expect([resumed.is, show(s, 'a.txt'), show(s, 'b.txt')]).toEqual(['resumed', 'half', 'more']);
  expect(s.sh('log', '--format=%s', 'HEAD..refs/harness/wip/7').split('\n')).toEqual(['WIP: again', 'WIP: #7']);
});

test('how far it has come is kept with it, until work is kept that says nothing of it', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  const done = await session(s, { 'a.txt': 'done\n' }, { reached: 'review' });
  expect([done.wip?.reached, valueOf(await findWip(s.git, '7'))?.reached]).toEqual(['review', 'review']);
  await session(s, { 'a.txt': 'more\n' }, { token: 'token-2' });
  expect(valueOf(await findWip(s.git, '7'))).not.toHaveProperty('reached');
});

test('it is continued on the newest tip, and a person can take it over with git merge --squash', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  await session(s, { 'b.txt': 'half\n' });
  s.write('a.txt', 'theirs\n');
  s.commit('by others');
  const base = await checkpoint(s);
  expect(valueOf(await resumeWip(s.git, '7', base)).is).toBe('resumed');
  expect([s.read('a.txt'), s.read('b.txt')]).toEqual(['theirs\n', 'half\n']);
  await keep(s.git, base, { token: 'token-2' });
  valueOf(await restoreTree(s.git, base));
  s.sh('merge', '-q', '--squash', 'refs/harness/wip/7');
  expect([s.read('a.txt'), s.read('b.txt')]).toEqual(['theirs\n', 'half\n']);
});

test('where it does not fit the tip any more, the tip stays as it is and the work is an attempt', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  const { wip } = await session(s, { 'a.txt': 'half\n' });
  s.write('a.txt', 'theirs\n');
  s.commit('by others');
  const resumed = valueOf(await resumeWip(s.git, '7', await checkpoint(s)));
  expect(resumed).toEqual({ is: 'set-aside', files: ['a.txt'], attempt: 'refs/harness/attempts/7/1', number: 1 });
  expect([s.read('a.txt'), isClean(s), valueOf(await findWip(s.git, '7'))]).toEqual(['theirs\n', true, null]);
  expect(s.sh('rev-parse', 'refs/harness/attempts/7/1')).toBe(wip?.commit);
});

test('nothing is kept where nothing differs, and what was kept before becomes an attempt', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  expect((await session(s, {})).wip).toBeNull();
  await session(s, { 'a.txt': 'half\n' });
  expect((await session(s, { 'a.txt': 'a\n' }, { token: 'token-2' })).wip).toBeNull();
  expect(valueOf(await listAttempts(s.git, '7')).map(({ why }) => why)).toEqual(['WIP: #7']);
  expect(valueOf(await listWips(s.git))).toEqual([]);
});

test('line endings that git converts are kept and continued byte for byte', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  s.sh('config', 'core.autocrlf', 'true');
  s.write('a.txt', 'a\r\n');
  s.sh('add', 'a.txt');
  await session(s, { 'b.txt': 'b\r\nhalf\r\n' });
  await session(s, { 'c.txt': 'c\r\n' }, { token: 'token-2' });
  valueOf(await resumeWip(s.git, '7', await checkpoint(s)));
  expect([s.read('a.txt'), s.read('b.txt'), s.read('c.txt')]).toEqual(['a\r\n', 'b\r\nhalf\r\n', 'c\r\n']);
});

test('any item is a ref of its own, and a hand-made ref is none', async () => {
  const s = stage();
  for (const [n, item] of ['a/b', '.lock', 'ä b', '..'].entries()) {
    const base = await checkpoint(s);
    s.write('x.txt', item);
    await keep(s.git, base, { item, token: `t${n}` });
    valueOf(await restoreTree(s.git, base));
  }
  s.sh('update-ref', 'refs/harness/wip/mine', 'HEAD');
  s.sh('pack-refs', '--all');
  expect(valueOf(await listWips(s.git)).map(({ item }) => item)).toHaveLength(4);
  expect(valueOf(await findWip(s.git, 'ä b'))?.item).toBe('ä b');
});

test('dropped, it is an attempt once, however often it is asked for', async () => {
  const s = stage();
  await session(s, { 'a.txt': 'half\n' });
  expect(valueOf(await dropWip(s.git, '7'))?.ref).toBe('refs/harness/attempts/7/1');
  expect(valueOf(await dropWip(s.git, '7'))).toBeNull();
  expect(valueOf(await listAttempts(s.git, '7'))).toHaveLength(1);
});

test('a death at any point of keeping and dropping loses nothing and doubles nothing', async () => {
  let died = true;
  for (let at = 1; died; at += 1) {
    died = false;
    const s = stage({ 'a.txt': 'a\n' });
    const base = await checkpoint(s);
    s.write('a.txt', 'half\n');
    const all = async (git: Git): Promise<void> => {
      if (valueOf(await listAttempts(s.git, '7')).length > 0) return;
      await keep(git, base);
      valueOf(await restoreTree(git, base));
      valueOf(await dropWip(git, '7'));
    };
    try {
      await all(s.gitWith({ io: dyingIo(at, 'before') }));
    } catch (error) {
      if (!(error instanceof Death)) throw error;
      died = true;
      const kept = await keep(s.git, base);
      expect(kept === null || show(s, 'a.txt') === 'half', `point ${at}`).toBe(true);
    }
    await all(s.git);
    expect(valueOf(await listAttempts(s.git, '7')), `point ${at}`).toHaveLength(1);
    expect([s.sh('show', 'refs/harness/attempts/7/1:a.txt'), isClean(s)], `point ${at}`).toEqual(['half', true]);
  }
});
