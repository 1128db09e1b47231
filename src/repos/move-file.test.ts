// A file of the base branch of a remote is moved once, also where users renamed, moved or removed it meanwhile.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, valueOf } from '../../test/stage/repository.ts';
import { moveOnRemote } from './move-file.ts';

const [FROM, TO] = ['plans/0001-cart.md', 'plans/completed/0001-cart.md'];

function withFiles(...paths: readonly string[]) {
  const s = stage();
  const url = join(s.root, '..', 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', url], { env: s.env });
  for (const path of ['plans/0002-pay.md', ...paths]) s.write(path, `# ${path}\n`);
  s.sh('add', '-A');
  s.sh('commit', '-q', '-m', 'plans');
  s.sh('push', '-q', url, 'HEAD:refs/heads/main');
  const about = { remote: 'origin', url, branch: 'main', from: FROM, to: TO, subject: 'chore: moved', trailers: {} };
  const there = (): string =>
    execFileSync('git', ['-C', url, 'ls-tree', '-r', '--name-only', 'main', 'plans/'], { env: s.env })
      .toString()
      .trim();
  return {
    move: (alike: string | null = '0001-') => moveOnRemote(s.git, alike === null ? about : { ...about, alike }),
    plans: () =>
      there()
        .split('\n')
        .filter((path) => !path.includes('0002')),
  };
}

test('it is moved once, and asked for again nothing is left to do', async () => {
  const { move, plans } = withFiles(FROM);
  expect(valueOf(await move()).commit).toMatch(/^[0-9a-f]{40}$/);
  expect(plans()).toEqual([TO]);
  expect(valueOf(await move()).commit).toBeNull();
});

test.each([
  ['renamed where it was', ['plans/0001-basket.md'], ['plans/completed/0001-basket.md']],
  ['renamed where it is moved to', ['plans/completed/0001-basket.md'], ['plans/completed/0001-basket.md']],
  ['removed', [], []],
  ['both there and renamed', [FROM, 'plans/0001-notes.md'], ['plans/0001-notes.md', TO]],
])('%s by a user: it is found, and nothing fails', async (_, before, after) => {
  const { move, plans } = withFiles(...before);
  valueOf(await move());
  expect(plans()).toEqual(after);
  expect(valueOf(await move()).commit).toBeNull();
});

test('a file that has no other name and is nowhere is a failure', async () => {
  const { move } = withFiles('plans/0001-basket.md');
  expect(await move(null)).toMatchObject({ ok: false, failure: { reason: 'forge-file-missing' } });
});
