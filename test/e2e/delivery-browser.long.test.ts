// End-to-end tests in a real browser and a role that looks at pages, inside the review of a plan.
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findChromium } from '../support/chromium.ts';
import { CART_WORK } from '../support/repo.ts';
import { deliveryShop, pullsOf, rolesOf, says, writes, type Session, type Shop } from './delivery-shop.ts';
import { expectExit } from './workshop.ts';

const chromium = findChromium();
if (chromium === null)
  process.stderr.write(
    '\nSKIPPED: no Chromium here: end-to-end tests and ui-reviewer are not tried (apt-get install chromium)\n',
  );

const works = (role: string, attempt: number | string, files: { readonly [path: string]: string }): Session => ({
  when: { role, item: '0001', attempt },
  turns: [writes(files)],
});
const GOOD_END = [
  says('preparer', null, 'Title: Add a cart\n\nA cart holds goods.'),
  says('merge-checker', null, 'No findings. Ready to enable auto-merge.'),
];

const PAGE = `<!doctype html>
<meta name="viewport" content="width=device-width">
<title>Cart</title>
<p id="goods"></p>
<script src="/page.js"></script>
`;
/** The tests of the project find the function in both; only a browser notices. */
const BROKEN =
  "const count = () => 1;\ndocument.getElementById('goods').textContent = 'Goods in the cart: ' + counted();\n";
const WORKING = BROKEN.replace('counted()', 'count()');
const SERVER = `import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
export const serve = (port) =>
  new Promise((done) => {
    const server = createServer(({ url }, response) => {
      const path = 'public' + (url === '/' ? '/index.html' : url);
      if (!existsSync(path)) return void response.writeHead(404).end();
      response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html');
      response.end(readFileSync(path));
    }).listen(port, '127.0.0.1', () => done(server));
  });
if (process.argv[2] === 'serve') await serve(process.env.PORT);
`;
const E2E = `import { mkdirSync, writeFileSync } from 'node:fs';
import { chromium } from ${JSON.stringify(resolve(import.meta.dirname, '../../node_modules/playwright-core/index.mjs'))};
import { serve } from './server.mjs';
const server = await serve(0);
const browser = await chromium.launch({ executablePath: ${JSON.stringify(chromium)}, args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.goto('http://127.0.0.1:' + server.address().port + '/');
const shown = await page.locator('#goods').textContent();
mkdirSync('report/pictures', { recursive: true });
await page.screenshot({ path: 'report/pictures/cart.png' });
writeFileSync('report/index.html', '<h1>' + shown + '</h1>');
await browser.close();
server.close();
const holds = shown === 'Goods in the cart: 1';
console.log((holds ? 'ok' : 'not ok') + ' 1 - the cart shows its goods');
if (!holds) console.log('# in public/page.js: shown "' + shown + '"');
process.exitCode = holds ? 0 : 1;
`;

/** Whether the end-to-end tests passed, each time that they ran. */
const e2eRuns = ({ repo }: Shop): readonly boolean[] =>
  repo
    .read('.harness/logs/events.jsonl')
    .split('\n')
    .flatMap((line) => {
      if (line === '') return [];
      const { type, data } = JSON.parse(line) as {
        readonly type: string;
        readonly data?: { readonly purpose?: string; readonly checks?: readonly { readonly passed: boolean }[] };
      };
      return type === 'checked' && data?.purpose === 'e2e' ? (data.checks ?? []).map(({ passed }) => passed) : [];
    });

async function listening(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return server;
}
async function freePort(): Promise<number> {
  const server = await listening(0);
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function browserShop(sessions: readonly Session[]): Promise<Shop & { readonly port: number }> {
  const port = await freePort();
  const config = `e2e: { command: node e2e.mjs, artifactDirs: [report], timeout_minutes: 2 }
devServer: { command: node server.mjs serve, url: "http://127.0.0.1:${port}", page_seconds: 10 }
appPaths: [public]`;
  const files = {
    'server.mjs': SERVER,
    'public/index.html': PAGE,
    'e2e.mjs': E2E,
    '.gitignore': '.harness/\nreport/\n',
  };
  const shop = deliveryShop(sessions, { plans: 1, box: 'auto', config, files });
  return { ...shop, port };
}

describe.skipIf(chromium === null)('end-to-end tests and the review of the user interface, with a real browser', () => {
  test('what only a browser shows is fixed inside the review; what passed is not tried twice, and the report is kept', async () => {
    const heading = `### High: the page has no heading
Path: public/index.html
Quote: Goods in the cart: 1
Why: a screen reader finds no start of the page.`;
    const shop = await browserShop([
      works('implementer', 1, { ...CART_WORK, 'public/page.js': BROKEN }),
      works('fixer', 1, { 'public/page.js': WORKING }),
      works('fixer', 2, { 'public/index.html': PAGE.replace('<p', '<h1>Cart</h1>\n<p') }),
      says('reviewer', null, 'No findings.'),
      says('ui-reviewer', '0001', heading, 2),
      says('ui-reviewer', '0001', 'No findings.', 3),
      ...GOOD_END,
    ]);
    const { repo } = shop;
    expectExit(await repo.harness('run', '-y'), 0);
    const [pull] = pullsOf(shop);
    expect(pull).toMatchObject({ state: 'merged', title: 'Add a cart' });
    for (const part of ['1 → 1 (1 new) → 0', 'End-to-end tests: passed on the files'])
      expect(pull?.body).toContain(part);
    expect(repo.git('show', 'main:public/index.html')).toContain('<h1>Cart</h1>');
    // Failed, passed, passed with the heading; those before the merge were on the same files.
    expect(e2eRuns(shop)).toEqual([false, true, true]);
    expect(rolesOf(shop).filter((role) => role === 'ui-reviewer')).toHaveLength(2);
    const left = '.harness/delivery/0001/e2e';
    expect(repo.read(`${left}/report/index.html`)).toBe('<h1>Goods in the cart: 1</h1>');
    expect(existsSync(join(repo.root, left, 'report/pictures/cart.png'))).toBe(true);
    const prompts = readdirSync(join(repo.root, '.harness/sessions')).map((n) =>
      repo.read(`.harness/sessions/${n}/prompt-1.md`),
    );
    const ofRole = (role: string): readonly string[] => prompts.filter((text) => text.includes(`\nROLE=${role}\n`));
    const [first = ''] = ofRole('fixer');
    for (const part of ['End-to-end test fails: the cart shows its goods', 'public/page.js: shown'])
      expect(first).toContain(part);
    expect(ofRole('merge-checker')[0]).toContain('report/index.html');
  });

  test('a port that is in use is found before an agent is started', async () => {
    const shop = await browserShop([works('implementer', 1, { ...CART_WORK, 'public/page.js': WORKING })]);
    await listening(shop.port);
    const blocked = await shop.repo.harness('run', '-y', '--json');
    expectExit(blocked, 5);
    expect(blocked.json()).toMatchObject({ reason: 'pages-port-taken' });
    expect(existsSync(join(shop.repo.root, '.harness/sessions'))).toBe(false);
  });
});
