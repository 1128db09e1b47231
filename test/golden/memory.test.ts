// What `harness memory` shows: of a machine that has none, and the layers of one that has, with what is broken or confirmed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { golden, transcript } from './golden.ts';

test('the layers are shown with their caps, tricks with who confirmed them, an identity as it is', async () => {
  const repo = makeRepo({ '.harness.yaml': 'playbook: features\nproject: { name: shop }\n' });
  const before = await transcript(repo, ['memory', 'memory nobody']);
  const put = (file: string, text: string): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const at = '2026-01-02T03:04:05.678Z';
  const records = [
    { token: 'a', at, entries: [{ n: 1, session: 1, role: 'coding', item: '1', lines: ['TRICK: run one file', 'x'] }] },
    { token: 'b', at, entries: [{ n: 2, session: 2, role: 'coding', item: '2', lines: ['TRICK: Run one file.'] }] },
    { token: 'c', at, entries: [{ n: 3, session: 3, role: 'coding', item: '2', lines: ['TRICK: wait for it'] }] },
  ];
  put(join(repo.privateDir, 'memory/raw.jsonl'), records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  put(join(repo.privateDir, 'memory/curation.json'), JSON.stringify({ schema: 1, at, session: 3, upTo: 2 }));
  put(join(repo.root, '.harness/memory/summary.md'), 'line\n'.repeat(50));
  put(join(repo.root, '.harness/memory/MEMORY.md'), 'The API is slow.\n');
  const after = await transcript(repo, ['memory coding', '--lang de memory', 'memory --json']);
  const seen = `${before}\n${after}`;
  expect(seen).toBe(golden('memory', seen));
});
