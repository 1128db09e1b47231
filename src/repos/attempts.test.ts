import { expect, test } from 'vitest';
import { stage, valueOf } from '../../test/stage/repository.ts';
import { refPart } from '../model/ref-part.ts';
import { keepAttempt, listAttempts } from './attempts.ts';
import { takeCheckpoint } from './checkpoint.ts';
import { restoreTree } from './restore.ts';

const begin = async () => {
  const s = stage({ 'a.txt': 'a\n' });
  const base = valueOf(await takeCheckpoint(s.git, { ref: 'refs/harness/checkpoints/1', message: 'm' }));
  const keep = (token: string, item: string | null = 'F-1') =>
    keepAttempt(s.git, { item, session: 3, why: 'tests failed', base, token });
  return { s, base, keep };
};

test('an attempt keeps the tree and the commits since the base, and survives the rollback', async () => {
  const { s, base, keep } = await begin();
  s.write('b.txt', 'committed\n');
  const theirs = s.commit('agent');
  s.write('c.txt', 'loose\n');
  const kept = valueOf(await keep('t1'));
  expect(kept).toMatchObject({ number: 1, ref: 'refs/harness/attempts/F-1/1', why: 'tests failed', session: 3 });
  valueOf(await restoreTree(s.git, base));
  expect(s.sh('show', `${kept?.ref}:c.txt`)).toBe('loose');
  expect(s.sh('merge-base', '--is-ancestor', theirs, String(kept?.commit))).toBe('');
});

test('nothing is kept where nothing differs from the base', async () => {
  const { s, keep } = await begin();
  expect(valueOf(await keep('t1'))).toBeNull();
  expect(s.sh('for-each-ref', 'refs/harness/attempts')).toBe('');
});

test('asked again with the same token, also after the rollback, it is the same attempt', async () => {
  const { s, base, keep } = await begin();
  s.write('a.txt', 'first\n');
  const first = valueOf(await keep('t1'));
  valueOf(await restoreTree(s.git, base));
  expect(valueOf(await keep('t1'))).toEqual(first);
  s.write('a.txt', 'second\n');
  expect(valueOf(await keep('t2'))?.number).toBe(2);
  expect(valueOf(await listAttempts(s.git, 'F-1')).map(({ number, token }) => [number, token])).toEqual([
    [1, 't1'],
    [2, 't2'],
  ]);
});

test('commits on the branch of the base are kept when the agent went to another branch', async () => {
  const { s, keep } = await begin();
  s.write('b.txt', 'b\n');
  const left = s.commit('on main');
  s.sh('checkout', '-q', '-b', 'elsewhere', 'HEAD~1');
  const kept = valueOf(await keep('t1'));
  expect(s.sh('rev-list', String(kept?.commit)).split('\n')).toContain(left);
});

test('repositories inside the repository are kept as files, ignored files in them left out', async () => {
  const { s, keep } = await begin();
  s.write('app/.gitignore', 'node_modules/\n');
  s.write('app/node_modules/x', 'x');
  s.write('app/main.ts', 'main\n');
  s.sh('init', '-q', 'app');
  s.write('app/deep/inner.ts', 'inner\n');
  s.sh('init', '-q', 'app/deep');
  s.sh('-C', 'app/deep', 'add', '-A');
  s.sh('-C', 'app/deep', 'commit', '-qm', 'x');
  const kept = valueOf(await keep('t1'));
  expect(s.sh('ls-tree', '-r', '--name-only', String(kept?.tree)).split('\n')).toEqual([
    'a.txt',
    'app/.gitignore',
    'app/deep/inner.ts',
    'app/main.ts',
  ]);
});

test('any item id is a ref of its own', async () => {
  const { s, keep } = await begin();
  s.write('a.txt', 'x\n');
  const ids = ['1', '..', 'a/b', 'a b.lock', '@{', 'ü~^:?*[\\', '', '%none', null];
  const refs = new Set<string>();
  for (const id of ids) refs.add(String(valueOf(await keep('t', id))?.ref));
  expect(refs.size).toBe(ids.length);
  expect(refPart('a/b')).toBe('a%2fb');
});

test('a copy of the state, which ignores itself, is in no attempt, whatever rules the agent wrote', async () => {
  const { s, keep } = await begin();
  s.write('.harness.backup.20250116/.gitignore', '*\n');
  s.write('.harness.backup.20250116/session_state.json', '{}\n');
  s.write('.gitignore', 'built\n');
  s.write('built/by-agent.txt', 'hidden\n');
  const kept = valueOf(await keep('t1'));
  const files = s.sh('ls-tree', '-r', '--name-only', String(kept?.tree)).split('\n');
  expect(files).toContain('built/by-agent.txt');
  expect(files.filter((path) => path.includes('backup'))).toEqual([]);
});
