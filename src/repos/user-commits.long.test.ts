// `git commit` of the user at any moment of a landing in their own work tree: it takes nothing of the landing back, and none of it is lost.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { disturbedIo } from '../../test/stage/disturbed.ts';
import { stage, type Stage, valueOf } from '../../test/stage/repository.ts';
import { commitTree } from './commit.ts';
import { findByToken } from './by-token.ts';
import { treeOf } from './tree.ts';

const LIST = 'list.json';
/** The work of an agent in the user's work tree: a file changed, one added, one gone. */
function work(s: Stage): void {
  s.write('changed.txt', 'new\n');
  s.write('added/deep.txt', 'added\n');
  s.remove('gone.txt');
}
const open = (): Stage =>
  stage({ 'changed.txt': 'old\n', 'gone.txt': 'gone\n', 'mine.txt': 'mine\n', [LIST]: 'open\n' });

const asUser = (s: Stage, ...args: string[]) => spawnSync('git', args, { cwd: s.root, env: s.env, encoding: 'utf8' });

const CASES: readonly [string, readonly string[], (s: Stage) => void][] = [
  [
    'commits another file',
    ['mine.txt'],
    (s) => (s.write('mine.txt', 'edited\n'), void asUser(s, 'commit', '-am', 'mine')),
  ],
  [
    'commits a file of the landing',
    ['changed.txt'],
    (s) => (s.write('changed.txt', 'theirs\n'), void asUser(s, 'commit', '-am', 'mine')),
  ],
  [
    'commits what is staged',
    ['mine.txt'],
    (s) => (s.write('mine.txt', 'edited\n'), void asUser(s, 'add', 'mine.txt'), void asUser(s, 'commit', '-m', 'mine')),
  ],
  ['commits without a change', [], (s) => void asUser(s, 'commit', '-am', 'mine')],
];

test.each(CASES)('the user %s at any durable call', async (_, edited, user) => {
  for (let at = 1; ; at += 1) {
    const s = open();
    work(s);
    const tree = valueOf(await treeOf(s.git));
    const from = s.sh('rev-parse', 'HEAD');
    const { io, calls } = disturbedIo(at, () => user(s));
    const git = s.gitWith({ io });
    const ask = {
      style: 'accept',
      item: '7',
      session: 1,
      run: 'r',
      subject: 'feat: #7',
      body: '',
      only: null,
    } as const;
    const made = await commitTree(git, { ...ask, token: 't', files: { [LIST]: 'done\n' }, expectTree: tree, from });
    if (calls.length < at) break;
    const where = `at call ${at}`;
    const landed = valueOf(await findByToken(s.git, 't'));
    expect(existsSync(join(s.root, '.git', 'index.lock')), where).toBe(false);
    if (landed !== null) {
      const since = s
        .sh('diff', '--name-only', landed.commit, 'HEAD')
        .split('\n')
        .filter((path) => path !== '');
      expect(edited, `${where}: taken back`).toEqual(expect.arrayContaining(since));
      const dirty = s
        .sh('diff', '--name-only', 'HEAD')
        .split('\n')
        .filter((path) => path !== '');
      expect(edited, `${where}: left behind`).toEqual(expect.arrayContaining(dirty));
      expect(s.sh('ls-files', '-o'), where).toBe('');
    } else expect(made.ok && made.value.commit, where).toBeNull();
    for (const path of edited) expect(s.read(path), where).toMatch(/^(?:edited|theirs)\n$/);
  }
});
