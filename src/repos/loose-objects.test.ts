import { Buffer } from 'node:buffer';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, type Stage } from '../../test/stage/repository.ts';
import { countSyncs } from '../../test/support/count-reads.ts';
import { writeObjects, type NewObject } from './loose-objects.ts';

const blob = (text: string): NewObject => ({ type: 'blob', bytes: Buffer.from(text) });

/** With no folder of loose objects: the id of the first commit, and so its folder, depends on the time. */
function packed(): Stage {
  const s = stage();
  s.sh('repack', '-a', '-d', '-q');
  expect(readdirSync(join(s.root, '.git/objects')).toSorted()).toEqual(['info', 'pack']);
  return s;
}

test('git reads what was written, and finds nothing wrong with it', async () => {
  const s = stage();
  const bytes = Buffer.from([0, 255, 10, 13, 0]);
  const head = s.sh('rev-parse', 'HEAD');
  const ids = (await writeObjects(s.git, [blob(''), blob('text\n'), { type: 'blob', bytes }], head)) ?? [];
  const read = ids.map((id) => execFileSync('git', ['cat-file', 'blob', id], { cwd: s.root }));
  expect(read).toEqual([Buffer.alloc(0), Buffer.from('text\n'), bytes]);
  const [tree = ''] =
    (await writeObjects(
      s.git,
      [{ type: 'tree', bytes: Buffer.concat([Buffer.from('100644 f\0'), Buffer.from(ids[1] ?? '', 'hex')]) }],
      head,
    )) ?? [];
  expect(s.sh('ls-tree', tree)).toBe(`100644 blob ${ids[1]}\tf`);
  s.sh('fsck', '--strict');
});

test('a repository with the other kind of ids gets such ids', async () => {
  const s = stage();
  rmSync(join(s.root, '.git'), { recursive: true });
  s.sh('init', '-q', '--object-format=sha256');
  const head = s.commit('start');
  const [id = ''] = (await writeObjects(s.gitWith({}), [blob('text\n')], head)) ?? [];
  expect(id).toHaveLength(64);
  expect(s.sh('cat-file', 'blob', id)).toBe('text');
});

test('one that is there already stays as it is and counts as young; nothing half written is left', async () => {
  const s = packed();
  const head = s.sh('rev-parse', 'HEAD');
  const [id = ''] = (await writeObjects(s.git, [blob('text\n')], head)) ?? [];
  const path = join(s.root, '.git/objects', id.slice(0, 2), id.slice(2));
  const { ino } = statSync(path);
  utimesSync(path, 0, 0);
  expect(await writeObjects(s.git, [blob('text\n')], head)).toEqual([id]);
  expect(statSync(path).ino).toBe(ino);
  expect(Date.now() - statSync(path).mtimeMs).toBeLessThan(60_000);
  expect(readdirSync(join(path, '..'))).toEqual([id.slice(2)]);
});

test('what is there several times is written and waited for once', async () => {
  const s = stage();
  const head = s.sh('rev-parse', 'HEAD');
  let ids: readonly string[] | null = [];
  const syncs = await countSyncs(async () => {
    ids = await writeObjects(s.git, [blob(''), blob('x\n'), blob(''), blob('x\n'), blob('')], head);
  });
  const [empty = '', x = ''] = ids ?? [];
  expect([ids, syncs]).toEqual([[empty, x, empty, x, empty], 2]);
  expect(s.sh('cat-file', 'blob', x)).toBe('x');
  s.sh('fsck', '--strict');
});

test('so many that they are written in several rounds', async () => {
  const s = stage();
  const head = s.sh('rev-parse', 'HEAD');
  const ids =
    (await writeObjects(
      s.git,
      Array.from({ length: 150 }, (_, n) => blob(`many ${n}\n`)),
      head,
    )) ?? [];
  expect(new Set(ids).size).toBe(150);
  expect(s.sh('cat-file', 'blob', ids[149] ?? '')).toBe('many 149');
  s.sh('fsck', '--strict');
});

test('who may use the folder of all objects may use the new ones', async () => {
  const s = packed();
  const [head, top] = [s.sh('rev-parse', 'HEAD'), join(s.root, '.git/objects')];
  for (const [mode, of] of [
    [0o2775, 0o444],
    [0o700, 0o400],
  ] as const) {
    chmodSync(top, mode);
    const [id = ''] = (await writeObjects(s.git, [blob(`text ${mode}\n`)], head)) ?? [];
    expect(statSync(join(top, id.slice(0, 2))).mode & 0o7777).toBe(mode);
    expect(statSync(join(top, id.slice(0, 2), id.slice(2))).mode & 0o7777).toBe(of);
  }
});

test('where one cannot be written none is reported', async () => {
  const s = stage();
  expect(
    await writeObjects(
      s.gitWith({ folders: { gitDir: '/dev/null', commonDir: '/dev/null', isPrivate: false } }),
      [blob('x')],
      '0'.repeat(40),
    ),
  ).toBeNull();
});

test('while `git gc` removes folders that are empty, every object is written', async () => {
  const s = stage();
  const head = s.sh('rev-parse', 'HEAD');
  const sweep = 'while [ -e go ]; do rmdir objects/?? 2>/dev/null; done';
  writeFileSync(join(s.root, '.git/go'), '');
  const child = spawn('sh', ['-c', sweep], { cwd: join(s.root, '.git'), stdio: 'ignore' });
  const ended = once(child, 'exit');
  const failed: number[] = [];
  for (let n = 0; n < 400; n += 1)
    if ((await writeObjects(s.git, [blob(`object ${n}\n`)], head)) === null) failed.push(n);
  rmSync(join(s.root, '.git/go'));
  await ended;
  expect(failed).toEqual([]);
});
