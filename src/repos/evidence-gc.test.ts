import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, valueOf } from '../../test/stage/repository.ts';
import { amountOf } from '../../test/support/effort.ts';
import { writeBundle } from './evidence.ts';

test('while `git gc` removes folders that are empty, a bundle is whole with all that it names', async () => {
  const s = stage();
  const sweep = 'while [ -e go ]; do rmdir objects/?? 2>/dev/null; done';
  writeFileSync(join(s.root, '.git/go'), '');
  const child = spawn('sh', ['-c', sweep], { cwd: join(s.root, '.git'), stdio: 'ignore' });
  const ended = once(child, 'exit');
  const tree = { path: 'checked', id: s.sh('rev-parse', 'HEAD^{tree}') };
  let previous: string | null = null;
  for (let n = 1; n <= amountOf(40, 150, 400); n += 1) {
    const files = Array.from({ length: 25 }, (_, f) => ({ path: `checks/${f % 4}/${f}`, text: `${f} of ${n}\n` }));
    valueOf(
      await writeBundle(s.git, {
        mark: String(n),
        message: `bundle ${n}\n`,
        at: '2026-01-02T03:04:05.000Z',
        previous,
        files,
        tree,
      }),
    );
    previous = s.sh('rev-parse', `refs/harness/pending/${n}`);
  }
  rmSync(join(s.root, '.git/go'));
  await ended;
  // Fails with what git says where an object is not there.
  expect(s.sh('rev-list', '--objects', '--all').split('\n').length).toBeGreaterThan(500);
  expect(s.sh('log', '-1', '--format=%an %s', previous ?? '')).toBe('Ada bundle ' + String(amountOf(40, 150, 400)));
  expect(s.sh('ls-tree', '-r', '--name-only', previous ?? '').split('\n')).toHaveLength(
    25 + s.sh('ls-files').split('\n').filter(Boolean).length,
  );
  expect(s.sh('fsck', '--strict')).toBe('');
});
