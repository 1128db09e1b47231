// A level holds because its canaries passed, never because a program with its name exists.
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { heldLevels } from '../../../test/support/levels.ts';
import { namespaceFacts, whyNoNamespaces } from './namespaces.ts';
import { chooseLevel, probeLevel } from './probe.ts';

const held = await heldLevels();
let folder = '';
let root = '';
const path = process.env['PATH'] ?? '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'probe-')));
  root = realpathSync(mkdtempSync(join(tmpdir(), 'probe-')));
});
afterEach(() => {
  process.env['PATH'] = path;
  for (const made of [folder, root]) rmSync(made, { recursive: true });
});

/** Puts programs with these names first in PATH. */
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

test('a program that protects from nothing fails its canaries', async () => {
  put({ bwrap: OPEN });
  const probe = await probeLevel('bwrap', root);
  expect(probe).toMatchObject({ holds: false, hindrance: 'canary-died', words: '' });
  const alive = probe.canaries.filter(({ ok }) => ok).map(({ name }) => name);
  expect(alive).toEqual(expect.arrayContaining(['write', 'exit']));
  expect(alive).not.toContain('git');
  expect(alive).not.toContain('network');
  expect(alive).not.toContain('processes');
});

test.skipIf(process.getuid?.() !== 0)('a box in which root could change settings of the kernel fails', async () => {
  put({ bwrap: OPEN });
  const { canaries } = await probeLevel('bwrap', root);
  expect(canaries.find(({ name }) => name === 'kernel')).toEqual({ name: 'kernel', ok: false, needed: true });
});

test('a box that leaves a file of its own in the work tree fails', async () => {
  put({ bwrap: OPEN.replace('shift; exec', 'touch .bashrc; shift; exec') });
  const { canaries } = await probeLevel('bwrap', root);
  expect(canaries.find(({ name }) => name === 'clean')).toEqual({ name: 'clean', ok: false, needed: true });
});

test('a system that forbids namespaces is reported with its own error message', async () => {
  put({ bwrap: FORBIDDEN, unshare: 'echo "unshare failed: Operation not permitted" >&2; exit 1' });
  expect(await probeLevel('bwrap', root)).toMatchObject({
    holds: false,
    hindrance: whyNoNamespaces(namespaceFacts()),
    words: 'bwrap: No permissions to create new namespace',
  });
  const { level, probes } = await chooseLevel('auto', root);
  expect([level, probes.map((one) => one.holds)]).toEqual(['none', [false, false, false, true]]);
});

test('a sandbox-runtime that is missing, lacks a program, or runs nothing is reported as such', async () => {
  process.env['PATH'] = folder;
  expect(await probeLevel('srt', folder)).toMatchObject({ holds: false, hindrance: 'srt-missing' });
  put({ srt: 'echo "Error: needs another Node" >&2; exit 1' });
  process.env['PATH'] = folder;
  expect(await probeLevel('srt', root)).toMatchObject({ holds: false, hindrance: 'bwrap-missing' });
  put({ bwrap: 'exit 1' });
  process.env['PATH'] = folder;
  expect(await probeLevel('srt', root)).toMatchObject({ holds: false, hindrance: 'socat-missing' });
  put({ socat: 'exit 1' });
  expect(await probeLevel('srt', root)).toMatchObject({
    holds: false,
    hindrance: 'srt-ran-nothing',
    words: 'Error: needs another Node',
  });
});

test('a program that an agent has put into the work tree is never started', async () => {
  const ran = join(folder, 'ran');
  put({ bwrap: `touch ${ran}; exit 1`, unshare: `touch ${ran}; exit 1`, srt: `touch ${ran}; exit 1` });
  await chooseLevel('auto', folder);
  expect(existsSync(ran)).toBe(false);
});

test('a sandbox-runtime that protects from nothing fails its canaries', async () => {
  put({ bwrap: '', socat: '', srt: 'shift 3; exec "$@"' });
  const { holds, canaries } = await probeLevel('srt', root);
  // Settings of the kernel are closed to all but root anyway.
  const passed = canaries.filter(({ ok, name }) => ok && name !== 'kernel').map(({ name }) => name);
  expect([holds, passed]).toEqual([false, ['write', 'exit', 'clean']]);
});

test.skipIf(!held.has('srt'))('sandbox-runtime does not hold where the network has to be open', async () => {
  const probe = await probeLevel('srt', folder, 'open');
  expect(probe).toMatchObject({ holds: false, hindrance: 'network-stays-closed' });
  expect(await chooseLevel('srt', folder, 'open')).toMatchObject({ level: null });
});

test('a level that is chosen by name is that one or nothing', async () => {
  put({ bwrap: FORBIDDEN });
  expect(await chooseLevel('bwrap', root)).toMatchObject({ level: null, probes: [{ level: 'bwrap' }] });
  expect(await chooseLevel('none', folder)).toMatchObject({ level: 'none', probes: [{ level: 'none' }] });
});
