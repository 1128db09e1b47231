// Owns a scripted Messages API: what a step is over its wire, streamed or not as asked, and how a request reads.
import type { ServerResponse } from 'node:http';
import {
  cutOff,
  flat,
  modelServer,
  reply,
  showPage,
  stream,
  type Headers,
  type ModelServer,
  type Script as ScriptOf,
  type Trouble,
} from './model-server.ts';

export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id?: string; readonly name: string; readonly input: object };
export type Counts = {
  readonly input: number;
  readonly output: number;
  readonly written: number;
  readonly read: number;
};

export type Step =
  | {
      readonly does: 'say';
      readonly parts: readonly Part[];
      readonly stop?: string;
      readonly counts?: Partial<Counts>;
      readonly headers?: Headers;
    }
  | {
      readonly does: 'fail';
      readonly status: number;
      readonly type: string;
      readonly message: string;
      readonly headers?: Headers;
    }
  | Trouble;

/** A request as the model would see it, by the fields tests look at. */
export type Asked = {
  /** As it was sent. */
  readonly body: string;
  /** The API key it came with. */
  readonly key: string;
  readonly stream: boolean;
  readonly model: string;
  readonly tools: readonly string[];
  readonly system: string;
  /** Everything the user side said and every tool answered, in order; one entry per content block. */
  readonly heard: readonly {
    readonly kind: 'text' | 'tool-result';
    readonly text: string;
    readonly isError: boolean;
  }[];
};
export type Script = ScriptOf<Step, Asked>;
export type FakeAnthropic = ModelServer<Asked>;

export const say = (text: string, counts: Partial<Counts> = {}): Step => ({
  does: 'say',
  parts: [{ type: 'text', text }],
  counts,
});
export const call = (name: string, input: object, counts: Partial<Counts> = {}): Step => ({
  does: 'say',
  parts: [{ type: 'tool_use', name, input }],
  counts,
});
export const fail = (status: number, type: string, message: string, headers: Headers = {}): Step => ({
  does: 'fail',
  status,
  type,
  message,
  headers,
});
let messages = 0;
const COUNTS: Counts = { input: 100, output: 50, written: 30, read: 2000 };

const errorOf = (type: string, message: string): object => ({ type: 'error', error: { type, message } });

export const fakeAnthropic = (script: Script): Promise<FakeAnthropic> =>
  modelServer(script, {
    path: '/v1/messages',
    read: (body, headers) => askedOf(body, String(headers['x-api-key'] ?? headers.authorization ?? '')),
    answer,
    refusal: errorOf('invalid_request_error', 'not scripted'),
  });

export function answer(
  response: ServerResponse,
  step: Step,
  asked: Pick<Asked, 'model' | 'stream'>,
  number: number,
): void {
  if (step.does === 'hang' && step.after === undefined) return;
  if (step.does === 'fail') return reply(response, step.status, errorOf(step.type, step.message), step.headers);
  if (step.does === 'html') return showPage(response);
  const words = step.does === 'hang' ? (step.after ?? '') : 'half a sen';
  const said = step.does === 'say' ? step : { parts: [{ type: 'text' as const, text: words }] };
  const parts = said.parts.map((part, i) =>
    part.type === 'tool_use' ? { ...part, id: part.id ?? `toolu_${number}_${i}` } : part,
  );
  const counts = { ...COUNTS, ...(step.does === 'say' ? step.counts : {}) };
  const usual = parts.some((p) => p.type === 'tool_use') ? 'tool_use' : 'end_turn';
  const stop = step.does === 'say' ? (step.stop ?? usual) : usual;
  const usage = {
    input_tokens: counts.input,
    cache_creation_input_tokens: counts.written,
    cache_read_input_tokens: counts.read,
    output_tokens: counts.output,
  };
  const message = {
    id: `msg_${number}_${(messages += 1)}`,
    type: 'message',
    role: 'assistant',
    model: asked.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: Math.min(1, counts.output) },
  };
  const headers = step.does === 'say' ? step.headers : {};
  if (!asked.stream && step.does === 'say')
    return reply(response, 200, { ...message, content: parts, stop_reason: stop, usage }, headers);
  const send = stream(response, headers);
  send('message_start', { message });
  for (const [index, part] of parts.entries()) {
    const isText = part.type === 'text';
    const empty = isText ? { type: 'text', text: '' } : { type: 'tool_use', id: part.id, name: part.name, input: {} };
    send('content_block_start', { index, content_block: empty });
    const delta = isText
      ? { type: 'text_delta', text: part.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(part.input) };
    send('content_block_delta', { index, delta });
    if (step.does === 'cut') return cutOff(response);
    send('content_block_stop', { index });
  }
  if (step.does === 'hang') return;
  send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: counts.output } });
  send('message_stop', {});
  response.end();
}

type Wire = {
  readonly stream?: boolean;
  readonly model?: string;
  readonly tools?: readonly { readonly name: string }[];
  readonly system?: string | readonly { readonly text?: string }[];
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly WireBlock[] }[];
};
type WireBlock = {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
};

function askedOf(body: string, key: string): Asked {
  const wire = JSON.parse(body) as Wire;
  const heard = (wire.messages ?? [])
    .filter((m) => m.role === 'user')
    .flatMap((m) => (typeof m.content === 'string' ? [{ type: 'text', text: m.content }] : m.content))
    .map((block: WireBlock) =>
      block.type === 'tool_result'
        ? { kind: 'tool-result' as const, text: flat(block.content), isError: block.is_error === true }
        : { kind: 'text' as const, text: block.text ?? '', isError: false },
    );
  return {
    body,
    key,
    stream: wire.stream === true,
    model: wire.model ?? '',
    tools: (wire.tools ?? []).map((t) => t.name),
    system: typeof wire.system === 'string' ? wire.system : (wire.system ?? []).map((s) => s.text ?? '').join('\n'),
    heard,
  };
}
