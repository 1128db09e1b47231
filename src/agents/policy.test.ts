import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { closedPath, lanePolicy } from './policy.ts';

function place(): { readonly root: string; readonly lane: string } {
  const root = mkdtempSync(join(tmpdir(), 'lane-policy-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const lane = join(root, 'lane');
  mkdirSync(join(lane, '.git', 'hooks'), { recursive: true });
  return { root, lane };
}
const said = (verdict: ReturnType<ReturnType<typeof lanePolicy>>): string => (verdict.allow ? 'allowed' : verdict.why);

test('links are followed before a path is judged, those that lead nowhere yet included', () => {
  const { root, lane } = place();
  symlinkSync(root, join(lane, 'out'));
  symlinkSync(join(root, 'nowhere'), join(lane, 'dangling'));
  symlinkSync('.git/hooks', join(lane, 'tools'));
  symlinkSync('src', join(lane, 'source'));
  const policy = lanePolicy(lane, 'exec');
  const write = (path: string) => said(policy({ tool: 'edit', paths: [join(lane, path)], command: null }));
  const run = (command: string) => said(policy({ tool: 'Bash', paths: [], command }));
  expect(['a', 'source/new/b', 'out/c', 'dangling', 'tools/pre-commit'].map(write)).toEqual([
    'allowed',
    'allowed',
    'outside-the-lane',
    'outside-the-lane',
    'git-folder',
  ]);
  expect(
    ['> out/c', '> dangling', 'cp x tools/pre-push', 'echo > source/a', `echo > '${root}/beside'`].map(run),
  ).toEqual(['outside-the-lane', 'outside-the-lane', 'git-folder', 'allowed', 'outside-the-lane']);
});

test('a lane that is reached through a link is the lane by both names', () => {
  const { root, lane } = place();
  symlinkSync(lane, join(root, 'work'));
  const policy = lanePolicy(join(root, 'work'), 'exec');
  for (const by of [lane, join(root, 'work')]) {
    expect(said(policy({ tool: 'edit', paths: [join(by, 'a')], command: null }))).toBe('allowed');
    expect(said(policy({ tool: 'edit', paths: [join(by, '.git/config')], command: null }))).toBe('git-folder');
    expect(said(policy({ tool: 'Bash', paths: [], command: `rm -rf '${by}'` }))).toBe('remove-everything');
  }
});

test('a whole new backlog is compared with the one that is there', () => {
  const { lane } = place();
  const text = (passes: boolean, id = 1): string => JSON.stringify({ features: [{ id, passes }] });
  writeFileSync(join(lane, 'features.json'), text(false));
  const policy = lanePolicy(lane, 'exec');
  const write = (after: string) =>
    said(
      policy({ tool: 'Write', paths: [join(lane, 'features.json')], command: null, change: { before: null, after } }),
    );
  expect([write(text(true)), write(text(true, 2)), write('')]).toEqual([
    'allowed',
    'backlog-beyond-claim',
    'backlog-beyond-claim',
  ]);
});

test('the lane itself is inside the lane', () => {
  expect(closedPath('/lane', '/lane')).toBeNull();
});
