// What one page reports while it loads: errors in its console, requests that fail, dialogs, and when it has nothing more to load.
import { z } from 'zod';
import type { Cdp, CdpEvent } from './cdp.ts';
import { cleanedLine, MOST_LISTED } from './seen.ts';

export type PageFound = {
  readonly consoleErrors: readonly string[];
  readonly failedRequests: readonly string[];
  readonly dialogs: readonly string[];
  /** Of the answer to the page itself. */
  readonly status: number | null;
  /** The main frame. */
  readonly frame: string;
};
export type PageWatch = {
  /** Resolves with true when the network is idle, with false where nothing could be opened. */
  open(url: string, signal: AbortSignal): Promise<boolean>;
  found(): PageFound;
  end(): void;
};

const preview = z.looseObject({
  properties: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })),
});
const remote = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  value: z.unknown().optional(),
  description: z.string().optional(),
  preview: preview.optional(),
});

/** A value as a console shows it. */
function text({ type, subtype, value, description, preview: shown }: z.output<typeof remote>): string {
  if (typeof value === 'string') return value;
  if (type !== 'object' || subtype !== undefined || shown === undefined)
    return description ?? JSON.stringify(value) ?? type;
  return `{${shown.properties.map((one) => `${one.name}: ${one.value ?? ''}`).join(', ')}}`;
}

const EVENTS = {
  lifecycle: z.object({ frameId: z.string(), loaderId: z.string(), name: z.string() }),
  console: z.object({ type: z.string(), args: z.array(remote) }),
  thrown: z.object({
    exceptionDetails: z.looseObject({ text: z.string(), exception: remote.optional() }),
  }),
  entry: z.object({ entry: z.looseObject({ source: z.string(), level: z.string(), text: z.string() }) }),
  request: z.object({ requestId: z.string(), request: z.looseObject({ url: z.string(), method: z.string() }) }),
  response: z.object({
    requestId: z.string(),
    frameId: z.string().optional(),
    type: z.string(),
    response: z.looseObject({ status: z.number() }),
  }),
  failed: z.looseObject({ requestId: z.string(), errorText: z.string(), canceled: z.boolean().optional() }),
  dialog: z.looseObject({ type: z.string(), message: z.string() }),
  navigated: z.object({ frameId: z.string(), loaderId: z.string().optional(), errorText: z.string().optional() }),
};

/** Browsers ask for it by themselves. */
const OWN_REQUEST = /\/favicon\.ico(?:[?#]|$)/;

export function watchPage(cdp: Cdp, session: string): PageWatch {
  const consoleErrors: string[] = [];
  const failedRequests: string[] = [];
  const dialogs: string[] = [];
  const requests = new Map<string, string>();
  const idle = Promise.withResolvers<boolean>();
  let frame = '';
  let loader = '';
  let status: number | null = null;
  const add = (list: string[], line: string): void => {
    if (list.length < MOST_LISTED) list.push(cleanedLine(line));
  };
  const failed = (id: string, why: string): void => {
    const asked = requests.get(id);
    if (asked !== undefined && !OWN_REQUEST.test(asked)) add(failedRequests, `${asked}: ${why}`);
  };
  const on: { readonly [method: string]: (params: unknown) => void } = {
    'Page.lifecycleEvent': reading(EVENTS.lifecycle, (event) => {
      if (event.frameId !== frame) return;
      // The page leads to another one.
      if (event.name === 'init') loader = event.loaderId;
      if (event.name === 'networkIdle' && event.loaderId === loader) idle.resolve(true);
    }),
    'Page.javascriptDialogOpening': reading(EVENTS.dialog, ({ type, message }) => {
      add(dialogs, `${type}: ${message}`);
      void cdp.do('Page.handleJavaScriptDialog', { accept: false }, session);
    }),
    'Runtime.consoleAPICalled': reading(EVENTS.console, ({ type, args }) => {
      if (type === 'error' || type === 'assert') add(consoleErrors, args.map(text).join(' '));
    }),
    'Runtime.exceptionThrown': reading(EVENTS.thrown, ({ exceptionDetails: { text: said, exception } }) =>
      add(consoleErrors, exception?.description ?? (exception === undefined ? said : `${said} ${text(exception)}`)),
    ),
    'Log.entryAdded': reading(EVENTS.entry, ({ entry }) => {
      // Failed requests are listed by themselves.
      if (entry.level === 'error' && entry.source !== 'network') add(consoleErrors, entry.text);
    }),
    'Network.requestWillBeSent': reading(EVENTS.request, ({ requestId, request }) => {
      if (requests.size < 10_000) requests.set(requestId, `${request.method} ${request.url}`);
    }),
    'Network.responseReceived': reading(EVENTS.response, ({ requestId, frameId, type, response }) => {
      if (type === 'Document' && frameId === frame) status = response.status;
      if (response.status >= 400) failed(requestId, `status ${response.status}`);
    }),
    'Network.loadingFailed': reading(EVENTS.failed, ({ requestId, errorText, canceled }) => {
      if (canceled !== true) failed(requestId, errorText === BLOCKED ? 'blocked, another origin' : errorText);
    }),
  };
  const end = cdp.listen((event: CdpEvent) => {
    if (event.session === session) on[event.method]?.(event.params);
  });
  return {
    async open(url, signal) {
      const stop = (): void => idle.resolve(false);
      signal.addEventListener('abort', stop, { once: true });
      void cdp.closed.then(stop);
      const known = await cdp.ask(FRAMES, 'Page.getFrameTree', {}, session);
      frame = known?.frameTree.frame.id ?? '';
      const navigated = await cdp.ask(EVENTS.navigated, 'Page.navigate', { url }, session);
      if (navigated === null || navigated.errorText !== undefined) stop();
      return idle.promise.finally(() => signal.removeEventListener('abort', stop));
    },
    found: () => ({ consoleErrors, failedRequests, dialogs, status, frame }),
    end,
  };
}

/** The proxy that everything but the origin is sent to does not exist. */
const BLOCKED = 'net::ERR_PROXY_CONNECTION_FAILED';
const FRAMES = z.object({ frameTree: z.object({ frame: z.looseObject({ id: z.string() }) }) });

const reading =
  <T>(schema: z.ZodType<T>, use: (value: T) => void) =>
  (params: unknown): void => {
    const read = schema.safeParse(params);
    if (read.success) use(read.data);
  };
