// A level holds because its canaries lived, never because a program of its name is there.
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseLevel, probeLevel } from './probe.ts';

let folder = '';
const path = process.env['PATH'] ?? '';
beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'probe-')))));
afterEach(() => {
  process.env['PATH'] = path;
  rmSync(folder, { recursive: true });
});

/** Programs of these names stand in front of all others. */
const put = (programs: { readonly [name: string]: string }): void => {
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  process.env['PATH'] = `${folder}${delimiter}${path}`;
};

const OPEN =
  'if [ "$1" = --version ]; then echo "bubblewrap 0.9.0"; exit; fi\nwhile [ "$1" != -- ]; do shift; done\nshift; exec "$@"';
const FORBIDDEN = 'echo "bwrap: No permissions to create new namespace" >&2; exit 1';

test('a program that protects from nothing is found out by its canaries', async () => {
  put({ bwrap: OPEN });
  const probe = await probeLevel('bwrap', folder);
  expect(probe).toMatchObject({ holds: false, hindrance: 'canary-died', words: '' });
  const alive = probe.canaries.filter(({ ok }) => ok).map(({ name }) => name);
  expect(alive).toEqual(expect.arrayContaining(['write', 'exit']));
  expect(alive).not.toContain('git');
  expect(alive).not.toContain('network');
  expect(alive).not.toContain('processes');
});

test('a system that forbids namespaces is told by its own words', async () => {
  put({ bwrap: FORBIDDEN, unshare: 'echo "unshare failed: Operation not permitted" >&2; exit 1' });
  expect(await probeLevel('bwrap', folder)).toMatchObject({
    holds: false,
    hindrance: 'namespaces-forbidden',
    words: 'bwrap: No permissions to create new namespace',
  });
  const { level, probes } = await chooseLevel('auto', folder);
  expect([level, probes.map((one) => one.holds)]).toEqual(['none', [false, false, true]]);
});

test('a level by its name is that one or nothing', async () => {
  put({ bwrap: FORBIDDEN });
  expect(await chooseLevel('bwrap', folder)).toMatchObject({ level: null, probes: [{ level: 'bwrap' }] });
  expect(await chooseLevel('none', folder)).toMatchObject({ level: 'none', probes: [{ level: 'none' }] });
});
