// The site of the documentation, as its script makes it, in a real Chromium: from files, without a network, on a phone and on a wide screen.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { findChromium } from '../support/chromium.ts';
import { temporaryTop } from '../support/repo.ts';

const SCRIPT = resolve(import.meta.dirname, '../../scripts/docs-site.ts');
const executablePath = findChromium();
if (executablePath === null)
  process.stderr.write('\nSKIPPED: no Chromium here: the site is not tried in a browser (apt-get install chromium)\n');

/** A page is read and changed in the browser, whose names are not those of this program. */
const SHAPE = `({ wide: document.documentElement.scrollWidth, title: document.title, menu: document.querySelectorAll('nav.pages a').length })`;

test.skipIf(executablePath === null)(
  'every page fits a phone of 390 pixels, has no barrier, and asks nothing of a network',
  async () => {
    const out = join(temporaryTop(), 'site');
    execFileSync(process.execPath, [SCRIPT, '--out', out]);
    const names = readdirSync(out).filter((name) => name.endsWith('.html'));
    const browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
    onTestFinished(() => browser.close());
    for (const { width, colorScheme } of [
      { width: 390, colorScheme: 'dark' as const },
      { width: 1400, colorScheme: 'light' as const },
    ]) {
      const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme, offline: true });
      const page = await context.newPage();
      const asked: string[] = [];
      page.on('request', (request) => void asked.push(request.url()));
      for (const name of width === 390 ? names : ['index.html', 'commands.html']) {
        await page.goto(pathToFileURL(join(out, name)).href);
        const shape = (await page.evaluate(SHAPE)) as { wide: number; title: string; menu: number };
        expect(shape.wide, `${name} at ${width}`).toBeLessThanOrEqual(width);
        expect(shape.title, name).toContain('harness');
        expect(shape.menu, name).toBe(names.length - 1);
      }
      expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([]);
      for (const name of ['index.html', 'guarantees.html']) {
        await page.goto(pathToFileURL(join(out, name)).href);
        await page.addScriptTag({ content: axe.source });
        const { violations } = (await page.evaluate('axe.run()')) as {
          violations: readonly { id: string; nodes: readonly { html: string }[] }[];
        };
        expect(
          violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
          name,
        ).toEqual([]);
      }
      await context.close();
    }
  },
);

test('the script replaces an earlier site and nothing else', () => {
  const out = join(temporaryTop(), 'mine');
  mkdirSync(out);
  writeFileSync(join(out, 'notes.txt'), 'mine');
  const refused = spawnSync(process.execPath, [SCRIPT, '--out', out], { encoding: 'utf8' });
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('no earlier site')]);
  expect(readFileSync(join(out, 'notes.txt'), 'utf8')).toBe('mine');
  const site = join(out, 'site');
  for (const _ of [1, 2]) execFileSync(process.execPath, [SCRIPT, '--out', site]);
  expect(readFileSync(join(site, 'index.html'), 'utf8')).toContain('<h1 id="harness">harness</h1>');
});
