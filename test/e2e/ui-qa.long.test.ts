// What a browser shows decides whether a feature of a mission lands: a web application with its development server, a real Chromium, scripted agents.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findChromium } from '../support/chromium.ts';
import { IS_NIGHT } from '../support/effort.ts';
import { untilThere } from '../support/signals.ts';
import { expectExit, workshop, type Session, type Workshop } from './workshop.ts';

const hasChromium = findChromium() !== null;
if (!hasChromium)
  process.stderr.write('\nSKIPPED: no Chromium here: ui-qa is not tried in a browser (apt-get install chromium)\n');

const SERVER = `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const TYPES = { html: 'text/html', js: 'text/javascript' };
createServer(({ url }, response) => {
  const path = 'public' + (url === '/' ? '/index.html' : url);
  if (url === '/cart.js' && existsSync('hang')) return void writeFileSync('serving', '');
  if (!existsSync(path)) return void response.writeHead(404).end();
  response.setHeader('content-type', TYPES[path.split('.').at(-1)] ?? 'text/plain');
  response.end(readFileSync(path));
}).listen(process.env.PORT, '127.0.0.1');
`;
const PAGE = `<!doctype html>
<meta name="viewport" content="width=device-width">
<title>Cart</title>
<h1>Cart</h1>
<p id="total"></p>
<button>Pay</button>
<script src="/cart.js"></script>
`;
const CONTRACT = `# Validation contract

- VAL-CART-001: The total of a cart is computed.
- VAL-UI-001: A user sees the total of the cart.
`;
const PLAN = JSON.stringify({
  mission: 'shop',
  features: [
    {
      id: 'F-001',
      title: 'The cart shows its total',
      claims: ['VAL-CART-001', 'VAL-UI-001'],
      status: 'pending',
      attempts: 0,
      test_file: 'tests/cart.test',
    },
  ],
});

/** Its tests find the function in both; only a browser notices that `total` is the element with this id. */
const BROKEN = "const sum = () => 12;\ndocument.getElementById('total').textContent = 'Total: ' + total();\n";
const WORKING = BROKEN.replace('total()', 'sum()');
const TEST = "the total is computed|grep -q 'const sum = () => 12' public/cart.js\n";

const worker = (attempt: number, text: string): Session => ({
  when: { role: 'worker', attempt },
  turns: [[{ write: { path: 'public/cart.js', text } }, { write: { path: 'tests/cart.test', text: TEST } }]],
});
const verdict = (id: string, path: string, quote: string, more: object = {}): object => ({
  id,
  verdict: 'pass',
  path,
  quote,
  ...more,
});
const judge = (role: string, attempt: number, ...assertions: readonly object[]): Session => ({
  when: { role, attempt },
  turns: [[{ say: JSON.stringify({ assertions, issues: [] }) }]],
});
const OF_CODE = ['VAL-CART-001', 'VAL-UI-001'].map((id) => verdict(id, 'public/cart.js', 'const sum = () => 12;'));
const valid = (attempt: number): Session => judge('validator', attempt, ...OF_CODE);
const seesTotal = (attempt: number): Session => judge('ui-qa', attempt, verdict('VAL-UI-001', 'output', 'Total: 12'));

const GOOD = [worker(1, WORKING), valid(1), seesTotal(1)];

type Shop = Workshop & { readonly port: number; seen(session: number): string };

type How = {
  readonly start?: string;
  readonly ui?: string;
  readonly more?: string;
  readonly hangs?: boolean;
  readonly files?: { readonly [path: string]: string };
};

async function shop(
  sessions: readonly Session[],
  { start = 'node server.mjs', ui = '', more = '', hangs = false, files = {} }: How = {},
): Promise<Shop> {
  const port = await freePort();
  const made = workshop({
    sessions,
    files: {
      '.harness.yaml': [
        'playbook: mission',
        'project: { name: shop }',
        'agents: { default: { provider: scripted, scenario: ../scenario.json } }',
        'environment: { init: ./init.sh }',
        `testing: { runner: tap, feature: 'sh run.sh {test_file}', full: 'sh run.sh tests/door.test tests/cart.test tests/place.test' }`,
        `mission: { ui: { start: ${start}, url: 'http://127.0.0.1:${port}', page_seconds: 10, ${ui} } }`,
        more,
        '',
      ].join('\n'),
      '.gitignore': '.harness/*\n!.harness/features.json\n!.harness/validation-contract.md\n',
      '.harness/features.json': PLAN,
      '.harness/validation-contract.md': CONTRACT,
      'server.mjs': SERVER,
      'public/index.html': PAGE,
      ...(hangs ? { hang: 'hangs\n' } : {}),
      'tests/cart.test': 'the total is computed|false\n',
      'tests/place.test': 'the page has a place|true\n',
      ...files,
    },
  });
  return { ...made, port, seen: (session) => made.read(`.harness/sessions/${session}/pages/seen.txt`) };
}

/** The role of each session, in their order; null: the worker, whose session is the item's own. */
const rolesOf = (s: Shop): readonly unknown[] =>
  readdirSync(join(s.root, '.harness/sessions'))
    .sort((a, b) => Number(a) - Number(b))
    .map((n) => (JSON.parse(s.read(`.harness/sessions/${n}/session.json`)) as { role: unknown }).role);

async function listening(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return server;
}
async function closed(server: Server): Promise<void> {
  await new Promise((done) => server.close(done));
}
async function freePort(): Promise<number> {
  const server = await listening(0);
  const address = server.address();
  await closed(server);
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe.skipIf(!hasChromium)('ui-qa with a real browser', () => {
  test('an error that only the browser shows sends the work back; the next session lands', async () => {
    const finding = {
      verdict: 'fail',
      why: 'The total is not shown.',
      quote: 'TypeError: total is not a function',
    };
    const s = await shop([
      worker(1, BROKEN),
      valid(1),
      judge('ui-qa', 1, verdict('VAL-UI-001', 'output', '', finding)),
      worker(2, WORKING),
      valid(2),
      seesTotal(2),
    ]);
    const ran = await s.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ landed: ['F-001'] });
    expect(s.seen(1)).toContain('TypeError: total is not a function');
    expect(s.seen(1)).toContain('# / at 390 × 844 (phone)');
    expect(JSON.parse(s.read('.harness/sessions/1/session.json'))).toMatchObject({
      result: 'partial',
      problems: [{ code: 'review-finding', params: { role: 'ui-qa', claim: 'VAL-UI-001', quote: finding.quote } }],
    });
    expect(s.seen(4)).toContain('Total: 12');
    expect(s.seen(4)).not.toContain('Console errors');
    expect(readdirSync(join(s.root, '.harness/sessions/4/pages'))).toEqual([
      '01-desktop.png',
      '02-phone.png',
      'seen.json',
      'seen.txt',
      'server.txt',
    ]);
    expect(s.processes()).toEqual([]);
  });

  test.runIf(IS_NIGHT)(
    'a port that is in use is found before an agent is started; when it is free the feature lands',
    async () => {
      const s = await shop(GOOD);
      const other = await listening(s.port);
      const blocked = await s.harness('run', '--json');
      expectExit(blocked, 5);
      expect(blocked.json()).toMatchObject({ reason: 'pages-port-taken' });
      expect(s.sessions()).toEqual([]);
      await closed(other);
      expectExit(await s.harness('run', '--json'), 0);
      expect(s.seen(1)).toContain('Total: 12');
    },
  );

  test.runIf(IS_NIGHT)(
    'a port that is taken while the agent works stops the run; the next one continues with the work that is paid for',
    async () => {
      const [steps = []] = worker(1, WORKING).turns;
      const untilGo = [{ write: { path: '../at-work', text: '' } }, { wait_for_file: '../go' }];
      const s = await shop([{ ...worker(1, WORKING), turns: [[...steps, ...untilGo]] }, valid(1), seesTotal(1)]);
      const run = s.start('run', '--json');
      await run.until(join(s.around, 'at-work'));
      const other = await listening(s.port);
      writeFileSync(join(s.around, 'go'), '');
      const blocked = await run.ended;
      expectExit(blocked, 5);
      expect(blocked.json()).toMatchObject({ reason: 'pages-port-taken' });
      await closed(other);
      const ran = await s.harness('run', '--json');
      expectExit(ran, 0);
      expect(ran.json()).toMatchObject({ landed: ['F-001'], items: [{ session: 1 }] });
      expect(rolesOf(s)).toEqual([null, 'validator', 'ui-qa', 'curator']);
    },
  );

  test.runIf(IS_NIGHT)('in lanes each server has a port of its own, and both features land', async () => {
    const total = {
      id: 'F-002',
      title: 'The page says where it is',
      claims: ['VAL-UI-002'],
      test_file: 'tests/place.test',
    };
    const [first] = (JSON.parse(PLAN) as { features: readonly object[] }).features;
    const place = "document.body.append('Port ' + location.port);\n";
    const of = (session: Session, item: string): Session => ({ ...session, when: { ...session.when, item } });
    const placed: Session = {
      when: { role: 'worker', item: 'F-002' },
      turns: [
        [
          { write: { path: 'public/place.js', text: place } },
          { write: { path: 'tests/place.test', text: 'the place is shown|grep -q location.port public/place.js\n' } },
        ],
      ],
    };
    const s = await shop(
      [
        ...GOOD.map((one) => of(one, 'F-001')),
        placed,
        of(judge('validator', 1, verdict('VAL-UI-002', 'public/place.js', 'location.port')), 'F-002'),
        of(judge('ui-qa', 1, verdict('VAL-UI-002', 'output', 'heading "Cart"')), 'F-002'),
      ],
      {
        more: 'lanes: 2',
        files: {
          '.harness/features.json': JSON.stringify({
            mission: 'shop',
            features: [first, { ...total, status: 'pending', attempts: 0 }],
          }),
          '.harness/validation-contract.md': `${CONTRACT}- VAL-UI-002: A user sees where the page is.\n`,
          'public/index.html': `${PAGE}<script src="/place.js"></script>\n`,
          'tests/place.test': 'the place is shown|false\n',
        },
      },
    );
    const ran = await s.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ landed: expect.arrayContaining(['F-001', 'F-002']) as unknown });
    const ports = [1, 2].map((session) => /127\.0\.0\.1:(\d+)/.exec(s.seen(session))?.[1]);
    expect(new Set(ports)).toEqual(new Set([`${s.port + 1}`, `${s.port + 2}`]));
    expect(s.processes()).toEqual([]);
  });

  test('without a browser nothing is paid for', async () => {
    const s = await shop(GOOD, { ui: 'browser: no-such-browser' });
    const blocked = await s.harness('run', '--json');
    expectExit(blocked, 5);
    expect(blocked.json()).toMatchObject({ reason: 'browser-missing' });
    expect(s.sessions()).toEqual([]);
  });

  test.runIf(IS_NIGHT)('a server that never answers is a problem of the work, and nothing of it is left', async () => {
    const s = await shop([worker(1, WORKING), valid(1)], { start: 'sleep 600', ui: 'start_seconds: 1' });
    const ran = await s.harness('run', '--max-sessions', '1', '--json');
    expectExit(ran, 6);
    expect(JSON.parse(s.read('.harness/sessions/1/session.json'))).toMatchObject({
      result: 'partial',
      problems: [{ code: 'pages-server-silent', params: { command: 'sleep 600' } }],
    });
    expect(s.processes()).toEqual([]);
  });

  test('a run in the box that is killed while server and browser are at work leaves nothing', async () => {
    const s = await shop(GOOD, { hangs: true });
    const run = s.start('run', '--json');
    const workTree = join(s.around, '.shop-harness');
    await run.until(workTree);
    await run.until(join(workTree, 'serving'));
    expect(s.processes().some((one) => one.includes('--headless'))).toBe(true);
    run.signal('SIGKILL');
    await run.ended;
    await untilThere(() => s.processes().length === 0);
    expect(s.processes()).toEqual([]);
    await closed(await listening(s.port));
  });

  test('a run without a box that is killed while server and browser are at work leaves them to the next run, which ends them and lands', async () => {
    // Without a box nothing ends with the harness.
    const s = await shop(GOOD, { more: 'sandbox: { level: none }', hangs: true });
    const workTree = join(s.around, '.shop-harness');
    const run = s.start('run', '--i-accept-unsandboxed', '--json');
    await run.until(workTree);
    await run.until(join(workTree, 'serving'));
    run.signal('SIGKILL');
    await run.ended;
    expect(s.processes().some((one) => one.includes('server.mjs'))).toBe(true);
    expect(s.processes().some((one) => one.includes('--headless'))).toBe(true);
    rmSync(join(workTree, 'hang'));
    const ran = await s.harness('run', '--i-accept-unsandboxed', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ landed: ['F-001'] });
    expect(s.seen(1)).toContain('Total: 12');
    expect(s.processes()).toEqual([]);
    expect(existsSync(join(s.root, 'public/cart.js'))).toBe(true);
  });
});
