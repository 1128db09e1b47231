// The Model Context Protocol over lines of JSON: the operations of the table as tools, so that any agent can look, and with a person's word act.
// What passes a safeguard is asked of the person by the client (elicitation); a client that cannot ask is refused.
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { packageVersion } from '../../host/package-root.ts';
import type { Json } from '../../model/json.ts';
import { OPERATIONS, type OperationName } from '../operations/all.ts';
import type { Asker } from '../operations/operation.ts';
import { OPERATION_NAMES, schemaOf } from '../operations/schemas.ts';
import { perform } from './perform.ts';
import { inputFor } from './routes.ts';

const VERSIONS = ['2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** They only hold work back, and lose nothing. */
const HARMLESS = new Set<OperationName>(['pause', 'stop', 'freeze']);
/** An agent reads all of it: more is cut, and says so. */
const MOST_TEXT = 100_000;

const messageShape = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).default({}),
  result: z.record(z.string(), z.unknown()).optional(),
});
type Message = z.output<typeof messageShape>;
type Reply = { readonly [key: string]: unknown };

export type McpOptions = {
  readonly asker: Asker;
  readonly input: Readable;
  readonly write: (line: string) => void;
  /** The value of HARNESS_TOKEN of commands that it starts. */
  readonly marker: string;
};

/** Resolves when the input ends and everything that was asked is answered. */
export async function serveMcp({ asker, input, write, marker }: McpOptions): Promise<void> {
  const waiting = new Map<string, (result: Reply | null) => void>();
  const running = new Set<Promise<void>>();
  let [asked, canAsk] = [0, false];
  const send = (message: Reply): void => write(JSON.stringify({ jsonrpc: '2.0', ...message }));

  const confirm = async (name: OperationName, given: Reply): Promise<boolean> => {
    asked += 1;
    const id = `confirm-${asked}`;
    const answer = new Promise<Reply | null>((resolve) => waiting.set(id, resolve));
    const message = `${OPERATIONS[name].about}\n${JSON.stringify(given)}`;
    send({ id, method: 'elicitation/create', params: { message, requestedSchema: CONFIRMATION } });
    const said = z.looseObject({ action: z.string(), content: z.looseObject({}).optional() }).safeParse(await answer);
    return said.data?.action === 'accept' && said.data.content?.['confirm'] === true;
  };

  const call = async (params: Reply): Promise<Reply> => {
    const name = OPERATION_NAMES.find((one) => one === params['name']);
    if (name === undefined) return problem(`there is no tool '${String(params['name'])}'`);
    const given = z.record(z.string(), z.unknown()).safeParse(params['arguments'] ?? {}).data;
    const known = given === undefined ? null : inputFor(name, given);
    if (known === null) return problem(`the input of '${name}' does not fit its schema`);
    if (OPERATIONS[name].kind === 'write' && !HARMLESS.has(name)) {
      const command = OPERATIONS[name].command ?? 'run';
      if (!canAsk) return problem(`a person has to confirm this, and this client cannot ask: harness ${command}`);
      if (!(await confirm(name, known))) return problem('the person did not confirm it');
    }
    const done = await perform(asker, name, known, marker);
    return done.ok ? answerOf(done.answer) : problem(`${done.error.message} ${done.error.hint}`.trim());
  };

  const handle = async ({ id, method, params }: Message): Promise<void> => {
    if (id === undefined) return;
    switch (method) {
      case 'initialize': {
        canAsk = z.looseObject({ elicitation: z.looseObject({}) }).safeParse(params['capabilities']).success;
        return send({ id, result: helloTo(params['protocolVersion']) });
      }
      case 'ping':
        return send({ id, result: {} });
      case 'tools/list':
        return send({ id, result: { tools: OPERATION_NAMES.map(toolOf) } });
      case 'tools/call':
        return send({ id, result: await call(params) });
      default:
        return send({ id, error: { code: -32_601, message: `'${method ?? ''}' is not known` } });
    }
  };

  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const message = parsed(line);
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

const CONFIRMATION = {
  type: 'object',
  properties: { confirm: { type: 'boolean', title: 'Do it?' } },
  required: ['confirm'],
} as const;

const helloTo = (asked: unknown): Reply => ({
  protocolVersion: VERSIONS.find((version) => version === asked) ?? VERSIONS[0],
  capabilities: { tools: {} },
  serverInfo: { name: 'harness', version: packageVersion() },
  instructions:
    'Tools of the harness, which drives coding agents over this repository and proves their work. Read status first. A write has to be confirmed by a person.',
});

function toolOf(name: OperationName): Reply {
  const { kind, about, input } = schemaOf(name);
  const isRead = kind === 'read';
  return {
    name,
    description: about,
    inputSchema: input,
    annotations: { readOnlyHint: isRead, destructiveHint: !isRead && !HARMLESS.has(name), openWorldHint: false },
  };
}

function answerOf(answer: object): Reply {
  const text = JSON.stringify(answer);
  const isCut = text.length > MOST_TEXT;
  const shown = isCut ? `${text.slice(0, MOST_TEXT)}… (cut: ${text.length} characters in all)` : text;
  return { content: [{ type: 'text', text: shown }], ...(isCut ? {} : { structuredContent: answer }) };
}

const problem = (text: string): Reply => ({ content: [{ type: 'text', text }], isError: true });

function parsed(line: string): Message | null {
  try {
    const json: Json = JSON.parse(line);
    return messageShape.safeParse(json).data ?? null;
  } catch {
    return null;
  }
}
