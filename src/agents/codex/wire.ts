// The messages of `codex app-server` over its stdin and stdout, one JSON object per line: our requests and their responses, and the
// program's notifications and requests. The order is kept. Lines that are not messages are counted.
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { onLines } from '../line-reader.ts';

/** `error` null: the program exited without a response. */
export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: { readonly message: string } | null };
/** A request of the program resolves with the response, or with null: the request is unknown. */
export type CodexWireHooks = {
  readonly onNotification: (method: string, params: unknown) => void;
  readonly onRequest: (method: string, params: unknown) => Promise<unknown>;
  /** Called once, when the program writes so many lines that are not messages that it does not speak the protocol. `line`: the first. */
  readonly onHopeless: (line: string) => void;
};
export type CodexWire = {
  /** Never rejects. */
  request(method: string, params: object): Promise<RpcAnswer>;
  notify(method: string): void;
  /** The program has exited: pending requests get no response. */
  end(): void;
};

/** A banner is accepted, but not this many lines in a row that are not messages. */
const GARBAGE_LINES = 20;
const METHOD_NOT_FOUND = -32601;

const message = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});

export function openWire(stdin: Writable, stdout: Readable, hooks: CodexWireHooks): CodexWire {
  const waiting = new Map<number | string, (answer: RpcAnswer) => void>();
  let lastId = 0;
  let garbage = 0;
  let firstGarbage = '';
  let hasEnded = false;
  const send = (line: object): void => {
    if (stdin.writable) stdin.write(`${JSON.stringify(line)}\n`);
  };
  const receive = (line: string): void => {
    if (line.trim() === '') return;
    const read = readMessage(line);
    if (read === null) {
      firstGarbage ||= line.slice(0, 200);
      if (++garbage === GARBAGE_LINES) hooks.onHopeless(firstGarbage);
      return;
    }
    garbage = 0;
    const { id, method, params, result, error } = read;
    if (method === undefined) {
      const settle = id === undefined ? undefined : waiting.get(id);
      if (id !== undefined) waiting.delete(id);
      settle?.(error === undefined ? { ok: true, result } : { ok: false, error });
    } else if (id === undefined) hooks.onNotification(method, params);
    else {
      const unknown = { code: METHOD_NOT_FOUND, message: `not answered here: ${method}` };
      void hooks
        .onRequest(method, params)
        .then((answer) => send(answer === null ? { id, error: unknown } : { id, result: answer }));
    }
  };
  onLines(stdout, receive);
  return {
    request(method, params) {
      if (hasEnded) return Promise.resolve({ ok: false, error: null });
      const id = ++lastId;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        send({ id, method, params });
      });
    },
    notify: (method) => send({ method }),
    end() {
      hasEnded = true;
      for (const settle of waiting.values()) settle({ ok: false, error: null });
      waiting.clear();
    },
  };
}

function readMessage(line: string): z.output<typeof message> | null {
  try {
    const read = message.safeParse(JSON.parse(line));
    return read.success && (read.data.method !== undefined || read.data.id !== undefined) ? read.data : null;
  } catch {
    return null;
  }
}
