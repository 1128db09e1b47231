// Finding this package, from the sources and from the build.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { entryFile, packageRoot, packageVersion, promptsFolder } from './package-root.ts';

const made = mkdtempSync(join(tmpdir(), 'package-'));
afterAll(() => rmSync(made, { recursive: true }));
mkdirSync(join(made, 'dist/chunks'), { recursive: true });
mkdirSync(join(made, 'src/host'), { recursive: true });
writeFileSync(join(made, 'package.json'), '{"version":"1.2.3"}');

test('the root of this package is found from its own code', () => {
  expect(existsSync(join(packageRoot(), 'src/host/package-root.ts'))).toBe(true);
  expect(packageVersion()).toMatch(/^\d+\.\d+\.\d+/);
});

test.each(['dist', 'dist/chunks', 'src/host'])('the root is found from %s', (from) => {
  expect(packageRoot(join(made, from))).toBe(made);
});

test('version, prompts and programs are those of the root', () => {
  expect(packageVersion(made)).toBe('1.2.3');
  expect(promptsFolder(made)).toBe(join(made, 'prompts'));
  expect(entryFile('session', made)).toBe(join(made, 'src/agents/host/main.ts'));
  expect(entryFile('scripted', made)).toBe(join(made, 'src/agents/scripted/main.ts'));
});

test('a built program takes precedence over its source', () => {
  writeFileSync(join(made, 'dist/session.mjs'), '');
  expect(entryFile('session', made)).toBe(join(made, 'dist/session.mjs'));
  expect(entryFile('scripted', made)).toBe(join(made, 'src/agents/scripted/main.ts'));
});
