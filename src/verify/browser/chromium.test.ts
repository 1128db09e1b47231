import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { browserFlags, findBrowser } from './chromium.ts';

test('one origin is reached, by host and port; everything else has a proxy that does not exist', () => {
  const flags = browserFlags(new URL('http://localhost:4173'), '/profile', true);
  expect(flags).toContain('--proxy-bypass-list=<-loopback>;localhost:4173');
  expect(flags).toContain('--proxy-server=http://blocked.invalid:1');
  expect(flags).toContain('--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost');
  expect(flags).not.toContain('--no-sandbox');
  expect(browserFlags(new URL('http://[::1]:4173'), '/profile', false)).toContain('--no-sandbox');
});

test('a browser in the work tree is none: an agent could have written it', () => {
  const top = mkdtempSync(join(tmpdir(), 'browsers-'));
  onTestFinished(() => rmSync(top, { recursive: true }));
  const [root, outside] = [join(top, 'work'), join(top, 'bin')];
  for (const folder of [root, outside]) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'chromium'), '#!/bin/sh\n', { mode: 0o755 });
  }
  const both = `${root}:${outside}`;
  expect(findBrowser(null, root, root)).toBe(null);
  for (const wanted of [null, 'chromium', join(outside, 'chromium')])
    expect(findBrowser(wanted, root, both)).toBe(join(outside, 'chromium'));
  for (const wanted of ['other', join(root, 'chromium'), join(outside, 'none')])
    expect(findBrowser(wanted, root, both)).toBe(null);
});
