// Owns the messages of `codex app-server` over its stdin and stdout, one JSON object a line: our requests and their answers,
// what the program tells, what it asks. Order is kept. What is no message is counted, not swallowed.
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { onLines } from '../line-reader.ts';

/** `error` null: the program went away without an answer. */
export type Answer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: { readonly message: string } | null };
/** What the program asks is answered with a value, or with null: we know no such question. */
export type WireHooks = {
  readonly onTold: (method: string, params: unknown) => void;
  readonly onAsked: (method: string, params: unknown) => Promise<unknown>;
  /** So much that is no message that nothing can be expected of it; `line` is the first of it. Called once. */
  readonly onHopeless: (line: string) => void;
};
export type Wire = {
  /** Never rejects. */
  request(method: string, params: object): Promise<Answer>;
  tell(method: string): void;
  /** The program is gone: whoever waits for an answer gets none. */
  end(): void;
};

/** A banner is forgiven; this many lines in a row without a message between them are not. */
const GARBAGE_LINES = 20;
const METHOD_NOT_FOUND = -32601;

const message = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});

export function openWire(stdin: Writable, stdout: Readable, hooks: WireHooks): Wire {
  const waiting = new Map<number | string, (answer: Answer) => void>();
  let asked = 0;
  let garbage = 0;
  let firstGarbage = '';
  let over = false;
  const say = (line: object): void => {
    if (stdin.writable) stdin.write(`${JSON.stringify(line)}\n`);
  };
  const hear = (line: string): void => {
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
    } else if (id === undefined) hooks.onTold(method, params);
    else {
      const unknown = { code: METHOD_NOT_FOUND, message: `not answered here: ${method}` };
      void hooks
        .onAsked(method, params)
        .then((answer) => say(answer === null ? { id, error: unknown } : { id, result: answer }));
    }
  };
  onLines(stdout, hear);
  return {
    request(method, params) {
      if (over) return Promise.resolve({ ok: false, error: null });
      const id = ++asked;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        say({ id, method, params });
      });
    },
    tell: (method) => say({ method }),
    end() {
      over = true;
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
