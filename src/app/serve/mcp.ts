// The Model Context Protocol: the operations of the table as tools, so that any agent can look, and with a person's word act. What passes a
// safeguard is asked of the person by the client (elicitation); a client that cannot ask is refused. Over stdio: mcp-stdio.ts, over HTTP: mcp-http.ts.
import { z } from 'zod';
import { packageVersion } from '../../host/package-root.ts';
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

export const MCP_VERSIONS: readonly string[] = VERSIONS;

const messageShape = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).default({}),
  result: z.record(z.string(), z.unknown()).optional(),
});
export type McpMessage = z.output<typeof messageShape>;
export type McpReply = { readonly [key: string]: unknown };

/** Null: it is no message. */
export const mcpMessage = (json: unknown): McpMessage | null => messageShape.safeParse(json).data ?? null;
/** Of its `initialize`: whether it can ask its person. */
export const canAskPerson = ({ params }: McpMessage): boolean =>
  z.looseObject({ elicitation: z.looseObject({}) }).safeParse(params['capabilities']).success;

export type McpHost = {
  readonly asker: Asker;
  /** The value of HARNESS_TOKEN of commands that it starts. */
  readonly marker: string;
};
/** Asks the person behind the client; null: there is no answer. Null itself: this client cannot ask. */
export type AskPerson = ((method: string, params: McpReply) => Promise<McpReply | null>) | null;

/** The reply to a request, without its id; null: it is a notification. */
export async function replyTo(
  { asker, marker }: McpHost,
  { id, method, params }: McpMessage,
  ask: AskPerson,
): Promise<McpReply | null> {
  if (id === undefined) return null;
  switch (method) {
    case 'initialize':
      return { result: helloTo(params['protocolVersion']) };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: OPERATION_NAMES.map(toolOf) } };
    case 'tools/call':
      return { result: await call({ asker, marker }, params, ask) };
    default:
      return { error: { code: -32_601, message: `'${method ?? ''}' is not known` } };
  }
}

async function call({ asker, marker }: McpHost, params: McpReply, ask: AskPerson): Promise<McpReply> {
  const name = OPERATION_NAMES.find((one) => one === params['name']);
  if (name === undefined) return problem(`there is no tool '${String(params['name'])}'`);
  const given = z.record(z.string(), z.unknown()).safeParse(params['arguments'] ?? {}).data;
  const known = given === undefined ? null : inputFor(name, given);
  if (known === null) return problem(`the input of '${name}' does not fit its schema`);
  if (needsPerson(name)) {
    const command = OPERATIONS[name].command ?? 'run';
    if (ask === null) return problem(`a person has to confirm this, and this client cannot ask: harness ${command}`);
    const message = `${OPERATIONS[name].about}\n${JSON.stringify(known)}`;
    const answer = await ask('elicitation/create', { message, requestedSchema: CONFIRMATION });
    if (!isConfirmed(answer)) return problem('the person did not confirm it');
  }
  const done = await perform(asker, name, known, marker);
  return done.ok ? answerOf(done.answer) : problem(`${done.error.message} ${done.error.hint}`.trim());
}

const needsPerson = (name: OperationName): boolean => OPERATIONS[name].kind === 'write' && !HARMLESS.has(name);
/** Whether a request may ask the person before it is answered. */
export const mayAsk = ({ method, params }: McpMessage): boolean =>
  method === 'tools/call' && OPERATION_NAMES.some((name) => name === params['name'] && needsPerson(name));

function isConfirmed(answer: McpReply | null): boolean {
  const said = z.looseObject({ action: z.string(), content: z.looseObject({}).optional() }).safeParse(answer).data;
  return said?.action === 'accept' && said.content?.['confirm'] === true;
}

const CONFIRMATION = {
  type: 'object',
  properties: { confirm: { type: 'boolean', title: 'Do it?' } },
  required: ['confirm'],
} as const;

const helloTo = (asked: unknown): McpReply => ({
  protocolVersion: VERSIONS.find((version) => version === asked) ?? VERSIONS[0],
  capabilities: { tools: {} },
  serverInfo: { name: 'harness', version: packageVersion() },
  instructions:
    'Tools of the harness, which drives coding agents over this repository and proves their work. Read status first. A write has to be confirmed by a person.',
});

function toolOf(name: OperationName): McpReply {
  const { kind, about, input } = schemaOf(name);
  const isRead = kind === 'read';
  return {
    name,
    description: about,
    inputSchema: input,
    annotations: { readOnlyHint: isRead, destructiveHint: !isRead && !HARMLESS.has(name), openWorldHint: false },
  };
}

function answerOf(answer: object): McpReply {
  const text = JSON.stringify(answer);
  const isCut = text.length > MOST_TEXT;
  const shown = isCut ? `${text.slice(0, MOST_TEXT)}… (cut: ${text.length} characters in all)` : text;
  return { content: [{ type: 'text', text: shown }], ...(isCut ? {} : { structuredContent: answer }) };
}

const problem = (text: string): McpReply => ({ content: [{ type: 'text', text }], isError: true });
