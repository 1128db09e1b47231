import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failureOf, stage, valueOf } from '../../test/stage/repository.ts';
import { pushBranch, remoteUrl } from './push.ts';

const withRemote = () => {
  const s = stage();
  const bare = join(s.home, 'origin.git');
  s.sh('init', '-q', '--bare', bare);
  s.sh('remote', 'add', 'origin', bare);
  const push = (commit: string, url: string | null = null) =>
    pushBranch(s.git, { remote: 'origin', branch: 'main', commit, url });
  return { s, bare, push };
};

test('a branch is pushed, the tracking ref follows, and pushing again is fine', async () => {
  const { s, bare, push } = withRemote();
  const head = s.sh('rev-parse', 'HEAD');
  valueOf(await push(head));
  valueOf(await push(head));
  expect([s.sh('-C', bare, 'rev-parse', 'main'), s.sh('rev-parse', 'origin/main')]).toEqual([head, head]);
});

test('what is no fast-forward is rejected in the words of git', async () => {
  const { s, push } = withRemote();
  const first = s.commit('one');
  valueOf(await push(first));
  s.sh('reset', '-q', '--hard', 'HEAD~1');
  const failed = failureOf(await push(s.commit('two')));
  expect(failed).toMatchObject({ reason: 'push-rejected', params: { remote: 'origin', branch: 'main' } });
  expect(failed.params['words']).toMatch(/rejected|fast-forward|failed to push/);
});

test('an unknown remote is named', async () => {
  const { s } = withRemote();
  const ask = { remote: 'upstream', branch: 'main', commit: s.sh('rev-parse', 'HEAD'), url: null };
  expect(failureOf(await pushBranch(s.git, ask)).reason).toBe('push-rejected');
  expect(valueOf(await remoteUrl(s.git, 'upstream'))).toBeNull();
});

test('transports and programs that the repository configured do not run', async () => {
  const { s, bare, push } = withRemote();
  const trap = join(s.home, 'sprung');
  const evil = join(s.home, 'evil.sh');
  writeFileSync(evil, `#!/bin/sh\ntouch ${trap}\nexit 1\n`, { mode: 0o755 });
  s.sh('config', 'protocol.ext.allow', 'always');
  s.sh('config', 'remote.origin.receivepack', evil);
  s.sh('config', 'core.sshCommand', evil);
  s.sh('config', 'credential.helper', evil);
  writeFileSync(join(s.git.gitDir, 'hooks', 'pre-push'), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
  const head = s.sh('rev-parse', 'HEAD');
  valueOf(await push(head, bare));
  expect(failureOf(await push(head, `ext::${evil}`)).reason).toBe('push-rejected');
  expect(failureOf(await push(head, `--receive-pack=${evil}`)).reason).toBe('push-rejected');
  expect(failureOf(await push(head, 'ssh://localhost:1/x')).reason).toBe('push-rejected');
  expect(existsSync(trap)).toBe(false);
});
