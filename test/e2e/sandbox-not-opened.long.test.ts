// A box that works at the start of a run and cannot be opened later, as when the machine has no room for another namespace.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { expectExit, session, work, workshop, type Workshop } from './workshop.ts';

const REAL = ['/usr/bin/bwrap', '/bin/bwrap'].find((path) => existsSync(path));

/** From the first command with these words on, the box cannot be opened. */
function closedFrom(shop: Workshop, words: string): void {
  const bin = join(shop.around, 'bin');
  mkdirSync(bin, { recursive: true });
  const lines = [
    '#!/bin/sh',
    `case "$*" in *"${words}"*) echo "bwrap: Creating new namespace failed: No space left on device" >&2; exit 1;; esac`,
    `exec ${REAL ?? ''} "$@"`,
  ];
  writeFileSync(join(bin, 'bwrap'), lines.join('\n'));
  chmodSync(join(bin, 'bwrap'), 0o755);
  shop.env['PATH'] = [bin, shop.env['PATH'] ?? process.env['PATH'] ?? ''].join(delimiter);
}

test.skipIf(REAL === undefined).each([
  ['for the scripts of the environment', 'echo ready', false],
  ['for the suite', 'sh run.sh tests/*.test', false],
  ['for the test of the item, after its agent worked', 'sh run.sh tests/bench.test', true],
])('%s: the run says so, and neither a script nor the item is blamed', async (_, words, hasWorked) => {
  const shop = workshop({ sessions: [session(1, ...work(1))] });
  closedFrom(shop, words);
  const ended = await shop.harness('run');
  expectExit(ended, 5);
  expect(ended.stderr).toContain('sandbox-not-opened');
  expect(ended.stderr).toContain('No space left on device');
  expect(ended.stdout + ended.stderr).not.toContain('reset');
  expect(ended.stderr.includes('agent at work')).toBe(hasWorked);
  closedFrom(shop, 'nothing like this');
  expectExit(await shop.harness('run'), 0);
  expect(shop.git('log', '-1', '--format=%s')).toContain('#1');
});
