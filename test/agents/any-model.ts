// A model on 127.0.0.1 for agents of any maker: it speaks chat completions (OpenAI and those like it), Gemini, Messages and Responses, and plays
// one script. A request without tools (a title, a summary) gets a word and counts as no step.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { answer as messages } from '../providers/fake-anthropic.ts';
import { answer as responses } from '../providers/fake-openai.ts';

export type Step = { readonly call: string; readonly args: object } | { readonly say: string };
/** What it does instead of the next step; `hang`: it takes the request and never answers. */
export type Trouble = { readonly refuse: number; readonly words: string } | 'hang';
export type AnyModel = {
  readonly url: string;
  /** What was asked with tools and got a step of the script, in order: the body of each request. */
  readonly asked: readonly string[];
  /** `after`: once so many steps were played. null: it is over. */
  trouble(what: Trouble | null, after?: number): void;
  /** Resolves when so many requests have met the trouble. */
  troubled(count?: number): Promise<void>;
  close(): Promise<void>;
};

const USAGE = { input: 1_000, output: 50 };
const MODEL = /:(?:stream)?generateContent|\/chat\/completions|\/v1\/messages$|\/responses$/i;
/**
 * Answers of tools that a conversation has: some agents ask beside it, so a request is placed by what it has seen. Of Gemini the calls, since a
 * session that it has loaded has each answer twice.
 */
const DONE =
  /"role":\s*"tool"|"functionCall":|"type":\s*"(?:tool_result|function_call_output|custom_tool_call_output)"/g;

/** After its last step it says "Done.". */
export async function anyModel(script: readonly Step[]): Promise<AnyModel> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  let trouble: { readonly what: Trouble; readonly after: number } | null = null;
  let met = 0;
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      if (!MODEL.test(path)) return json(response, 200, { data: [], models: [], input_tokens: 1 });
      const hasTools = /"tools":\s*\[\s*\{/.test(body);
      const done = body.match(DONE)?.length ?? 0;
      // A request beside the conversation is refused too, and answered where the conversation hangs.
      const isMet = trouble !== null && (hasTools ? done >= trouble.after : trouble.what !== 'hang');
      if (trouble !== null && isMet) {
        if (hasTools) met += 1;
        for (const { count, resolve } of waiting) if (met >= count) resolve();
        if (trouble.what === 'hang') return undefined;
        const { refuse, words } = trouble.what;
        const type = refuse === 401 ? 'authentication_error' : 'overloaded_error';
        return json(response, refuse, { type: 'error', error: { type, code: refuse, message: words, status: type } });
      }
      const step: Step = hasTools ? (script[done] ?? { say: 'Done.' }) : { say: 'words' };
      if (hasTools) asked.push(body);
      return speak(response, step, path, body, asked.length);
    });
  });
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n'));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    trouble(what, after = 0) {
      trouble = what === null ? null : { what, after };
    },
    troubled: (count = 1) =>
      new Promise((resolve) => (met >= count ? resolve() : void waiting.push({ count, resolve }))),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function speak(response: ServerResponse, step: Step, path: string, body: string, number: number): void {
  if (path.endsWith('/chat/completions')) return chat(response, step, number, body);
  if (path.endsWith('/messages')) {
    const part =
      'say' in step
        ? { type: 'text' as const, text: step.say }
        : { type: 'tool_use' as const, name: step.call, input: step.args };
    const { model = '', stream = false } = JSON.parse(body) as { model?: string; stream?: boolean };
    const counts = { ...USAGE, written: 0, read: 0 };
    return messages(response, { does: 'say', parts: [part], counts }, { model, stream }, number);
  }
  if (path.endsWith('/responses')) {
    const part =
      'say' in step
        ? { type: 'text' as const, text: step.say }
        : { type: 'call' as const, name: step.call, args: step.args };
    return void responses(response, { does: 'say', parts: [part], counts: { ...USAGE, read: 0 } }, number);
  }
  return gemini(response, step, path);
}

function chat(response: ServerResponse, step: Step, number: number, body: string): void {
  const usage = {
    prompt_tokens: USAGE.input,
    completion_tokens: USAGE.output,
    total_tokens: USAGE.input + USAGE.output,
  };
  const called =
    'call' in step
      ? [
          {
            index: 0,
            id: `call_${number}`,
            type: 'function',
            function: { name: step.call, arguments: JSON.stringify(step.args) },
          },
        ]
      : undefined;
  const message = {
    role: 'assistant',
    content: 'say' in step ? step.say : null,
    ...(called ? { tool_calls: called } : {}),
  };
  const reason = called ? 'tool_calls' : 'stop';
  const about = { id: `chat_${number}`, created: 1, model: 'test-model' };
  if (!/"stream":\s*true/.test(body))
    return json(response, 200, {
      ...about,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: reason }],
      usage,
    });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (data: object): void =>
    void response.write(`data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', ...data })}\n\n`);
  send({ choices: [{ index: 0, delta: message, finish_reason: null }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
  send({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}

function gemini(response: ServerResponse, step: Step, path: string): void {
  const part = 'call' in step ? { functionCall: { name: step.call, args: step.args } } : { text: step.say };
  const answer = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: USAGE.input,
      candidatesTokenCount: USAGE.output,
      totalTokenCount: USAGE.input + USAGE.output,
    },
  };
  if (!path.includes('stream')) return json(response, 200, answer);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify(answer)}\n\n`);
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}
