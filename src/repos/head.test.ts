import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stage, valueOf, type Stage } from '../../test/stage/repository.ts';
import { readHead, resolveCommit } from './head.ts';
import { headFromFiles } from './ref-files.ts';

/** What git itself says. */
function truth(s: Stage): { commit: string | null; branch: string | null } {
  const ask = (...args: string[]): string | null => {
    try {
      return s.sh(...args);
    } catch {
      return null;
    }
  };
  const ref = ask('symbolic-ref', '-q', 'HEAD');
  return {
    commit: ask('rev-parse', '--verify', '-q', 'HEAD^{commit}'),
    branch: ref?.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null,
  };
}

test('HEAD is read from its files in their plain form: on a branch, packed, detached, moved', async () => {
  const s = stage();
  const same = async () => {
    expect(headFromFiles(s.git)).toEqual(truth(s));
    expect(valueOf(await readHead(s.git))).toEqual(truth(s));
  };
  await same();
  s.sh('pack-refs', '--all');
  expect(existsSync(join(s.git.gitDir, 'refs/heads/main'))).toBe(false);
  await same();
  s.write('x', '1');
  s.commit('on top of a packed ref');
  await same();
  s.sh('checkout', '-q', '-b', 'topic/one.two_3');
  await same();
  s.sh('checkout', '-q', '--detach');
  await same();
});

test('a linked worktree has a HEAD of its own and branches in common', async () => {
  const s = stage();
  s.sh('worktree', 'add', '-q', '-b', 'lane', '../lane');
  const lane = s.gitWith({ root: join(s.root, '../lane') });
  expect(headFromFiles(lane)).toEqual({ commit: s.sh('rev-parse', 'HEAD'), branch: 'lane' });
  expect(valueOf(await readHead(lane)).branch).toBe('lane');
});

test('whatever is not plain is left to git, and the answer is git’s', async () => {
  const s = stage();
  const main = join(s.git.gitDir, 'refs/heads/main');
  s.sh('checkout', '-q', '--orphan', 'unborn');
  expect(headFromFiles(s.git)).toBeNull();
  expect(valueOf(await readHead(s.git))).toEqual({ commit: null, branch: 'unborn' });
  s.sh('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
  s.sh('symbolic-ref', 'HEAD', 'refs/heads/alias');
  expect(headFromFiles(s.git)).toBeNull();
  expect(valueOf(await readHead(s.git)).commit).toBe(s.sh('rev-parse', 'main'));
  s.sh('checkout', '-q', 'main');
  writeFileSync(join(s.root, 'elsewhere'), `${s.sh('rev-parse', 'HEAD')}\n`);
  rmSync(main);
  symlinkSync(join(s.root, 'elsewhere'), main);
  expect(headFromFiles(s.git)).toBeNull();
});

test('a commit that is not there is not taken for one, even if a file names it', async () => {
  const s = stage();
  writeFileSync(join(s.git.gitDir, 'refs/heads/main'), `${'1'.repeat(40)}\n`);
  expect((await readHead(s.git)).ok && valueOf(await readHead(s.git)).commit).not.toBe('1'.repeat(40));
});

test('no text in HEAD leads out of refs/heads, and none makes reading it fail', () => {
  const s = stage();
  const odd = fc.oneof(
    fc.constantFrom('ref: refs/heads/../../config\n', 'ref: refs/heads/.invalid\n', 'ref: refs/heads/\n', '\n', ''),
    fc.string(),
    fc.stringMatching(/^ref: refs\/heads\/[a-z./-]{1,12}\n$/),
  );
  fc.assert(
    fc.property(odd, (text) => {
      writeFileSync(join(s.git.gitDir, 'HEAD'), text);
      const found = headFromFiles(s.git);
      expect(found === null || /^[0-9a-f]{40}$/.test(found.commit)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('a name means what it means now: moved, packed, symbolic, on a tag, gone', async () => {
  const s = stage();
  const same = async (rev: string): Promise<void> => {
    const truly =
      s.sh('for-each-ref', '--format=%(objectname)', rev) === '' ? null : s.sh('rev-parse', `${rev}^{commit}`);
    expect([rev, valueOf(await resolveCommit(s.git, rev))]).toEqual([rev, truly]);
  };
  const first = s.sh('rev-parse', 'HEAD');
  s.sh('update-ref', 'refs/harness/checkpoints/one', first);
  await same('refs/harness/checkpoints/one');
  s.write('x', '1');
  s.commit('second');
  s.sh('update-ref', 'refs/harness/checkpoints/one', 'HEAD');
  await same('refs/harness/checkpoints/one');
  s.sh('pack-refs', '--all');
  s.sh('update-ref', 'refs/harness/checkpoints/one', first);
  await same('refs/harness/checkpoints/one');
  s.sh('symbolic-ref', 'refs/harness/alias', 'refs/heads/main');
  await same('refs/harness/alias');
  s.sh('tag', '-a', '-m', 'tag', 'v1');
  s.sh('update-ref', 'refs/harness/tagged', 'refs/tags/v1');
  await same('refs/harness/tagged');
  s.sh('update-ref', '-d', 'refs/harness/checkpoints/one');
  await same('refs/harness/checkpoints/one');
});
