import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failureOf, stage, type Stage, valueOf } from '../../test/stage/repository.ts';
import { createGit } from './git.ts';
import { PUSH_AGAIN_MS, pushBranch } from './push.ts';
import { remoteUrl } from './remote.ts';
import { rawFolder } from './view.ts';

const withRemote = () => {
  const s = stage();
  const bare = join(s.home, 'origin.git');
  s.sh('init', '-q', '--bare', bare);
  s.sh('remote', 'add', 'origin', bare);
  const waits: number[] = [];
  let meanwhile = (): void => undefined;
  const wait = async (ms: number) => {
    waits.push(ms);
    meanwhile();
  };
  const push = (commit: string, url: string | null = null) =>
    pushBranch(s.git, { remote: 'origin', branch: 'main', commit, url }, wait);
  return { s, bare, push, waits, wait, before: (act: () => void) => (meanwhile = act) };
};

test('a branch is pushed, the tracking ref follows, and pushing again is fine', async () => {
  const { s, bare, push } = withRemote();
  const head = s.sh('rev-parse', 'HEAD');
  valueOf(await push(head));
  valueOf(await push(head));
  expect([s.sh('-C', bare, 'rev-parse', 'main'), s.sh('rev-parse', 'origin/main')]).toEqual([head, head]);
});

/** Somebody else's commit on the remote branch, whose objects are not here. */
function colleague(s: Stage, bare: string): string {
  const clone = join(s.home, 'colleague');
  s.sh('clone', '-q', '-b', 'main', bare, clone);
  s.sh('-C', clone, 'commit', '-q', '--allow-empty', '-m', 'theirs');
  s.sh('-C', clone, 'push', '-q', 'origin', 'main');
  return s.sh('-C', clone, 'rev-parse', 'HEAD');
}

test('a branch that went another way is left alone: its commits are brought here, and where it is is said', async () => {
  const { s, bare, push, waits } = withRemote();
  valueOf(await push(s.sh('rev-parse', 'HEAD')));
  const theirs = colleague(s, bare);
  expect(valueOf(await push(s.commit('mine')))).toEqual({ behind: theirs });
  expect(s.sh('-C', bare, 'rev-parse', 'main')).toBe(theirs);
  expect([s.sh('rev-parse', 'origin/main'), s.sh('log', '-1', '--format=%s', 'origin/main')]).toEqual([
    theirs,
    'theirs',
  ]);
  expect(existsSync(join(rawFolder(s.git), 'FETCH_HEAD'))).toBe(false);
  expect(waits).toEqual([]);
});

test('a commit that somebody has built on already is there: a push whose answer was lost may be done again', async () => {
  const { s, bare, push } = withRemote();
  const mine = s.commit('mine');
  valueOf(await push(mine));
  const theirs = colleague(s, bare);
  expect(valueOf(await push(mine))).toEqual({ behind: null });
  expect(s.sh('-C', bare, 'rev-parse', 'main')).toBe(theirs);
});

test('what a remote refuses for reasons of its own is tried once more, and reported in its words', async () => {
  const { s, bare, push, waits } = withRemote();
  writeFileSync(join(bare, 'hooks', 'pre-receive'), '#!/bin/sh\necho not on a Friday >&2\nexit 1\n', { mode: 0o755 });
  const failed = failureOf(await push(s.sh('rev-parse', 'HEAD')));
  expect(failed).toMatchObject({ reason: 'push-rejected', params: { remote: 'origin', branch: 'main' } });
  expect(failed.params['words']).toContain('not on a Friday');
  expect(waits).toEqual([PUSH_AGAIN_MS]);
});

test('a remote that cannot be reached is asked once more: a short outage is not reported', async () => {
  const { s, bare, push, waits, before } = withRemote();
  const head = s.sh('rev-parse', 'HEAD');
  renameSync(bare, `${bare}.away`);
  const failed = failureOf(await push(head));
  expect(failed).toMatchObject({ reason: 'push-unreachable', params: { remote: 'origin', branch: 'main' } });
  expect(failed.params['words']).toMatch(/does not appear to be a git repository|Could not read/);
  before(() => renameSync(`${bare}.away`, bare));
  expect(valueOf(await push(head))).toEqual({ behind: null });
  expect(waits).toEqual([PUSH_AGAIN_MS, PUSH_AGAIN_MS]);
});

test('of a fetch no more comes than is missing here, and a shallow clone stays one', async () => {
  const { s, bare, push, wait } = withRemote();
  for (let n = 0; n < 30; n += 1) s.commit(`c${n}`);
  valueOf(await push(s.sh('rev-parse', 'HEAD')));
  const clone = join(s.home, 'shallow');
  s.sh('clone', '-q', '--depth', '1', `file://${bare}`, clone);
  const theirs = colleague(s, bare);
  const sh = (...args: string[]) => s.sh('-C', clone, ...args);
  sh('commit', '-q', '--allow-empty', '-m', 'mine');
  const git = createGit({ root: clone, token: 'test', env: s.env });
  const ask = { remote: 'origin', branch: 'main', commit: sh('rev-parse', 'HEAD'), url: null };
  expect(valueOf(await pushBranch(git, ask, wait))).toEqual({ behind: theirs });
  expect(sh('log', '--format=%s', 'origin/main').split('\n')).toEqual(['theirs', 'c29']);
  expect(sh('count-objects', '-v')).toMatch(/^count: [1-6]$/m);
});

test('an unknown remote is named', async () => {
  const { s } = withRemote();
  const ask = { remote: 'upstream', branch: 'main', commit: s.sh('rev-parse', 'HEAD'), url: null };
  const wait = () => Promise.resolve();
  expect(failureOf(await pushBranch(s.git, ask, wait)).reason).toBe('push-rejected');
  expect(valueOf(await remoteUrl(s.git, 'upstream'))).toBeNull();
});

test('transports and programs that the repository configured do not run', async () => {
  const { s, bare, push } = withRemote();
  const trap = join(s.home, 'sprung');
  const evil = join(s.home, 'evil.sh');
  writeFileSync(evil, `#!/bin/sh\ntouch ${trap}\nexit 1\n`, { mode: 0o755 });
  s.sh('config', 'protocol.ext.allow', 'always');
  s.sh('config', 'remote.origin.receivepack', evil);
  s.sh('config', 'remote.origin.uploadpack', evil);
  s.sh('config', 'uploadpack.packObjectsHook', evil);
  s.sh('config', 'core.sshCommand', evil);
  s.sh('config', 'credential.helper', evil);
  writeFileSync(join(s.git.gitDir, 'hooks', 'pre-push'), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
  const head = s.sh('rev-parse', 'HEAD');
  valueOf(await push(head, bare));
  expect(failureOf(await push(head, `ext::${evil}`)).reason).toBe('push-unreachable');
  expect(failureOf(await push(head, `--receive-pack=${evil}`)).reason).toBe('push-unreachable');
  expect(failureOf(await push(head, 'ssh://localhost:1/x')).reason).toBe('push-unreachable');
  expect(existsSync(trap)).toBe(false);
});
