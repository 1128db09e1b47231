// The Model Context Protocol over HTTP (streamable HTTP), at /mcp of the server: one message per POST. A request is answered in JSON; one that has to
// be confirmed, by a short stream with the question and then the answer. Nothing is kept between requests but questions that wait for
// their answer: what a session may do is in its id, which only those who have the token can send.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import {
  canAskPerson,
  MCP_VERSIONS,
  mayAsk,
  mcpMessage,
  replyTo,
  type McpHost,
  type McpMessage,
  type McpReply,
} from './mcp.ts';

export type McpHttp = {
  /** The status of a refusal; null: it was answered. `body`: null where it is no object. */
  answer(request: IncomingMessage, response: ServerResponse, body: object | null): Promise<400 | 404 | 429 | null>;
};

const MOST_QUESTIONS = 32;
const HEARTBEAT_MS = 15_000;
const SESSION = /^(asks|reads)-[\da-f-]{36}$/;

export function openMcpHttp(host: McpHost): McpHttp {
  /** Questions to persons, by id, with the session that was asked. */
  const waiting = new Map<string, { readonly session: string; readonly resolve: (answer: McpReply | null) => void }>();

  /** The question and the reply as events of one answer. A client that leaves has not confirmed. */
  const streamed = async (response: ServerResponse, message: McpMessage, session: string): Promise<void> => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    const send = (sent: McpReply): void =>
      void response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...sent })}\n\n`);
    const heartbeat = setInterval(() => response.write(': \n\n'), HEARTBEAT_MS);
    let question = '';
    response.on('close', () => settle(question, session, null));
    try {
      const reply = await replyTo(host, message, (method, params) => {
        question = `confirm-${randomUUID()}`;
        const answer = new Promise<McpReply | null>((resolve) => waiting.set(question, { session, resolve }));
        send({ id: question, method, params });
        // It may have left before it was asked.
        if (response.destroyed) settle(question, session, null);
        return answer;
      });
      send({ id: message.id, ...reply });
      response.end();
    } finally {
      clearInterval(heartbeat);
    }
  };
  const settle = (id: string, session: string, answer: McpReply | null): void => {
    const asked = waiting.get(id);
    if (asked?.session !== session) return;
    waiting.delete(id);
    asked.resolve(answer);
  };

  return {
    async answer(request, response, body) {
      const message = mcpMessage(body);
      if (message === null || !isKnownVersion(request.headers['mcp-protocol-version'])) return 400;
      if (message.method === 'initialize') {
        const session = `${canAskPerson(message) ? 'asks' : 'reads'}-${randomUUID()}`;
        const hello = await replyTo(host, message, null);
        return json(response, { id: message.id, ...hello }, { 'mcp-session-id': session });
      }
      const session = String(request.headers['mcp-session-id'] ?? '');
      const [, kind] = SESSION.exec(session) ?? [];
      if (kind === undefined) return session === '' ? 400 : 404;
      if (message.method === undefined) settle(String(message.id), session, message.result ?? null);
      if (message.method === undefined || message.id === undefined) {
        response.writeHead(202, { 'content-length': 0 }).end();
        return null;
      }
      if (kind === 'asks' && mayAsk(message)) {
        if (waiting.size >= MOST_QUESTIONS) return 429;
        await streamed(response, message, session);
        return null;
      }
      return json(response, { id: message.id, ...(await replyTo(host, message, null)) });
    },
  };
}

/** Those that say none speak an older one. */
const isKnownVersion = (version: unknown): boolean =>
  version === undefined || (typeof version === 'string' && MCP_VERSIONS.includes(version));

function json(response: ServerResponse, message: McpReply, headers: { readonly [name: string]: string } = {}): null {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return null;
}
