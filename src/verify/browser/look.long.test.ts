// What a real browser reads of pages, and what hostile ones cannot do: reach another origin, hold it for ever, or open windows of the user.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openBox, type Box } from '../../host/box.ts';
import { endOrphans, findOrphans } from '../../host/process-tree.ts';
import { VIEWPORTS, type Viewport } from '../../model/pages.ts';
import { heldLevels } from '../../../test/support/levels.ts';
import { findBrowser, startBrowser, type Browser } from './chromium.ts';
import { look, type LookedPage } from './look.ts';

const program = findBrowser(null, import.meta.dirname);
if (program === null)
  process.stderr.write('\nSKIPPED: no Chromium here: no page is looked at (apt-get install chromium)\n');

const [DESKTOP, PHONE] = VIEWPORTS as readonly [Viewport, Viewport];
const [level = 'none'] = await heldLevels();
const { signal } = new AbortController();

async function serving(listener: RequestListener): Promise<{ readonly server: Server; readonly url: URL }> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { server, url: new URL(`http://127.0.0.1:${port}`) };
}

describe.skipIf(program === null)('a page in Chromium', () => {
  const pages = new Map<string, string>();
  const token = `test-${randomUUID()}`;
  let root = '';
  let site: Awaited<ReturnType<typeof serving>>;
  let box: Box;
  let browser: Browser;
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'browser-')));
    box = await openBox({ root, level });
    site = await serving(({ url = '' }, response) => {
      const page = pages.get(url);
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    });
    const started = await startBrowser({ program: program ?? '', origin: site.url, box, root, token, signal });
    if ('why' in started) throw new Error(started.why);
    browser = started;
  });
  afterAll(async () => {
    await browser.close();
    expect(findOrphans(token)).toEqual([]);
    await box.close();
    site.server.close();
    rmSync(root, { recursive: true });
  });
  async function lookAt(html: string, viewport: Viewport = DESKTOP, pageMs = 20_000): Promise<LookedPage> {
    const page = `/${randomUUID()}`;
    pages.set(page, html);
    return look(browser.cdp, { origin: site.url, page, viewport, pageMs, signal });
  }

  test('names, text, errors, failed requests and a picture of each window', async () => {
    const html = `<meta name="viewport" content="width=device-width"><title>A shop</title><h1>Shop</h1>
      <button>Buy</button><button disabled aria-label="Pay later"></button><a href="/x">Next</a>
      <label>Mail <input type="email"></label><div style="width:900px">wide</div><p hidden>secret</p>
      <script>console.error('lost', { order: 7 }); console.log('fine'); fetch('/missing');
      setTimeout(() => { document.body.append('later'); alert('hello'); throw new TypeError('late') }, 20)</script>`;
    const { seen, picture } = await lookAt(html, PHONE);
    expect(seen).toMatchObject({ status: 200, title: 'A shop', isLate: false, dialogs: ['alert: hello'] });
    expect(seen.elements).toEqual([
      { role: 'heading', name: 'Shop', isDisabled: false },
      { role: 'button', name: 'Buy', isDisabled: false },
      { role: 'button', name: 'Pay later', isDisabled: true },
      { role: 'link', name: 'Next', isDisabled: false },
      { role: 'textbox', name: 'Mail', isDisabled: false },
    ]);
    expect(seen.text).toContain('later');
    expect(seen.text).not.toContain('secret');
    expect(seen.width).toBeGreaterThan(PHONE.width);
    expect(seen.consoleErrors[0]).toBe('lost {order: 7}');
    expect(seen.consoleErrors[1]).toContain('TypeError: late');
    expect(seen.failedRequests).toEqual([`GET ${site.url.origin}/missing: status 404`]);
    expect(picture?.subarray(1, 4).toString()).toBe('PNG');
  });

  test('another origin is out of reach: requests, sockets, frames, workers, and leaving the page', async () => {
    const asked: string[] = [];
    const other = await serving(({ url = '' }, response) => {
      asked.push(url);
      response.setHeader('access-control-allow-origin', '*').end('other');
    });
    other.server.on('upgrade', ({ url = '' }) => asked.push(url));
    onTestFinished(() => void other.server.close());
    const to = other.url.origin;
    const { seen } = await lookAt(`<title>hostile</title><img src="${to}/image"><iframe src="${to}/frame"></iframe>
      <script src="${to}/script"></script><link rel="prefetch" href="${to}/prefetch">
      <script>const say = (text) => document.body.append(text + '; ');
      fetch('${to}/fetch').then(() => say('fetched'), () => say('fetch refused'));
      navigator.sendBeacon('${to}/beacon', 'x');
      const socket = new WebSocket('${to.replace('http', 'ws')}/socket'); socket.onerror = () => say('socket refused');
      const code = new Blob(["fetch('${to}/worker').then(() => postMessage('worker fetched'), () => postMessage('worker refused'))"]);
      new Worker(URL.createObjectURL(code)).onmessage = ({ data }) => say(data);
      window.open('${to}/window');
      </script>`);
    expect(seen.text).toContain('fetch refused');
    expect(seen.text).toContain('socket refused');
    expect(seen.text).toContain('worker refused');
    expect(seen.failedRequests).toContain(`GET ${to}/image: blocked, another origin`);
    const left = await lookAt(`<script>location.href = '${to}/left'</script>`);
    expect(left.seen.address).toBe(null);
    expect(asked).toEqual([]);
  });

  test('a page that is busy for ever costs its time and no more; the next one is read', async () => {
    const busy = await lookAt('<title>busy</title><script>for (;;);</script>', DESKTOP, 1_000);
    expect(busy.seen).toMatchObject({ isLate: true, address: null, text: '' });
    expect((await lookAt('<p>alive</p>')).seen.text).toBe('alive');
  });

  test('a page that asks without end is read as it is when its time is over', async () => {
    const asks = `<p>still here</p><script>const ask = () => fetch(location.href).finally(ask); ask();</script>`;
    expect((await lookAt(asks, DESKTOP, 1_500)).seen).toMatchObject({ isLate: true, text: 'still here' });
  });

  test('nothing is left from one page to the next', async () => {
    await lookAt(`<script>document.cookie = 'a=1'; localStorage.setItem('a', '1')</script>`);
    const html = `<p></p><script>document.querySelector('p').textContent = '[' + document.cookie + localStorage.length + ']'</script>`;
    expect((await lookAt(html)).seen.text).toBe('[0]');
  });

  test('a browser that ends in the middle is no page without content: it says that it ended', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'browser-')));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const own = `test-${randomUUID()}`;
    const place = await openBox({ root: folder, level: 'none' });
    const started = await startBrowser({
      program: program ?? '',
      origin: site.url,
      box: place,
      root: folder,
      token: own,
      signal,
    });
    if ('why' in started) throw new Error(started.why);
    expect(await started.whyEnded()).toBe(null);
    await endOrphans(own);
    const { seen } = await look(started.cdp, { origin: site.url, page: '/', viewport: DESKTOP, pageMs: 1_000, signal });
    expect(seen.address).toBe(null);
    expect(await started.whyEnded()).not.toBe(null);
    await started.close();
    await place.close();
  });
});
