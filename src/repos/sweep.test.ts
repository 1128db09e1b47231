import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, type Stage } from '../../test/stage/repository.ts';
import { sweepLocks, sweepObjects } from './sweep.ts';
import { rawFolder } from './view.ts';

/** A file of the git folder, last written so many seconds after the beginning of time. */
const left = (s: Stage, path: string, at = 100): string => {
  s.write(`.git/${path}`, 'half');
  utimesSync(join(s.git.gitDir, path), at, at);
  return join(s.git.gitDir, path);
};
const NOW = 200_000;

test('what a killed git was writing goes, objects and packs that are whole stay', () => {
  const s = stage();
  s.sh('repack', '-adq');
  s.write('new', 'loose');
  s.commit('loose');
  const half = [
    left(s, 'objects/5f/tmp_obj_nNcJP0'),
    left(s, 'objects/pack/tmp_pack_ih1Gjy'),
    left(s, 'objects/pack/.tmp-12-pack-5a'),
  ];
  left(s, 'objects/tmp_objdir-bulk-fsync-VWVrhM/5f/tmp_obj_nNcJP0');
  const folder = join(s.git.gitDir, 'objects/tmp_objdir-bulk-fsync-VWVrhM');
  utimesSync(folder, 100, 100);
  const young = left(s, 'objects/5f/tmp_obj_young', 300);
  expect([...sweepObjects(s.git, NOW)].sort()).toEqual([...half, folder].sort());
  expect([existsSync(folder), existsSync(young)]).toEqual([false, true]);
  expect(s.sh('fsck', '--full')).toBe('');
});

test('the index of a killed stash goes, a branch of that name stays', () => {
  const s = stage();
  s.sh('branch', 'index.stash.12');
  utimesSync(join(s.git.gitDir, 'refs/heads/index.stash.12'), 100, 100);
  const index = left(s, 'index.stash.12');
  expect(sweepLocks(s.git, NOW)).toEqual([index]);
  expect(s.sh('rev-parse', 'index.stash.12')).toBe(s.sh('rev-parse', 'HEAD'));
});

test('a lock in disguise goes as well: dated in the future, a folder, a link that leads nowhere', () => {
  const s = stage();
  const future = left(s, 'index.lock', 4_000_000_000);
  mkdirSync(join(s.git.gitDir, 'HEAD.lock/full'), { recursive: true });
  symlinkSync('/nowhere', join(s.git.gitDir, 'config.lock'));
  const locks = ['HEAD.lock', 'config.lock'].map((name) => join(s.git.gitDir, name));
  expect([...sweepLocks(s.git, Date.now() + 1_000)].sort()).toEqual([...locks, future].sort());
  expect(s.sh('status', '--porcelain')).toBe('');
});

test('the FETCH_HEAD of a killed fetch goes, the user’s own stays', () => {
  const s = stage();
  const own = join(rawFolder(s.git), 'FETCH_HEAD');
  mkdirSync(rawFolder(s.git), { recursive: true });
  writeFileSync(own, 'half');
  utimesSync(own, 100, 100);
  left(s, 'FETCH_HEAD');
  expect(sweepLocks(s.git, Date.now() + 1_000)).toEqual([own]);
});
