// The Chrome DevTools Protocol over a WebSocket: requests, answers, events. What a browser sends is checked by the caller's schema; an answer
// that fails, does not fit or never comes is null.
import { z } from 'zod';

export type CdpEvent = { readonly method: string; readonly params: unknown; readonly session: string | null };
/** `session`: a page that is attached to; null: the browser itself. */
export type Cdp = {
  ask<T>(schema: z.ZodType<T>, method: string, params?: object, session?: string | null): Promise<T | null>;
  /** Asks for something whose answer does not matter. */
  do(method: string, params?: object, session?: string | null): Promise<void>;
  /** Returns how to stop listening. */
  listen(listener: (event: CdpEvent) => void): () => void;
  isOpen(): boolean;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  close(): void;
};

/** The same for one page; what takes too long is null. */
export type PageOfBrowser = {
  ask<T>(schema: z.ZodType<T>, method: string, params?: object): Promise<T | null>;
  do(method: string, params?: object): Promise<void>;
};

const message = z.looseObject({
  id: z.number().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  sessionId: z.string().optional(),
});

/** null: the browser does not answer at this address. */
export async function connectCdp(url: string): Promise<Cdp | null> {
  const socket = new WebSocket(url);
  const opened = Promise.withResolvers<boolean>();
  const closed = Promise.withResolvers<void>();
  const waiting = new Map<number, (result: unknown) => void>();
  const listeners = new Set<(event: CdpEvent) => void>();
  let last = 0;
  socket.addEventListener('open', () => opened.resolve(true));
  socket.addEventListener('error', () => opened.resolve(false));
  socket.addEventListener('close', () => {
    opened.resolve(false);
    closed.resolve();
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  });
  socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
    const read = message.safeParse(parsed(data));
    if (!read.success) return;
    const { id, result, error, method, params, sessionId } = read.data;
    if (id !== undefined) {
      waiting.get(id)?.(error === undefined ? result : null);
      waiting.delete(id);
    } else if (method !== undefined)
      for (const listener of listeners) listener({ method, params, session: sessionId ?? null });
  });
  if (!(await opened.promise)) return null;

  const send = (method: string, params: object, session: string | null): Promise<unknown> => {
    if (socket.readyState !== WebSocket.OPEN) return Promise.resolve(null);
    const id = (last += 1);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    waiting.set(id, resolve);
    socket.send(JSON.stringify({ id, method, params, ...(session === null ? {} : { sessionId: session }) }));
    return promise;
  };
  return {
    async ask(schema, method, params = {}, session = null) {
      const read = schema.safeParse(await send(method, params, session));
      return read.success ? read.data : null;
    },
    async do(method, params = {}, session = null) {
      await send(method, params, session);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isOpen: () => socket.readyState === WebSocket.OPEN,
    closed: closed.promise,
    close: () => socket.close(),
  };
}

function parsed(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : null;
  } catch {
    return null;
  }
}
