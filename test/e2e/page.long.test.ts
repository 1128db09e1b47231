import { createServer } from 'node:http';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { untilThere } from '../support/signals.ts';
import { findChromium } from '../support/chromium.ts';
import { PAGE_FILES, PAGE_SCENARIO } from '../support/page-shop.ts';
import { makeRepo, OF_FEATURES, type Repo } from '../support/repo.ts';
import { served, type Served } from '../support/served.ts';
import { branches, branching } from './land-branch-shop.ts';
import { expectExit, session, startProgram, workshop } from './workshop.ts';

const executablePath = findChromium();
if (executablePath === null)
  process.stderr.write('\nSKIPPED: no Chromium here: the page is not tried in a browser (apt-get install chromium)\n');

const VIEWS = ['', 'items', 'items/2', 'graph', 'runs', 'runs/last', 'sessions/2', 'caught', 'costs', 'gates'].map(
  (view) => `#/${view}`,
);

type How = { readonly phone?: boolean; readonly dark?: boolean };

/** What is waited for on the page is what other programs do, on a machine that may be busy. */
const PATIENCE_MS = 300_000;

describe.skipIf(executablePath === null)('the page in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  async function open(s: Served, hash = '#/', { phone = false, dark = false }: How = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: phone ? { width: 390, height: 844 } : { width: 1280, height: 900 },
      colorScheme: dark ? 'dark' : 'light',
      hasTouch: phone,
    });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    page.on('pageerror', (error) => expect(error.stack).toBe('no error of the page'));
    await page.goto(`http://127.0.0.1:${s.port}/#token=${s.token}`);
    await page.waitForSelector('main h2, main h1');
    await goTo(page, hash);
    return page;
  }
  const goTo = async (page: Page, hash: string): Promise<void> => {
    // The listener of the page comes first: the view has begun to load.
    await page.evaluate(`new Promise((done) => {
      if (location.hash === ${JSON.stringify(hash)}) return done(null);
      addEventListener('hashchange', () => done(null), { once: true });
      location.hash = ${JSON.stringify(hash)};
    })`);
    await page.waitForSelector('main h2, main h1');
  };
  /** By a locator: `waitForFunction` evaluates a string in the page, which the page's policy forbids. */
  const loaded = (page: Page): Promise<void> => page.locator('[aria-busy]').first().waitFor({ state: 'detached' });

  /** A project that has run: landed, refused, a question, and a session at work until `../go` exists. */
  async function shopAtWork(): Promise<{ readonly s: Served; readonly repo: Repo; finish(): Promise<number | null> }> {
    const repo = makeRepo(
      PAGE_FILES,
      OF_FEATURES.filter((path) => !(path in PAGE_FILES)),
    );
    const around = dirname(repo.root);
    writeFileSync(join(around, 'scenario.json'), JSON.stringify(PAGE_SCENARIO));
    const run = startProgram(repo, ['run', '--until-done', '--max-sessions', '5']);
    await run.until(join(around, 'at-work-invoice'));
    return {
      s: await served(repo),
      repo,
      async finish() {
        writeFileSync(join(around, 'go'), '');
        return (await run.ended).code;
      },
    };
  }

  /** `only`: a rule of axe; left out: all of them. */
  async function barriers(page: Page, only?: string): Promise<readonly string[]> {
    const rules = only === undefined ? '' : JSON.stringify({ runOnly: [only] });
    const found = (await page.evaluate(`axe.run(${rules})`)) as {
      violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
    };
    return found.violations.flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 2)
        .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 200)}`),
    );
  }

  test('a run is watched live, its question answered in two touches on a phone, and its history read', async () => {
    const { s, repo, finish } = await shopAtWork();
    const page = await open(s);
    const lane = page.locator('.lane');
    await lane.waitFor();
    expect(await lane.innerText()).toContain('An invoice lists every line with its tax');
    expect(await lane.locator('.tool').innerText()).toContain('node scripts/try.mjs invoice');
    expect(await lane.locator('.steps li').count()).toBe(4);

    const phone = await open(s, '#/', { phone: true });
    const gate = phone.locator('.gate');
    await gate.waitFor();
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await gate.getByText('What was changed').tap();
    await gate.locator('.patch').first().waitFor();
    await gate.locator('.patch', { hasText: 'FREE_FROM' }).waitFor();
    await gate.getByText('What the harness checked').tap();
    await gate.locator('.checks summary', { hasText: 'feature' }).tap();
    await gate.getByText('$ node --test tests/shipping.test.mjs').waitFor();
    await gate.getByRole('button', { name: /^Reject/ }).tap();
    await gate.getByRole('button', { name: 'Yes: Reject' }).tap();
    await gate.waitFor({ state: 'detached' });
    expect((await repo.harness('gates', '--all', '--json')).json()).toMatchObject({
      gates: [{ state: 'answered', answer: { option: 'reject' } }],
    });

    await finish();
    await page.locator('.lane').waitFor({ state: 'detached' });
    await goTo(page, '#/items/2');
    await page.getByText('its tests fail without the work').waitFor();
    expect(await page.locator('.story > li.refused .problem').innerText()).toContain('not implemented');
    await page.locator('.story > li.landed summary', { hasText: 'Commit' }).click();
    await page.locator('.patch').first().waitFor();
    await goTo(page, '#/graph');
    expect(await page.locator('.node').count()).toBeGreaterThan(5);
    expect(await page.locator('.graph path').count()).toBeGreaterThan(3);
    await goTo(page, '#/runs');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('.lane-row').first().waitFor();
    expect(await page.locator('.part.proof').count()).toBeGreaterThan(2);
    expect(await page.locator('.part.check.fails').count()).toBeGreaterThan(0);
    await page.keyboard.press('4');
    await page.getByText('the harness ran its tests and they fail').waitFor();
    await page.keyboard.press('5');
    await page.getByText('By model').waitFor();

    const found: string[] = [];
    for (const dark of [false, true]) {
      const view = await open(s, '#/', { dark });
      await view.evaluate(axe.source); // the page's own policy forbids a script tag
      for (const hash of VIEWS) {
        await goTo(view, hash);
        await loaded(view);
        // Another theme has other colours, and nothing else.
        const barred = await barriers(view, dark ? 'color-contrast' : undefined);
        found.push(...barred.map((one) => `${hash} ${dark ? 'dark' : 'light'} ${one}`));
      }
    }
    expect(found).toEqual([]);
  });

  test('what waits on the branch of a run is named with the command that merges it, until it is merged', async () => {
    const shop = branching();
    expectExit(await shop.harness('run', '--json'), 0);
    const [name = ''] = branches(shop);
    writeFileSync(join(shop.root, 'notes.txt'), 'mine\n');
    shop.git('add', 'notes.txt');
    shop.git('commit', '-qm', 'mine');
    const s = await served(shop);
    for (const how of [{ phone: true }, { dark: true }, {}]) {
      const view = await open(s, '#/', how);
      await view.evaluate(axe.source);
      await view.getByRole('region', { name: 'To merge' }).waitFor();
      await loaded(view);
      expect(await barriers(view)).toEqual([]);
      if (how.phone === true) expect(await view.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
    const page = await open(s);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const region = page.getByRole('region', { name: 'To merge' });
    expect(await region.innerText()).toContain(`1 commit on ${name}`);
    expect(await region.innerText()).toContain('Your branch has 1 commit of its own since');
    await region.getByRole('button', { name: `Copy: git merge ${name}` }).click();
    await region.getByRole('status').getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`git merge ${name}`);
    // As over plain HTTP from another device, where a page may not copy.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await region.getByRole('button').click();
    await region.getByRole('status').getByText('Selected').waitFor();
    expect(await page.evaluate('String(getSelection())')).toBe(`git merge ${name}`);

    shop.git('merge', '-q', '--no-edit', name);
    await region.waitFor({ state: 'detached' });
  });

  test('what an agent says is text: it makes no element and runs nothing', async () => {
    const evil =
      '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>\u001b[31m\u202egnp.exe';
    const shop = workshop({
      sessions: [session(1, { say: evil }, { run: `echo '${evil}'` })],
      config: 'verification: { fix_turns: 0 }',
    });
    await shop.harness('run', '1');
    const s = await served(shop);
    const page = await open(s, '#/sessions/1');
    await page.locator('.transcript .said').first().waitFor();
    expect(await page.locator('.transcript').innerText()).toContain('<img src=x onerror=');
    expect(await page.locator('main img, main script').count()).toBe(0);
    for (const hidden of ['\u001b', '\u202e'])
      expect(await page.locator('.transcript').innerText()).not.toContain(hidden);
    expect(await page.title()).not.toContain('owned');
  });

  test('a page of another origin can neither read nor do anything', async () => {
    const s = await served();
    const attacker = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<h1>evil</h1>'),
    );
    await new Promise<void>((done) => attacker.listen(0, '127.0.0.1', done));
    onTestFinished(() => void attacker.close());
    const address = attacker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`http://127.0.0.1:${port}/`);
    const tried = (await page.evaluate(`(async () => {
      const to = 'http://127.0.0.1:${s.port}';
      const bearer = { authorization: 'Bearer ${s.token}' };
      const json = { ...bearer, 'content-type': 'application/json' };
      const one = async (name, act) => [name, await act().then((r) => r.type === 'opaque' ? 'opaque' : 'read ' + r.status, () => 'refused')];
      const asked = await Promise.all([
        one('read', () => fetch(to + '/api/v1/status')),
        one('read with the token', () => fetch(to + '/api/v1/status', { headers: bearer })),
        one('write with the token', () => fetch(to + '/api/v1/pause', { method: 'POST', headers: json, body: '{}' })),
        one('blind write', () => fetch(to + '/pause', { method: 'POST', mode: 'no-cors', body: '{}' })),
        one('blind form', () => fetch(to + '/pause', { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ a: 1 }) })),
        one('beacon', async () => navigator.sendBeacon(to + '/pause', '{}') && new Response()),
        one('page', () => fetch(to + '/')),
      ]);
      const frame = document.createElement('iframe');
      frame.src = to + '/';
      document.body.append(frame);
      const form = document.createElement('form');
      form.method = 'POST'; form.action = to + '/pause'; form.target = 'out';
      document.body.append(form);
      form.submit();
      const script = await new Promise((done) => {
        const tag = document.createElement('script');
        tag.onload = () => done('loaded'); tag.onerror = () => done('refused');
        tag.src = to + '/page.js';
        document.body.append(tag);
      });
      return Object.fromEntries([...asked, ['script', script]]);
    })()`)) as { readonly [name: string]: string };
    for (const name of ['read', 'read with the token', 'write with the token', 'page', 'script'])
      expect(tried[name], name).toBe('refused');
    expect(await s.get('/api/v1/status')).toMatchObject({ paused: false, frozen: false });
    await page.context().close();
  });

  test('ten thousand items and five thousand sessions make no long page, and an hour of events no large one', async () => {
    const features = Array.from({ length: 10_000 }, (_, i) => ({
      id: i + 1,
      category: 'many',
      description: `Part ${i + 1} of the machine`,
      test_file: `tests/part-${i + 1}.test.mjs`,
      passes: i < 4_000,
    }));
    const repo = makeRepo({ 'features.json': JSON.stringify({ project: 'many', features }) });
    for (let n = 1; n <= 5_000; n += 1) {
      const folder = join(repo.root, '.harness/sessions', String(n));
      mkdirSync(folder, { recursive: true });
      const [at, isGood] = [new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(), n % 5 !== 0];
      const record = {
        session_id: n,
        started_at: at,
        ended_at: at,
        feature_id: n,
        feature_completed: isGood,
        tokens_used: { input: 10, output: 1, cached: 5 },
        cost_usd: 0.01,
        run: `r-202601${String(1 + Math.floor(n / 200)).padStart(2, '0')}000000-aaaa`,
        result: isGood ? 'landed' : 'rejected',
        reason: isGood ? 'verified' : 'tests-failed',
      };
      writeFileSync(join(folder, 'session.json'), JSON.stringify(record));
    }
    const s = await served(repo);
    const page = await open(s, '#/items');
    await page.locator('.item-row').first().waitFor();
    const rows = (): Promise<number> => page.locator('[data-row]').count();
    expect(await rows()).toBeLessThan(80);
    await page.evaluate('scrollTo(0, 200000)');
    await page.getByText('Part 4546 of the machine').waitFor();
    expect(await rows()).toBeLessThan(80);
    await page.keyboard.press('/');
    await page.keyboard.type('part 9999');
    await page.locator('[data-row]').nth(1).waitFor({ state: 'detached' });
    expect(await rows()).toBe(1);
    for (const hash of ['#/runs', '#/runs/r-20260103000000-aaaa', '#/caught', '#/costs']) {
      await goTo(page, hash);
      await loaded(page);
      expect(await page.evaluate('document.querySelectorAll("*").length'), hash).toBeLessThan(2_000);
    }

    await goTo(page, '#/');
    const events = join(repo.privateDir, 'events');
    mkdirSync(events, { recursive: true });
    const log = join(events, 'r-20260201000000-bbbb.jsonl');
    const lineOf = (seq: number): string =>
      `${JSON.stringify({ seq, run: 'r-20260201000000-bbbb', ts: '2026-02-01T00:00:00.000Z', type: seq % 10 === 0 ? 'landed' : 'tool', level: 'routine', session: 9, item: '9', data: { commit: String(seq) } })}\n`;
    const size = async (): Promise<number> => {
      const client = await page.context().newCDPSession(page);
      await client.send('HeapProfiler.collectGarbage');
      return (await client.send('Runtime.getHeapUsage')).usedSize;
    };
    const write = async (from: number, to: number): Promise<void> => {
      writeFileSync(log, Array.from({ length: to - from }, (_, i) => lineOf(from + i)).join(''), { flag: 'a' });
      await page
        .getByText(`landed as ${Math.floor((to - 1) / 10) * 10}`, { exact: false })
        .first()
        .waitFor();
    };
    await write(1, 1_002);
    const before = await size();
    for (let n = 1_002; n < 8_000; n += 1_000) await write(n, n + 1_000);
    expect((await size()) - before).toBeLessThan(12 * 1024 * 1024);
    expect(await page.locator('.feed li').count()).toBeLessThanOrEqual(24);
  });

  test('a server that ends is noticed, and the page continues when it is back', async () => {
    const shop = workshop();
    const found = (await shop.harness('ui', '--no-open', '--port', '0', '--json')).json() as {
      page: string;
      url: string;
    };
    const port = new URL(found.url).port;
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    onTestFinished(() => page.context().close());
    await page.goto(found.page);
    await page.getByText('A bench can be set up').waitFor();
    expect(page.url()).not.toContain('token');
    await shop.harness('daemon', 'stop');
    await page.locator('.offline').waitFor();
    await shop.harness('daemon', 'start', '--port', port);
    await page.locator('.offline').waitFor({ state: 'detached' });
    await page.locator('[data-act=start]').click();
    await page.getByText('Every item has landed or is skipped.').waitFor();
    await untilThere(() => !existsSync(join(shop.privateDir, 'lock.json')));
    await shop.harness('daemon', 'stop');
  });
});
