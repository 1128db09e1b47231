// Opens one page in a window of one size, waits until it has nothing more to load, and reads what a user sees. The page is closed afterwards,
// with its cookies and storage.
import { Buffer } from 'node:buffer';
import { z } from 'zod';
import { systemAlarm } from '../../host/clock.ts';
import type { Viewport } from '../../model/pages.ts';
import type { Cdp, PageOfBrowser } from './cdp.ts';
import { linksOf, NO_LINKS, type PageLinks } from './links.ts';
import { watchPage, type PageWatch } from './page-watch.ts';
import { cleaned, cleanedLine, LONGEST_TEXT, MOST_LISTED, type SeenElement, type SeenPage } from './seen.ts';

export type PageLook = {
  readonly origin: URL;
  readonly page: string;
  readonly viewport: Viewport;
  readonly pageMs: number;
  readonly signal: AbortSignal;
  /** The links and forms of the page are read as well. Left out: they are not. */
  readonly withLinks?: true;
};
/** `picture`: a PNG; null: none could be taken. */
export type LookedPage = PageLinks & { readonly seen: SeenPage; readonly picture: Buffer | null };

/** Higher pages are cut. */
const HIGHEST_PICTURE = 4_000;
/** Reading a page with more elements takes too long. */
const MOST_ELEMENTS = 20_000;
const READ_MS = 5_000;
const PHONE_WIDTH = 500;

const context = z.object({ browserContextId: z.string() });
const target = z.object({ targetId: z.string() });
const attached = z.object({ sessionId: z.string() });

export async function look(cdp: Cdp, ask: PageLook): Promise<LookedPage> {
  const opened = await cdp.ask(context, 'Target.createBrowserContext', { disposeOnDetach: true });
  const browserContextId = opened?.browserContextId;
  if (browserContextId === undefined) return nothingOf(ask);
  try {
    await cdp.do('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId });
    const made = await cdp.ask(target, 'Target.createTarget', { url: 'about:blank', browserContextId });
    const joined =
      made && (await cdp.ask(attached, 'Target.attachToTarget', { targetId: made.targetId, flatten: true }));
    return joined === null ? nothingOf(ask) : await lookIn(cdp, joined.sessionId, ask);
  } finally {
    // A page that is busy for ever does not answer; the browser ends it.
    await within(READ_MS, cdp.do('Target.disposeBrowserContext', { browserContextId }));
  }
}

async function lookIn(cdp: Cdp, session: string, ask: PageLook): Promise<LookedPage> {
  const { viewport, pageMs, signal } = ask;
  const page: PageOfBrowser = {
    ask: (schema, method, params) => within(READ_MS, cdp.ask(schema, method, params, session)),
    do: async (method, params) => void (await within(READ_MS, cdp.do(method, params, session))),
  };
  const watch = watchPage(cdp, session);
  try {
    for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'Accessibility']) await page.do(`${domain}.enable`);
    await page.do('Page.setLifecycleEventsEnabled', { enabled: true });
    const { width, height } = viewport;
    const isPhone = width <= PHONE_WIDTH;
    await page.do('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: isPhone });
    if (isPhone) await page.do('Emulation.setTouchEmulationEnabled', { enabled: true });
    const url = new URL(ask.page, ask.origin).href;
    const isComplete = await within(pageMs, watch.open(url, signal));
    return await read(page, watch, ask, isComplete !== true);
  } finally {
    watch.end();
  }
}

const world = z.object({ executionContextId: z.number() });
const evaluated = z.object({
  result: z.object({
    value: z.object({ address: z.string(), title: z.string(), text: z.string(), width: z.number(), parts: z.number() }),
  }),
});
/** Runs in a world of its own, where the page's scripts have changed nothing. */
const READ = `(() => {
  const root = document.documentElement;
  return {
    address: String(location.href).slice(0, 1000),
    title: String(document.title).slice(0, 1000),
    text: String(root?.innerText ?? '').slice(0, ${4 * LONGEST_TEXT}),
    width: Number(root?.scrollWidth) || 0,
    parts: document.getElementsByTagName('*').length,
  };
})()`;

async function read(page: PageOfBrowser, watch: PageWatch, ask: PageLook, isLate: boolean): Promise<LookedPage> {
  const { consoleErrors, failedRequests, dialogs, status, frame } = watch.found();
  const known = { ...unseen(ask), consoleErrors, failedRequests, dialogs, status, isLate };
  const own = await page.ask(world, 'Page.createIsolatedWorld', { frameId: frame, worldName: 'reader' });
  const expression = { expression: READ, contextId: own?.executionContextId, returnByValue: true };
  const now = own && (await page.ask(evaluated, 'Runtime.evaluate', expression))?.result.value;
  if (!now) return { ...nothingOf(ask), seen: known };
  const { address, title, text, width, parts } = now;
  const isTooLarge = parts > MOST_ELEMENTS;
  const seen: SeenPage = {
    ...known,
    // What the browser shows of itself where nothing was opened.
    address: address.startsWith('chrome-error:') ? null : cleanedLine(address),
    title: cleanedLine(title),
    text: cleaned(text, LONGEST_TEXT),
    width,
    isTooLarge,
    elements: isTooLarge ? [] : await elementsOf(page),
  };
  const more = ask.withLinks === true ? await linksOf(page, own.executionContextId) : NO_LINKS;
  return { seen, picture: await pictureOf(page, ask.viewport), ...more };
}

const nothingOf = (ask: PageLook): LookedPage => ({ seen: unseen(ask), picture: null, ...NO_LINKS });

const layout = z.object({ cssContentSize: z.object({ height: z.number() }) });
const picture = z.object({ data: z.string() });

async function pictureOf(page: PageOfBrowser, { width, height }: Viewport): Promise<Buffer | null> {
  const metrics = await page.ask(layout, 'Page.getLayoutMetrics');
  const full = Math.min(HIGHEST_PICTURE, Math.max(height, Math.ceil(metrics?.cssContentSize.height ?? 0)));
  const clip = { x: 0, y: 0, width, height: full, scale: 1 };
  const taken = await page.ask(picture, 'Page.captureScreenshot', { format: 'png', clip, captureBeyondViewport: true });
  return taken === null ? null : Buffer.from(taken.data, 'base64');
}

/** What a user can act on, and what orders the page. */
const LISTED = new Set([
  'alert',
  'button',
  'checkbox',
  'combobox',
  'dialog',
  'heading',
  'img',
  'image',
  'link',
  'listbox',
  'menuitem',
  'option',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
]);
const said = z.looseObject({ value: z.unknown().optional() }).optional();
const tree = z.object({
  nodes: z.array(
    z.looseObject({
      ignored: z.boolean().optional(),
      role: said,
      name: said,
      properties: z.array(z.looseObject({ name: z.string(), value: said })).optional(),
    }),
  ),
});

const textIn = (one: z.output<typeof said>): string => (typeof one?.value === 'string' ? one.value : '');

async function elementsOf(page: PageOfBrowser): Promise<readonly SeenElement[]> {
  const found = await page.ask(tree, 'Accessibility.getFullAXTree');
  return (found?.nodes ?? [])
    .flatMap(({ ignored, role, name, properties }): readonly SeenElement[] => {
      const kind = textIn(role);
      if (ignored === true || !LISTED.has(kind)) return [];
      const isDisabled = properties?.some((one) => one.name === 'disabled' && one.value?.value === true) ?? false;
      return [{ role: kind, name: cleanedLine(textIn(name)), isDisabled }];
    })
    .slice(0, MOST_LISTED);
}

const unseen = ({ page, viewport }: PageLook): SeenPage => ({
  page,
  viewport,
  address: null,
  status: null,
  title: '',
  text: '',
  elements: [],
  consoleErrors: [],
  failedRequests: [],
  dialogs: [],
  width: 0,
  isLate: false,
  isTooLarge: false,
});

/** null: it takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const cancel = systemAlarm(ms, () => late.resolve(null));
  return Promise.race([work, late.promise]).finally(cancel);
}
