// Evidence of a check that ran for another lane.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { realIo } from '../host/io.ts';
import { copyEvidence } from './evidence.ts';

test('is a copy of its own: byte by byte, and nothing of an interrupted run is left in it', () => {
  const top = mkdtempSync(join(tmpdir(), 'harness-evidence-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [from, to] = [join(top, 'from'), join(top, 'to')];
  for (const folder of [from, to]) mkdirSync(folder);
  const files = { 'checks.json': '{}\n', 'passing.json': '["a"]\n', '1-full.report.xml': '\u00e9\r\n' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(from, name), Buffer.from(text, 'latin1'));
  writeFileSync(join(to, '2-lint.stdout.txt'), 'of a run that was killed');
  const io = realIo();
  const written: string[] = [];
  copyEvidence(
    { ...io, replaceAll: (all) => (written.push(...all.map(({ path }) => path)), io.replaceAll(all)) },
    from,
    to,
  );
  expect(written.at(-1)).toBe(join(to, 'checks.json'));
  rmSync(from, { recursive: true });
  const copied = readdirSync(to).map((name) => [name, readFileSync(join(to, name), 'latin1')]);
  expect(Object.fromEntries(copied)).toEqual(files);
});
