// A model on 127.0.0.1 for agents of any maker: it speaks chat completions (OpenAI and those like it) and Gemini, and plays one script. A
// request without tools (a title, a summary) gets a word and counts as no step.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Step =
  | { readonly call: string; readonly args: object }
  | { readonly say: string }
  | { readonly refuse: number; readonly words: string };
export type AnyModel = {
  readonly url: string;
  /** What was asked with tools, in order: the body of each request. */
  readonly asked: readonly string[];
  close(): Promise<void>;
};

const USAGE = { input: 1_000, output: 50 };

/** After its last step it says "Done.". */
export async function anyModel(script: readonly Step[]): Promise<AnyModel> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const path = request.url ?? '';
      const hasTools = /"tools":\s*\[\s*\{/.test(body);
      const isModel = /:(?:stream)?generateContent|\/chat\/completions/i.test(path);
      if (!isModel) return json(response, 200, { data: [], models: [] });
      // By what the model has seen of its tools: some agents ask beside the conversation.
      const done = body.match(/"role":\s*"tool"|"functionResponse":/g)?.length ?? 0;
      const step: Step = hasTools ? (script[done] ?? { say: 'Done.' }) : { say: 'words' };
      if (hasTools) asked.push(body);
      if ('refuse' in step) return json(response, step.refuse, { error: { code: step.refuse, message: step.words } });
      return path.includes('/chat/completions')
        ? chat(response, step, asked.length, body)
        : gemini(response, step, path);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Answer = Exclude<Step, { readonly refuse: number }>;

function chat(response: ServerResponse, step: Answer, number: number, body: string): void {
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

function gemini(response: ServerResponse, step: Answer, path: string): void {
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
