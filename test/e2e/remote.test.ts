// A remote: what landed is pushed; a remote that went another way costs nothing but the push.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectExit, workshop, type Workshop } from './workshop.ts';

function withOrigin(shop: Workshop): (...args: string[]) => string {
  const folder = join(shop.around, 'origin.git');
  const at = (...args: string[]): string =>
    execFileSync('git', ['-C', folder, ...args], { env: shop.env, encoding: 'utf8' }).trim();
  execFileSync('git', ['init', '-q', '--bare', folder], { env: shop.env });
  shop.git('remote', 'add', 'origin', folder);
  shop.git('push', '-q', '-u', 'origin', 'main');
  return at;
}

test('every landing is pushed, with the log of what was rolled back between; no private ref is', async () => {
  const shop = workshop();
  const origin = withOrigin(shop);
  const ran = await shop.harness('run', '--until-done', '--max-items', '2', '--json');
  expectExit(ran, 6);
  expect(origin('rev-parse', 'main')).toBe(shop.git('rev-parse', 'HEAD'));
  expect(shop.git('status', '-sb').split('\n')[0]).toBe('## main...origin/main');
  expect(origin('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
});

test('a remote that went another way: the work lands here, the run says so, and the next landing pushes both', async () => {
  const shop = workshop();
  const origin = withOrigin(shop);
  const clone = join(shop.around, 'colleague');
  execFileSync('git', ['clone', '-q', join(shop.around, 'origin.git'), clone], { env: shop.env });
  const colleague = (...args: string[]): string =>
    execFileSync('git', ['-C', clone, ...args], { env: shop.env, encoding: 'utf8' });
  colleague('commit', '-q', '--allow-empty', '-m', 'theirs');
  colleague('push', '-q');
  const theirs = origin('rev-parse', 'main');

  const said = await shop.harness('run');
  expectExit(said, 0);
  expect(shop.subjects()).toEqual(['feat(bench): #1 A bench can be set up']);
  expect(said.stdout + said.stderr).toMatch(/push/i);
  expect(said.stdout + said.stderr).toContain('git pull --rebase');
  expect(origin('rev-parse', 'main')).toBe(theirs);

  shop.git('pull', '-q', '--rebase');
  const next = await shop.harness('run', '--json');
  expectExit(next, 0);
  expect(next.json()).toMatchObject({ landed: ['2'] });
  expect(origin('log', '--format=%s', 'main').split('\n')).toEqual([
    'feat(bench): #2 A saw hangs on the wall',
    'feat(bench): #1 A bench can be set up',
    'theirs',
    'start',
  ]);
});
