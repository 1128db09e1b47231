import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { healthAt } from './measured.ts';

function folder(text: string | null): string {
  const at = mkdtempSync(join(tmpdir(), 'harness-measured-'));
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  if (text !== null) writeFileSync(join(at, 'health.json'), text);
  return at;
}
const kept = (more: object): string =>
  JSON.stringify({ schema: 1, session: 7, tests: 1, lint: null, files: 1, ...more });
const half = { landed: 1, total: 2 };

test('the weights of what was measured, with the features as they are now', () => {
  expect(healthAt(folder(kept({})), half)).toEqual({ status: 'FAIR', overall: 0.75, session: 7 });
  expect(healthAt(folder(kept({})), { landed: 2, total: 2 })).toMatchObject({ status: 'GOOD', overall: 1 });
  expect(healthAt(folder(kept({ tests: 0 })), half)).toMatchObject({ status: 'POOR' });
});

test('without a measurement, or with one that cannot be read, nothing is said', () => {
  expect(healthAt(folder(null), half)).toBeNull();
  for (const text of ['', '{', '[]', kept({ schema: 2 }), kept({ tests: 3 })])
    expect(healthAt(folder(text), half)).toBeNull();
  const odd = folder(null);
  mkdirSync(join(odd, 'health.json'));
  expect(healthAt(odd, half)).toBeNull();
});
