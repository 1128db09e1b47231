// The tool policy against a real file system: links, the present backlog, and the work tree itself.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { closedPath, toolPolicy } from './policy.ts';

function workspace(): { readonly top: string; readonly root: string } {
  const top = mkdtempSync(join(tmpdir(), 'tool-policy-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, 'project');
  mkdirSync(join(root, '.git', 'hooks'), { recursive: true });
  return { top, root };
}
const ruleOf = (verdict: ReturnType<ReturnType<typeof toolPolicy>>): string =>
  verdict.allow ? 'allowed' : verdict.why;

test('links are resolved before a path is judged, also those to a missing target', () => {
  const { top, root } = workspace();
  symlinkSync(top, join(root, 'out'));
  symlinkSync(join(top, 'nowhere'), join(root, 'dangling'));
  symlinkSync('.git/hooks', join(root, 'tools'));
  symlinkSync('src', join(root, 'source'));
  const policy = toolPolicy(root, 'exec');
  const write = (path: string) => ruleOf(policy({ tool: 'edit', paths: [join(root, path)], command: null }));
  const run = (command: string) => ruleOf(policy({ tool: 'Bash', paths: [], command }));
  expect(['a', 'source/new/b', 'out/c', 'dangling', 'tools/pre-commit'].map(write)).toEqual([
    'allowed',
    'allowed',
    'outside-the-lane',
    'outside-the-lane',
    'git-folder',
  ]);
  expect(
    ['> out/c', '> dangling', 'cp x tools/pre-push', 'echo > source/a', `echo > '${top}/sibling'`].map(run),
  ).toEqual(['outside-the-lane', 'outside-the-lane', 'git-folder', 'allowed', 'outside-the-lane']);
});

test('a project that is reached through a link is the project by both names', () => {
  const { top, root } = workspace();
  symlinkSync(root, join(top, 'work'));
  const policy = toolPolicy(join(top, 'work'), 'exec');
  for (const by of [root, join(top, 'work')]) {
    expect(ruleOf(policy({ tool: 'edit', paths: [join(by, 'a')], command: null }))).toBe('allowed');
    expect(ruleOf(policy({ tool: 'edit', paths: [join(by, '.git/config')], command: null }))).toBe('git-folder');
    expect(ruleOf(policy({ tool: 'Bash', paths: [], command: `rm -rf '${by}'` }))).toBe('remove-everything');
  }
});

test('a call that replaces the backlog is compared with the present one', () => {
  const { root } = workspace();
  const text = (passes: boolean, id = 1): string => JSON.stringify({ features: [{ id, passes }] });
  writeFileSync(join(root, 'features.json'), text(false));
  const policy = toolPolicy(root, 'exec');
  const write = (after: string) =>
    ruleOf(
      policy({ tool: 'Write', paths: [join(root, 'features.json')], command: null, change: { before: null, after } }),
    );
  expect([write(text(true)), write(text(true, 2)), write('')]).toEqual([
    'allowed',
    'backlog-beyond-claim',
    'backlog-beyond-claim',
  ]);
});

test('the root of the project counts as inside of it', () => {
  expect(closedPath('/project', '/project')).toBeNull();
});
