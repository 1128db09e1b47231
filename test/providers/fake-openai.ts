// Owns a scripted Responses API: what a step is over its wire, streamed, and how a request reads.
import type { ServerResponse } from 'node:http';
import { unreachable } from '../../src/model/bug.ts';
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
  /** A function of the program, or of a server: `mcp__server` and the tool's own name. */
  | { readonly type: 'call'; readonly name: string; readonly args: object; readonly namespace?: string }
  | { readonly type: 'patch'; readonly patch: string };
/** `read` is the part of `input` that came from the cache, as the API counts. */
export type Counts = { readonly input: number; readonly output: number; readonly read: number };

export type Step =
  /** `until`: the words are out, the rest of the answer waits. */
  | {
      readonly does: 'say';
      readonly parts: readonly Part[];
      readonly counts?: Partial<Counts>;
      readonly headers?: Headers;
      readonly until?: Promise<unknown>;
    }
  | { readonly does: 'fail'; readonly status: number; readonly body: object; readonly headers?: Headers }
  /** The answer begins well and then says that it failed. */
  | { readonly does: 'break'; readonly code: string; readonly message: string }
  | Trouble;

/** A request as the model would see it, by the fields tests look at. */
export type Asked = {
  /** The key it came with. */
  readonly key: string;
  readonly model: string;
  readonly tools: readonly string[];
  /** Everything said by the user's side and the program, and every tool's output, in order. */
  readonly heard: readonly { readonly kind: 'text' | 'program' | 'tool-result'; readonly text: string }[];
};
export type Script = ScriptOf<Step, Asked>;
export type FakeOpenAI = ModelServer<Asked>;

export const say = (text: string, counts: Partial<Counts> = {}): Step => ({
  does: 'say',
  parts: [{ type: 'text', text }],
  counts,
});
/** A shell command. */
export const run = (cmd: string, more: object = {}): Step => ({
  does: 'say',
  parts: [{ type: 'call', name: 'exec_command', args: { cmd, ...more } }],
});
export const patch = (...lines: readonly string[]): Step => ({
  does: 'say',
  parts: [{ type: 'patch', patch: patchOf(lines) }],
});
export const patchOf = (lines: readonly string[]): string =>
  ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
/** A new file, as a patch says it. */
export const added = (path: string, text: string): string[] => [
  `*** Add File: ${path}`,
  ...text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `+${line}`),
];
export const fail = (status: number, message: string, code: string | null = null, headers: Headers = {}): Step => ({
  does: 'fail',
  status,
  body: { error: { message, type: code ?? 'error', code } },
  headers,
});
const COUNTS: Counts = { input: 2130, output: 50, read: 2000 };

export const fakeOpenAI = (script: Script): Promise<FakeOpenAI> =>
  modelServer(script, {
    path: '/v1/responses',
    read: (body, headers) => askedOf(body, (headers.authorization ?? '').replace('Bearer ', '')),
    answer: (response, step, _asked, number) => void answer(response, step, number),
    refusal: { error: { message: 'not scripted', code: 'not_scripted' } },
  });

let made = 0;

export async function answer(response: ServerResponse, step: Step, number: number): Promise<void> {
  if (step.does === 'hang' && step.after === undefined) return;
  if (step.does === 'fail') return reply(response, step.status, step.body, step.headers);
  if (step.does === 'html') return showPage(response);
  const send = stream(response, step.does === 'say' ? step.headers : {});
  const id = `resp_${number}`;
  send('response.created', { response: { id } });
  if (step.does === 'cut') return cutOff(response);
  if (step.does === 'break') {
    send('response.failed', { response: { id, error: { code: step.code, message: step.message } } });
    response.end();
    return;
  }
  const parts: readonly Part[] = step.does === 'hang' ? [{ type: 'text', text: step.after ?? '' }] : step.parts;
  for (const [index, part] of parts.entries()) {
    const item = itemOf(part);
    if (part.type === 'text') {
      send('response.output_item.added', { output_index: index, item: { ...item, content: [] } });
      const place = { output_index: index, content_index: 0, item_id: item.id };
      send('response.output_text.delta', { ...place, delta: part.text });
    }
    if (step.does === 'hang') return;
    await step.until;
    send('response.output_item.done', { output_index: index, item });
  }
  const counts = { ...COUNTS, ...(step.does === 'say' ? step.counts : {}) };
  const usage = {
    input_tokens: counts.input,
    input_tokens_details: { cached_tokens: counts.read },
    output_tokens: counts.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: counts.input + counts.output,
  };
  send('response.completed', { response: { id, usage } });
  response.end();
}

function itemOf(part: Part): { readonly id: string; readonly [field: string]: unknown } {
  const number = ++made;
  const call_id = `call_${number}`;
  switch (part.type) {
    case 'text':
      return {
        type: 'message',
        role: 'assistant',
        id: `msg_${number}`,
        content: [{ type: 'output_text', text: part.text }],
      };
    case 'patch':
      return { type: 'custom_tool_call', id: `ct_${number}`, call_id, name: 'apply_patch', input: part.patch };
    case 'call':
      return {
        type: 'function_call',
        id: `fc_${number}`,
        call_id,
        name: part.name,
        arguments: JSON.stringify(part.args),
        ...(part.namespace === undefined ? {} : { namespace: part.namespace }),
      };
    default:
      return unreachable(part);
  }
}

type WireItem = {
  readonly type: string;
  readonly role?: string;
  readonly content?: readonly { readonly text?: string }[];
  readonly output?: unknown;
};
type Wire = {
  readonly model?: string;
  readonly tools?: readonly { readonly type: string; readonly name?: string }[];
  readonly input?: readonly WireItem[];
};

function askedOf(body: string, key: string): Asked {
  const wire = JSON.parse(body) as Wire;
  const heard = (wire.input ?? []).flatMap((item): Asked['heard'] => {
    if (item.type.endsWith('_output')) return [{ kind: 'tool-result', text: flat(item.output) }];
    if (item.type !== 'message' || item.role === 'assistant') return [];
    const kind = item.role === 'user' ? 'text' : 'program';
    return (item.content ?? []).map((part) => ({ kind, text: part.text ?? '' }));
  });
  return { key, model: wire.model ?? '', tools: (wire.tools ?? []).map((t) => t.name ?? t.type), heard };
}
