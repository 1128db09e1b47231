// Two lanes find flaky tests at the same time: neither loses what the other found.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { realIo } from '../../host/io.ts';
import { withFlaky, type Quarantine } from '../../verify/quarantine.ts';
import { changeQuarantine, quarantineOf, showQuarantine } from './quarantine.ts';

const AT = '2026-01-01T00:00:00.000Z';
const found = (id: string): ReadonlyMap<string, { fails: number; passes: number }> =>
  new Map([[id, { fails: 1, passes: 2 }]]);

function place() {
  const root = mkdtempSync(join(tmpdir(), 'quarantine-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const context = {
    io: realIo(),
    root,
    stateDir: join(root, '.harness'),
    privateDir: join(root, 'private'),
    workspaceDir: join(root, 'private'),
    treeDir: join(root, 'private'),
  };
  for (const folder of [context.stateDir, context.privateDir]) mkdirSync(folder, { recursive: true });
  return context;
}
const idsOf = (context: ReturnType<typeof place>): readonly string[] => {
  const kept = quarantineOf(context);
  return kept.ok ? kept.value.map(({ id }) => id) : [];
};

test('what two checks found since both read the list is in it; what one of them released is not', () => {
  const context = place();
  const old: Quarantine = [
    { id: 'old', since: AT, session: 1, expires: '2026-01-02T00:00:00.000Z', fails: 1, passes: 1 },
  ];
  changeQuarantine(context, [], old);
  const one = withFlaky(old, found('a'), { at: '2026-01-03T00:00:00.000Z', session: 2 });
  const two = withFlaky(old, found('b'), { at: AT, session: 3 });
  expect(changeQuarantine(context, old, one).ok).toBe(true);
  expect(changeQuarantine(context, old, two).ok).toBe(true);
  expect(idsOf(context)).toEqual(['a', 'b']);
  expect(showQuarantine(context).ok).toBe(true);
});

test('two processes that write into it as often as they can lose nothing of each other', async () => {
  const context = place();
  const writer = (name: string): Promise<number | null> => {
    const { io: _, ...folders } = context;
    const program = `
      import { realIo } from ${JSON.stringify(join(import.meta.dirname, '../../host/io.ts'))};
      import { withFlaky } from ${JSON.stringify(join(import.meta.dirname, '../../verify/quarantine.ts'))};
      import { changeQuarantine } from ${JSON.stringify(join(import.meta.dirname, 'quarantine.ts'))};
      const context = { io: realIo(), ...${JSON.stringify(folders)} };
      for (let n = 0; n < 10; n += 1) {
        const found = new Map([['${name}-' + n, { fails: 1, passes: 1 }]]);
        const done = changeQuarantine(context, [], withFlaky([], found, { at: '${AT}', session: n }));
        if (!done.ok) process.exit(1);
      }`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
    return new Promise((ended) => child.on('close', ended));
  };
  expect(await Promise.all([writer('one'), writer('two')])).toEqual([0, 0]);
  expect(idsOf(context).length).toBe(20);
});
