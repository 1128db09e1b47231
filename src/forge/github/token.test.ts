// Where the token comes from, and to whom it is never given.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findToken, fromEnvironment } from './token.ts';

const GITHUB = { host: 'github.com', apiUrl: 'https://api.github.com' };
const OTHER = { host: 'code.example.org', apiUrl: 'https://code.example.org/api/v3' };

test('GH_TOKEN comes before GITHUB_TOKEN, and an empty one counts as none', () => {
  expect(fromEnvironment({ ...GITHUB, env: { GH_TOKEN: 'a', GITHUB_TOKEN: 'b' } })).toBe('a');
  expect(fromEnvironment({ ...GITHUB, env: { GH_TOKEN: ' ', GITHUB_TOKEN: 'b' } })).toBe('b');
  expect(fromEnvironment({ ...GITHUB, env: {} })).toBeNull();
});

test('a server that only the repository names gets no token of the environment', () => {
  const env = { GH_TOKEN: 'a', GITHUB_TOKEN: 'b', GH_ENTERPRISE_TOKEN: 'c' };
  expect(fromEnvironment({ ...OTHER, env })).toBeNull();
  expect(fromEnvironment({ ...OTHER, env: { ...env, GH_HOST: 'other.example.org' } })).toBeNull();
});

test('a server that the environment names gets it', () => {
  expect(fromEnvironment({ ...OTHER, env: { GH_HOST: OTHER.host, GH_ENTERPRISE_TOKEN: 'c', GH_TOKEN: 'a' } })).toBe(
    'c',
  );
  expect(fromEnvironment({ ...OTHER, env: { GITHUB_API_URL: `${OTHER.apiUrl}/`, GITHUB_TOKEN: 'b' } })).toBe('b');
});

/** A program called gh, in a folder of its own. */
function ghThat(script: string): { readonly [name: string]: string } {
  const folder = mkdtempSync(join(tmpdir(), 'harness-gh-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'gh'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'gh'), 0o755);
  return { PATH: `${folder}:/usr/bin:/bin` };
}
const ask = { ...GITHUB, cwd: tmpdir(), token: 'test' };

test('without a variable, gh is asked for the token of this server', async () => {
  const env = ghThat('[ "$*" = "auth token --hostname github.com" ] && echo gho_fromGh');
  expect(await findToken({ ...ask, env })).toEqual({ ok: true, value: 'gho_fromGh' });
});

test.each([
  ['gh is not logged in', ghThat.bind(null, 'echo "no oauth token" >&2; exit 1')],
  ['there is no gh', () => ({ PATH: '/nonexistent' })],
])('%s: not logged in, and for which server', async (_, envOf) => {
  expect(await findToken({ ...ask, env: envOf() })).toMatchObject({
    failure: { reason: 'forge-not-logged-in', params: { host: 'github.com' } },
  });
});
