// The Model Context Protocol over lines of JSON, for `harness mcp`: the client starts the program and speaks over its pipes.
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { plainObject } from '../open/loose-json.ts';
import {
  canAskPerson,
  mcpMessage,
  replyTo,
  type AskPerson,
  type McpHost,
  type McpMessage,
  type McpReply,
} from './mcp.ts';

export type McpStdio = McpHost & { readonly input: Readable; readonly write: (line: string) => void };

/** Resolves when the input ends and everything that was asked is answered. */
export async function serveMcp({ input, write, ...host }: McpStdio): Promise<void> {
  const waiting = new Map<string, (result: McpReply | null) => void>();
  const running = new Set<Promise<void>>();
  let [asked, canAsk] = [0, false];
  const send = (message: McpReply): void => write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const ask: NonNullable<AskPerson> = (method, params) => {
    asked += 1;
    const id = `confirm-${asked}`;
    const answer = new Promise<McpReply | null>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    return answer;
  };
  const handle = async (message: McpMessage): Promise<void> => {
    if (message.method === 'initialize') canAsk = canAskPerson(message);
    const reply = await replyTo(host, message, canAsk ? ask : null);
    if (reply !== null) send({ id: message.id, ...reply });
  };

  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const message = mcpMessage(plainObject(line));
    if (message === null) {
      if (line.trim() !== '') send({ id: null, error: { code: -32_700, message: 'this is no message' } });
    } else if (message.method === undefined) {
      const key = String(message.id);
      waiting.get(key)?.(message.result ?? null);
      waiting.delete(key);
    } else {
      const work: Promise<void> = handle(message).finally(() => running.delete(work));
      running.add(work);
    }
  }
  for (const resolve of waiting.values()) resolve(null);
  await Promise.all(running);
}
