// Takes the pictures of the page in docs/images/, of a real run: node scripts/page-pictures.ts (needs Chromium and a build).
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { findChromium } from '../test/support/chromium.ts';
import { PAGE_FILES, PAGE_SCENARIO } from '../test/support/page-shop.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PROGRAM = join(ROOT, 'bin/harness.cjs');
const OUT = process.argv[2] ?? join(ROOT, 'docs/images');

const executablePath = findChromium();
if (executablePath === null) throw new Error('no Chromium on this machine');
const top = mkdtempSync(join(tmpdir(), 'harness-pictures-'));
const repo = join(top, 'orders');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: repo, encoding: 'utf8' });
const harness = (...args: string[]): string =>
  execFileSync(process.execPath, [PROGRAM, '-C', repo, ...args], { encoding: 'utf8' });
const until = async (path: string): Promise<void> => {
  while (!existsSync(path)) await pause(100);
};

mkdirSync(repo);
git('init', '-q', '-b', 'main');
git('config', 'user.name', 'Ada');
git('config', 'user.email', 'ada@example.org');
const files = { ...PAGE_FILES, '.harness.yaml': `${PAGE_FILES['.harness.yaml']}lanes: 2\n` };
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(repo, path)), { recursive: true });
  writeFileSync(join(repo, path), text);
  if (path.endsWith('.sh')) chmodSync(join(repo, path), 0o755);
}
writeFileSync(join(top, 'scenario.json'), JSON.stringify(PAGE_SCENARIO));
git('add', '-A');
git('commit', '-q', '-m', 'Orders');

const run = spawn(process.execPath, [PROGRAM, '-C', repo, 'run', '--until-done', '--max-sessions', '6'], {
  stdio: 'inherit',
});
const ended = new Promise((done) => run.once('exit', done));
await until(join(top, 'at-work-invoice'));
await until(join(top, 'at-work-state'));
const { page: address } = JSON.parse(harness('ui', '--no-open', '--port', '0', '--json')) as { page: string };
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
mkdirSync(OUT, { recursive: true });

type Picture = {
  readonly name: string;
  readonly hash: string;
  readonly scheme?: 'dark';
  readonly phone?: true;
  readonly whole?: true;
};
async function take({ name, hash, scheme, phone, whole }: Picture): Promise<void> {
  const context = await browser.newContext({
    viewport: phone ? { width: 390, height: 844 } : { width: 1240, height: 900 },
    isMobile: phone ?? false,
    colorScheme: scheme ?? 'light',
    deviceScaleFactor: phone ? 2 : 1.5,
  });
  const page = await context.newPage();
  page.on('console', (message) => console.log(name, message.type(), message.text()));
  page.on('pageerror', (error) => console.log(name, error.stack));
  await page.goto(address);
  await page.waitForSelector('h2');
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
  await pause(1_200);
  await page.screenshot({ path: join(OUT, `${name}.png`), fullPage: whole ?? false });
  await context.close();
}

await take({ name: 'now', hash: '#/' });
await take({ name: 'now-dark', hash: '#/', scheme: 'dark' });
await take({ name: 'now-phone', hash: '#/', phone: true });
writeFileSync(join(top, 'go'), '');
await ended;
await take({ name: 'item', hash: '#/items/2' });
await take({ name: 'run-dark', hash: '#/runs/last', scheme: 'dark' });

await browser.close();
harness('daemon', 'stop');
rmSync(top, { recursive: true, force: true });
