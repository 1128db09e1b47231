// A remote: what landed is pushed. If the branches diverged, both are merged and proved as a whole first, or the reason is reported.
import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { IS_EXHAUSTIVE } from '../support/effort.ts';
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

/** A second clone, as of another person: commits there and pushes. */
function colleague(shop: Workshop): (files: { readonly [path: string]: string }) => string {
  const clone = join(shop.around, 'colleague');
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', clone, ...args], { env: shop.env, encoding: 'utf8' }).trim();
  execFileSync('git', ['clone', '-q', join(shop.around, 'origin.git'), clone], { env: shop.env });
  return (files) => {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(clone, path), text);
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', 'theirs');
    git('push', '-q');
    return git('rev-parse', 'HEAD');
  };
}

const shows = (said: { readonly stdout: string; readonly stderr: string }): string => said.stdout + said.stderr;

test('a remote that moved on: both are merged, proved as a whole, and pushed; the next landing is pushed on top', async () => {
  const shop = workshop();
  const origin = withOrigin(shop);
  const theirs = colleague(shop)({ 'NOTES.md': 'from elsewhere\n' });

  const said = await shop.harness('run');
  expectExit(said, 0);
  expect(shows(said)).toMatch(/commits of origin are merged \(1\)[^]*merge: .*full .*ok/);
  expect(shop.git('log', '-1', '--format=%s')).toBe("Merge remote-tracking branch 'origin/main'");
  expect(shop.git('log', '-1', '--format=%s', 'HEAD^1')).toBe('feat(bench): #1 A bench can be set up');
  expect(shop.git('rev-parse', 'HEAD^2')).toBe(theirs);
  expect([origin('rev-parse', 'main'), shop.git('status', '--porcelain')]).toEqual([shop.git('rev-parse', 'HEAD'), '']);
  expect(shop.read('NOTES.md')).toBe('from elsewhere\n');
  expect((await shop.harness('status', '--json')).json()).toMatchObject({ unpushed: null });

  const next = await shop.harness('run', '--json');
  expectExit(next, 0);
  expect(next.json()).toMatchObject({ landed: ['2'] });
  expect(origin('log', '--first-parent', '--format=%s', 'main').split('\n')).toEqual([
    'feat(bench): #2 A saw hangs on the wall',
    "Merge remote-tracking branch 'origin/main'",
    'feat(bench): #1 A bench can be set up',
    'start',
  ]);
  expectExit(await shop.harness('evidence', 'verify'), 0);
});

test('a remote whose commits break what landed: the merge is undone and kept as an attempt, the landing is kept, nothing is pushed', async () => {
  const shop = workshop();
  const origin = withOrigin(shop);
  const theirs = colleague(shop)({ 'src/door': 'wall\n' });
  const said = await shop.harness('run');
  expectExit(said, 0);
  expect(shop.subjects()).toEqual(['feat(bench): #1 A bench can be set up']);
  expect(shows(said)).toContain('fails the checks when merged with origin (main)');
  expect(shows(said)).toContain('git pull --no-rebase');
  expect(shows(said)).toContain('not ok 3 - there is a door');
  expect((await shop.harness('status')).stdout).toMatch(
    /^Push +The remote origin has commits on main that are missing here/m,
  );
  expect([origin('rev-parse', 'main'), shop.git('status', '--porcelain')]).toEqual([theirs, '']);
  expect(shop.git('for-each-ref', '--format=%(subject)', 'refs/harness/attempts')).toContain('pull-failing');
});

test.each([
  ['the same lines', { 'src/bench': 'theirs\n' }, 'change the same lines: src/bench'],
  ['the backlog', { 'features.json': '{ "features": [] }\n' }, 'features.json'],
])('a remote that changed %s: the files are named, and nothing here or there is touched', async (_, files, words) => {
  const shop = workshop();
  const origin = withOrigin(shop);
  const theirs = colleague(shop)(files);
  const said = await shop.harness('run');
  expectExit(said, 0);
  expect(shop.subjects()).toEqual(['feat(bench): #1 A bench can be set up']);
  expect(shows(said)).toContain(words);
  expect([origin('rev-parse', 'main'), shop.git('status', '--porcelain')]).toEqual([theirs, '']);
});

// The pushes are tried again after seconds of real time: in CI.
test.runIf(IS_EXHAUSTIVE)(
  'a remote that cannot be reached: the work lands here, and the next landing pushes both',
  async () => {
    const shop = workshop();
    const origin = withOrigin(shop);
    const folder = join(shop.around, 'origin.git');
    renameSync(folder, `${folder}.away`);
    const said = await shop.harness('run');
    expectExit(said, 0);
    expect(shows(said)).toContain('The remote origin could not be reached for a push of main');
    renameSync(`${folder}.away`, folder);
    expectExit(await shop.harness('run'), 0);
    expect(origin('rev-parse', 'main')).toBe(shop.git('rev-parse', 'HEAD'));
    expect(origin('log', '--format=%s', 'main').split('\n')).toHaveLength(3);
  },
);
