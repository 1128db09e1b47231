// The phases of a plan: end-to-end tests in a real browser and a role that looks at pages inside the review, one phase after the other by hand, and a role
// that needs a person.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findChromium } from '../support/chromium.ts';
import { CART_WORK, type Ran } from '../support/repo.ts';
import { deliveryShop, pullsOf, says, SESSIONS, type Session, type Shop, type Steps } from './delivery-shop.ts';

const chromium = findChromium();
if (chromium === null)
  process.stderr.write(
    '\nSKIPPED: no Chromium here: end-to-end tests and ui-reviewer are not tried (apt-get install chromium)\n',
  );

const expectExit = (ran: Ran, code: number): void =>
  expect([ran.code, ran.code === code ? '' : `${ran.stdout}\n${ran.stderr}`]).toEqual([code, '']);
const around = ({ repo }: Shop, name: string): string => join(repo.root, '..', name);
const sessionsOf = ({ repo }: Shop): readonly { readonly role: unknown; readonly result: unknown }[] =>
  readdirSync(join(repo.root, '.harness/sessions'))
    .sort((a, b) => Number(a) - Number(b))
    .map((n) => JSON.parse(repo.read(`.harness/sessions/${n}/session.json`)) as { role: unknown; result: unknown });
const rolesOf = (shop: Shop): readonly unknown[] => sessionsOf(shop).map(({ role }) => role);

const writes = (files: { readonly [path: string]: string }): Steps =>
  Object.entries(files).map(([path, text]) => ({ write: { path, text } }));
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
/** Counts its runs in a file beside the repository. */
const e2eScript = (counter: string): string => `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { chromium } from ${JSON.stringify(resolve(import.meta.dirname, '../../node_modules/playwright-core/index.mjs'))};
import { serve } from './server.mjs';
appendFileSync(${JSON.stringify(counter)}, 'ran\\n');
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
  const shop = deliveryShop(sessions, {
    plans: 1,
    config,
    files: { 'server.mjs': SERVER, 'public/index.html': PAGE, '.gitignore': '.harness/\nreport/\n' },
  });
  // It names the folder beside the repository.
  shop.repo.write('e2e.mjs', e2eScript(around(shop, 'e2e-runs')));
  shop.repo.git('add', 'e2e.mjs');
  shop.repo.git('commit', '-q', '-m', 'end-to-end tests');
  shop.repo.git('push', '-q', 'origin', 'main');
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
    expect(readFileSync(around(shop, 'e2e-runs'), 'utf8')).toBe('ran\nran\nran\n');
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

const PHASES = [
  'implement',
  'review',
  'fix',
  'review',
  'prepare-pr',
  'open-pr',
  'ci',
  'e2e-verify',
  'merge-check',
  'merge',
];

test('one phase after the other by hand: each works on what the ones before left, and no session is paid for twice', async () => {
  const shop = deliveryShop(SESSIONS, { plans: 1, ci: 'echo ran >> ../../ci-runs; node --test tests/' });
  const { repo } = shop;
  const refused = await repo.harness('run', '0001', '--phase', 'merge', '-y', '--json');
  expectExit(refused, 2);
  expect(refused.json()).toMatchObject({ reason: 'delivery-phase-first' });
  expect(`${refused.stdout}${refused.stderr}`).toContain('harness run 0001 --phase implement');
  for (const [n, phase] of PHASES.entries()) {
    const ran = await repo.harness('run', '0001', '--phase', phase, '-y', '--json');
    expectExit(ran, 0);
    const isLast = n === PHASES.length - 1;
    expect([phase, ran.json()]).toMatchObject([
      phase,
      { result: isLast ? 'landed' : 'partial', ...(isLast ? {} : { reason: 'phase' }) },
    ]);
    const status = (await repo.harness('status', '--json')).json();
    if (!isLast) expect(status).toMatchObject({ delivery: { plans: [{ id: '0001', reached: phase }] } });
    if (phase === 'implement') expectExit(await repo.harness('run', '0001', '--phase', 'ci', '-y'), 2);
  }
  expect(pullsOf(shop)).toMatchObject([{ number: 1, state: 'merged', title: 'Add a cart' }]);
  expect(repo.git('log', '--merges', '--format=%s')).toBe('Add a cart (#1)');
  const roles = rolesOf(shop).filter((role) => role !== null);
  expect(roles).toEqual(['reviewer', 'fixer', 'reviewer', 'preparer', 'merge-checker']);
  expect((await repo.harness('evidence', 'verify')).code).toBe(0);
});

test('a plan that was taken a few phases far continues there without a phase', async () => {
  const shop = deliveryShop(SESSIONS, { plans: 1 });
  const { repo } = shop;
  for (const phase of ['implement', 'review']) expectExit(await repo.harness('run', '0001', '--phase', phase, '-y'), 0);
  expectExit(await repo.harness('run', '-y'), 0);
  expect(pullsOf(shop)).toMatchObject([{ state: 'merged' }]);
  const roles = rolesOf(shop).filter((role) => role !== null);
  expect(roles).toEqual(['reviewer', 'fixer', 'reviewer', 'preparer', 'merge-checker']);
});

test.each([
  [['run', '--phase', 'ci'], 'for one item'],
  [['run', '0001', '--phase', 'plan'], '--phase must be one of implement'],
  [['run', '0001', '--style', 'auto'], 'for the playbook workflow'],
])('refused: %j', async (args, words) => {
  const { repo } = deliveryShop(SESSIONS, { plans: 1 });
  const ran = await repo.harness(...args, '-y');
  expectExit(ran, 2);
  expect(ran.stderr).toContain(words);
});

test('a folder outside of the repository, and a command that is missing, are mistakes of the configuration', async () => {
  const checked = async (e2e: string): Promise<string> => {
    const { repo } = deliveryShop(SESSIONS, { plans: 1, config: `e2e: ${e2e}` });
    const ran = await repo.harness('run', '-y');
    expectExit(ran, 2);
    return ran.stderr;
  };
  expect(await checked('{ command: node e2e.mjs, artifactDirs: [../report] }')).toMatch(/artifact/);
  expect(await checked('{ artifactDirs: [report] }')).toContain('e2e.command');
});

test('end-to-end tests that cannot be started stop the run before an agent is paid; a run without them says so in the pull request', async () => {
  const shop = deliveryShop(SESSIONS, { plans: 1, config: 'e2e: { command: no-such-program --all }' });
  const { repo } = shop;
  const blocked = await repo.harness('run', '-y', '--json');
  expectExit(blocked, 5);
  expect(blocked.json()).toMatchObject({ reason: 'command-missing' });
  expect(existsSync(join(repo.root, '.harness/sessions'))).toBe(false);
  expectExit(await repo.harness('run', '-y', '--skip-e2e'), 0);
  expect(pullsOf(shop)[0]).toMatchObject({ state: 'merged', body: expect.stringContaining('--skip-e2e') as unknown });
});

const NOTE = {
  'src/note.mjs': 'export const note = () => 1;\n',
  'tests/note.test.mjs': CART_WORK['tests/cart.test.mjs']
    .replaceAll('cart', 'note')
    .replace("deepEqual(note(), ['goods'])", 'equal(note(), 1)'),
};

test('a role that needs a person: its plan waits, the other is merged, and the answer reaches the agent', async () => {
  const [cart] = SESSIONS;
  const others = SESSIONS.filter(({ when }) => when['role'] !== 'implementer' && when['role'] !== 'reviewer');
  const shop = deliveryShop(
    [
      {
        when: { role: 'implementer', item: '0001', session: 1 },
        turns: [[...writes({ 'src/half.mjs': 'export {};\n' }), { say: 'NEEDS: the name of the bank' }]],
      },
      { when: { role: 'implementer', item: '0001' }, turns: cart?.turns ?? [] },
      { when: { role: 'implementer', item: '0003' }, turns: [writes(NOTE)] },
      says('reviewer', null, 'No findings.'),
      says('preparer', '0003', 'Title: Add a note'),
      ...others,
    ],
    {
      plans: 1,
      files: { 'docs/plans/0003-note.md': '# Note\n\n- Test: tests/note.test.mjs\n\n## Work\n\nA note.\n' },
    },
  );
  const { repo } = shop;
  expectExit(await repo.harness('run', '-y', '--json'), 3);
  expect(pullsOf(shop)).toMatchObject([{ state: 'merged', title: 'Add a note' }]);
  for (const file of ['.harness/escalation.md', '.harness/delivery/0001/needs.md'])
    expect(repo.read(file)).toContain('the name of the bank');
  const { gates } = (await repo.harness('gates', '--json')).json() as {
    gates: readonly { id: string; question: string }[];
  };
  const [gate] = gates;
  expect(gate?.question).toContain('the name of the bank');
  await repo.harness('answer', gate?.id ?? '', 'continue', '-m', 'It is called Fidelia.');
  expectExit(await repo.harness('run', '-y'), 0);
  expect(pullsOf(shop).map(({ state }) => state)).toEqual(['merged', 'merged']);
  const prompts = readdirSync(join(repo.root, '.harness/sessions')).map((n) =>
    repo.read(`.harness/sessions/${n}/prompt-1.md`),
  );
  expect(prompts.filter((text) => text.includes('It is called Fidelia.')).length).toBeGreaterThan(1);
  expect(existsSync(join(repo.root, '.harness/delivery/0001/needs.md'))).toBe(false);
});
