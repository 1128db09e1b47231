// One configuration file, or none: any other state of the folder is an error with a fix.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findConfig } from './find.ts';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'harness-config-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (name: string, text: string | Uint8Array = 'lanes: 1\n'): void => writeFileSync(join(root, name), text);
const reasonOf = (configFile: string | null = null): string => {
  const found = findConfig(root, configFile);
  return found.ok ? 'ok' : found.failure.reason;
};
const fileOf = (configFile: string | null = null): string | null | undefined => {
  const found = findConfig(root, configFile);
  return found.ok ? found.value && found.value.file : undefined;
};

test('a folder without a file has none', () => {
  expect(findConfig(root, null)).toEqual({ ok: true, value: null });
});

test.each(['.harness.yaml', 'harness.config.json'])('%s is found by its name', (name) => {
  put(name);
  expect(fileOf()).toBe(name);
});

test('two files are an error that names both', () => {
  put('.harness.yaml');
  put('harness.config.ts');
  expect(findConfig(root, null)).toMatchObject({
    ok: false,
    failure: { reason: 'config-ambiguous', params: { files: '.harness.yaml, harness.config.ts' } },
  });
});

test('a program as configuration is refused, with the supported formats', () => {
  put('harness.config.ts', 'export default {}');
  expect(findConfig(root, null)).toMatchObject({
    failure: { reason: 'config-not-supported', params: { allowed: '.harness.yaml | harness.config.json' } },
  });
  expect(reasonOf('harness.config.ts')).toBe('config-not-supported');
});

test.each(['.harness.yml', 'harness.config.yaml', 'harness.config.mjs'])('%s is reported as misnamed', (name) => {
  put(name);
  expect(reasonOf()).toBe('config-misnamed');
});

test('a named file replaces any other, relative to the root or absolute', () => {
  put('.harness.yaml');
  put('harness.config.json', '{}');
  mkdirSync(join(root, 'ci'));
  put('ci/night.yml');
  expect(fileOf('ci/night.yml')).toBe('ci/night.yml');
  expect(fileOf(join(root, 'ci', 'night.yml'))).toBe('ci/night.yml');
  expect(reasonOf('nobody.yaml')).toBe('config-not-found');
});

test('a file outside of the target keeps its full name', () => {
  mkdirSync(join(root, 'target'));
  put('shared.yaml');
  const found = findConfig(join(root, 'target'), '../shared.yaml');
  expect(found.ok && found.value?.file).toBe(join(root, 'shared.yaml'));
});

test.each([
  ['a folder', 'EISDIR', () => mkdirSync(join(root, '.harness.yaml'))],
  ['a link to nowhere', 'ENOENT', () => symlinkSync('nowhere', join(root, '.harness.yaml'))],
  ['no text', 'not-utf-8', () => put('.harness.yaml', new Uint8Array([0xff, 0xfe, 0x00, 0x80]))],
  ['too large', 'too-large', () => put('.harness.yaml', '#'.repeat(300_000))],
])('a file that is %s is unreadable', (_what, problem, make) => {
  make();
  expect(findConfig(root, null)).toMatchObject({ failure: { reason: 'config-unreadable', params: { problem } } });
});
