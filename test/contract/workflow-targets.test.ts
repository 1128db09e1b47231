// The path validator of the workflow over a real work tree, through the product's own reader.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judgeTargets } from '../../src/playbooks/workflow/paths/patch.ts';
import { openRepositoryView } from '../../src/repos/repository-view.ts';
import { stage } from '../stage/repository.ts';

test('targets are judged by the files of a real work tree', async () => {
  const s = stage({ 'src/a.ts': 'a', 'Read.md': 'r' });
  symlinkSync('src', join(s.root, 'lib'));
  symlinkSync('/etc', join(s.root, 'etc'));
  symlinkSync('a.ts', join(s.root, 'src/link.ts'));
  const world = openRepositoryView(s.git, s.root, { now: () => 0, iso: () => '1970-01-01T00:00:00.000Z' });
  const ruleOf = async (path: string) => {
    const judged = await judgeTargets(world, [path], { scope: '(no limit)', docsPath: 'docs/harness/x/' });
    return judged.isAllowed ? 'allowed' : judged.rule;
  };
  const paths = ['src/a.ts', 'new/b.ts', 'lib/a.ts', 'etc/passwd', 'src/link.ts', 'read.md', 'src', 'src/a.ts/b'];
  expect(await Promise.all(paths.map(ruleOf))).toEqual([
    'allowed',
    'allowed',
    'link-in-diff',
    'link-out',
    'link-itself',
    'other-spelling',
    'no-file',
    'below-a-file',
  ]);
});
