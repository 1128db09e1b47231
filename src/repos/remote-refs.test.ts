// Refs of a remote: all of them move or none, and only from where they were.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, valueOf } from '../../test/stage/repository.ts';
import { fetchRefs, moveRemoteRefs, remoteRefs } from './remote-refs.ts';

function withRemote() {
  const s = stage();
  const url = join(s.root, '..', 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', url], { env: s.env });
  s.sh('push', '-q', url, 'HEAD:refs/heads/main', 'HEAD:refs/x/refs/heads/main');
  const at = (...refs: readonly string[]) => remoteRefs(s.git, { remote: 'origin', url, refs });
  return { s, url, at, main: s.sh('rev-parse', 'HEAD') };
}
const MAIN = 'refs/heads/main';

test('refs are found by their whole name; those that do not exist are left out', async () => {
  const { at, main } = withRemote();
  expect([...valueOf(await at(MAIN, 'refs/heads/none'))]).toEqual([[MAIN, main]]);
});

test('all move or none', async () => {
  const { s, url, at, main } = withRemote();
  const next = s.commit('next');
  const move = (from: string | null) =>
    moveRemoteRefs(s.git, {
      remote: 'origin',
      url,
      moves: [
        { ref: MAIN, from: main, to: next },
        { ref: 'refs/harness/forge', from, to: next },
      ],
    });
  expect(valueOf(await move(next))).toBe('overtaken');
  expect(valueOf(await at(MAIN)).get(MAIN)).toBe(main);
  expect(valueOf(await move(null))).toBe('moved');
  expect([...valueOf(await at(MAIN, 'refs/harness/forge')).values()]).toEqual([next, next]);
  // The answer was lost: asked again, it is done.
  expect(valueOf(await move(null))).toBe('moved');
});

test('a ref that others moved is not overwritten, and can be removed where it is known', async () => {
  const { s, url, at, main } = withRemote();
  const [theirs, mine] = [s.commit('theirs'), s.commit('mine')];
  s.sh('push', '-q', url, `${theirs}:${MAIN}`);
  const move = (from: string, to: string | null) =>
    moveRemoteRefs(s.git, { remote: 'origin', url, moves: [{ ref: MAIN, from, to }] });
  expect(valueOf(await move(main, mine))).toBe('overtaken');
  expect(valueOf(await at(MAIN)).get(MAIN)).toBe(theirs);
  expect(valueOf(await move(theirs, main))).toBe('moved');
});

test('objects are fetched without moving a ref here', async () => {
  const { s, url } = withRemote();
  const other = stage();
  other.sh('fetch', '-q', url, MAIN);
  other.sh('switch', '-q', '--detach', 'FETCH_HEAD');
  const theirs = other.commit('theirs');
  other.sh('push', '-q', url, `HEAD:${MAIN}`);
  const before = s.sh('for-each-ref');
  expect(valueOf(await fetchRefs(s.git, { remote: 'origin', url, refs: [MAIN] })).get(MAIN)).toBe(theirs);
  expect(s.sh('cat-file', '-t', theirs)).toBe('commit');
  expect(s.sh('for-each-ref')).toBe(before);
});

test('a remote with a hook that refuses is quoted; one that is away is said to be', async () => {
  const { s, url, main } = withRemote();
  s.write('../remote.git/hooks/pre-receive', '#!/bin/sh\necho "not on a Friday" >&2\nexit 1\n', 0o755);
  const moves = [{ ref: MAIN, from: main, to: s.commit('next') }];
  expect(await moveRemoteRefs(s.git, { remote: 'origin', url, moves })).toMatchObject({
    failure: {
      reason: 'forge-refused',
      params: { what: 'git push origin main', words: expect.stringContaining('not on a Friday') },
    },
  });
  const away = { remote: 'origin', url: '/nowhere/at/all.git' };
  expect(await moveRemoteRefs(s.git, { ...away, moves })).toMatchObject({ failure: { reason: 'forge-unreachable' } });
});
