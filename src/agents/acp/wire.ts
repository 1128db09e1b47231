// Messages of the Agent Client Protocol over the agent's stdin and stdout, one JSON object per line.
// Session updates are passed on here, in the order they were written: through the library's handlers a response or a permission request
// overtakes the updates before it. A line that is not a message is reported, not dropped.
import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { onLines } from '../line-reader.ts';

export type AcpWireHooks = {
  /** The parameters of one `session/update`. */
  readonly onUpdate: (params: unknown) => void;
  /** One line that is not a message. */
  readonly onGarbage: (line: string) => void;
  /** Called once, when the agent writes so many such lines that it does not speak the protocol. */
  readonly onHopeless: () => void;
};
export type AcpWire = {
  readonly stream: Stream;
  /** The number of messages, and of lines that are not messages. */
  readonly seen: () => { readonly messages: number; readonly garbage: number };
};

/** A banner is accepted, but not this many lines in a row that are not messages. */
const GARBAGE_LINES = 20;
const LINE_BYTES = 32 * 1024 * 1024;

export function openWire(stdin: Writable, stdout: Readable, hooks: AcpWireHooks): AcpWire {
  let messages = 0;
  let garbage = 0;
  let inARow = 0;
  let hopeless = false;
  let push: (message: AnyMessage) => void = () => undefined;
  let finish: () => void = () => undefined;

  const giveUp = (): void => {
    if (hopeless) return;
    hopeless = true;
    stdout.destroy(); // further output must not fill the memory
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
  // A line that never ends is found here, before it fills the memory.
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
        // An agent that has exited is noticed by its exit, not by a failed write.
        if (stdin.writable) stdin.write(`${JSON.stringify(message)}\n`, () => resolve());
        else resolve();
      }),
  });
  return { stream: { readable, writable }, seen: () => ({ messages, garbage }) };
}

const isMessage = (value: unknown): value is AnyMessage =>
  typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';

function readMessage(line: string): AnyMessage | null {
  try {
    const value: unknown = JSON.parse(line);
    return isMessage(value) ? value : null;
  } catch {
    return null;
  }
}
