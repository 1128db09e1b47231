// What retention removes: the folders it found, and refs of checkpoints, whatever a record says of itself.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { realIo } from '../../host/io.ts';
import { ok } from '../../model/result.ts';
import { configOf } from '../../../test/support/config.ts';
import type { RunContext } from '../run-context.ts';
import { writeCheckpointRecord } from './checkpoints.ts';

test('records of older programs and forged ones lead to no other ref and out of no folder', async () => {
  const root = mkdtempSync(join(tmpdir(), 'checkpoints-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const stateDir = join(root, '.harness');
  const asked: (readonly string[])[] = [];
  const context = {
    stateDir,
    io: realIo(),
    clock: { now: () => Date.parse('2026-01-01T00:00:00Z'), iso: () => '2026-01-01T00:00:00.000Z' },
    config: configOf({}),
    view: { read: async () => null },
    git: { run: async (args: readonly string[]) => ok((asked.push(args), '')) },
  } as unknown as RunContext;
  for (let n = 0; n < 8; n += 1) {
    mkdirSync(join(stateDir, 'checkpoints', `old-${n}`), { recursive: true });
    const forged = n === 0 ? { id: '../..', checkpoint_ref: 'refs/heads/main' } : { id: `old-${n}` };
    const record = {
      ...forged,
      timestamp: `2025-01-0${n + 1}T00:00:00`,
      session: n,
      git_ref: 'def456',
      reason: 'manual',
    };
    writeFileSync(join(stateDir, 'checkpoints', `old-${n}`, 'checkpoint.json'), JSON.stringify(record));
  }
  const taken = { id: 'new', ref: 'refs/harness/checkpoints/new', commit: 'c', tree: 't', head: 'h', branch: 'main' };
  await writeCheckpointRecord(context, taken, { session: 9, item: '1', why: 'pre_feature' });
  expect(existsSync(stateDir)).toBe(true);
  expect(asked).toEqual([]);
  expect(readdirSync(join(stateDir, 'checkpoints')).sort()).toEqual([
    'new',
    'old-3',
    'old-4',
    'old-5',
    'old-6',
    'old-7',
  ]);
});
