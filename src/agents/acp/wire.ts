// Messages of the Agent Client Protocol over the agent's stdin and stdout, one JSON object a line.
// Session updates are handed out here, in the order they were written: through the library's handlers an answer or
// a permission request overtakes the updates before it. What is not a message is reported, not swallowed.
import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { onLines } from '../line-reader.ts';

export type WireHooks = {
  /** The parameters of one `session/update`. */
  readonly onUpdate: (params: unknown) => void;
  /** One line that is no message. */
  readonly onGarbage: (line: string) => void;
  /** The agent writes so much that is no message that nothing can be expected of it. Called once. */
  readonly onHopeless: () => void;
};
export type Wire = {
  readonly stream: Stream;
  /** How many messages came, and how many lines that were none. */
  readonly seen: () => { readonly messages: number; readonly garbage: number };
};

/** A banner is forgiven; this many lines in a row without a message between them are not. */
const GARBAGE_LINES = 20;
const LINE_BYTES = 32 * 1024 * 1024;

export function openWire(stdin: Writable, stdout: Readable, hooks: WireHooks): Wire {
  let messages = 0;
  let garbage = 0;
  let inARow = 0;
  let hopeless = false;
  let push: (message: AnyMessage) => void = () => undefined;
  let finish: () => void = () => undefined;

  const giveUp = (): void => {
    if (hopeless) return;
    hopeless = true;
    stdout.destroy(); // what still comes must not pile up
    hooks.onHopeless();
  };
  const onLine = (line: string): void => {
    if (hopeless || line.trim() === '') return;
    const message = readMessage(line);
    if (message === null) {
      garbage++;
      hooks.onGarbage(line);
      if (++inARow >= GARBAGE_LINES) giveUp();
      return;
    }
    messages++;
    inARow = 0;
    if ('method' in message && message.method === 'session/update') hooks.onUpdate(message.params);
    else push(message);
  };

  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      push = (message) => controller.enqueue(message);
      finish = () => controller.close();
    },
    cancel() {
      push = () => undefined;
      finish = () => undefined;
    },
  });
  // a line that never ends is seen here, before it fills the memory
  let sinceLine = 0;
  stdout.on('data', (chunk: Buffer) => {
    sinceLine = chunk.includes(10) ? 0 : sinceLine + chunk.length;
    if (sinceLine > LINE_BYTES) giveUp();
  });
  onLines(stdout, onLine);
  stdout.once('end', () => finish());
  stdout.on('error', () => finish());
  const writable = new WritableStream<AnyMessage>({
    write: (message) =>
      new Promise((resolve) => {
        // an agent that is gone is noticed by its exit, not by a failed write
        if (stdin.writable) stdin.write(`${JSON.stringify(message)}\n`, () => resolve());
        else resolve();
      }),
  });
  return { stream: { readable, writable }, seen: () => ({ messages, garbage }) };
}

function readMessage(line: string): AnyMessage | null {
  try {
    const value: unknown = JSON.parse(line);
    const isMessage = typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
    return isMessage ? (value as AnyMessage) : null;
  } catch {
    return null;
  }
}
