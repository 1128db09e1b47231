// The session updates that we understand. An agent may send more fields, and kinds that we do not know.
import { z } from 'zod';
import type { Json } from '../../model/json.ts';

const block = z.looseObject({ type: z.string(), text: z.string().optional() });
const content = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('content'), content: block }),
  z.looseObject({ type: z.literal('diff'), path: z.string(), oldText: z.string().nullish(), newText: z.string() }),
  z.looseObject({ type: z.literal('terminal'), terminalId: z.string() }),
]);
const tool = z.looseObject({
  toolCallId: z.string(),
  title: z.string().nullish(),
  name: z.string().nullish(),
  kind: z.string().nullish(),
  status: z.string().nullish(),
  content: z.array(content).nullish().catch(null),
  locations: z
    .array(z.looseObject({ path: z.string() }))
    .nullish()
    .catch(null),
  // Parsed from JSON, so it is JSON.
  rawInput: z.custom<Json>().optional(),
  rawOutput: z.unknown().optional(),
});
const chunk = z.looseObject({ content: block });
const usage = z.looseObject({
  used: z.number(),
  size: z.number(),
  cost: z.looseObject({ amount: z.number(), currency: z.string() }).nullish(),
});
const notice = z.looseObject({ title: z.string() });

export type ToolFields = z.infer<typeof tool>;
export type ToolContent = z.infer<typeof content>;
export type Update =
  | { readonly kind: 'text' | 'thought' | 'notice'; readonly text: string }
  | { readonly kind: 'tool'; readonly tool: ToolFields }
  | { readonly kind: 'usage'; readonly used: number; readonly size: number; readonly costUsd: number | null }
  | { readonly kind: 'other' }
  | { readonly kind: 'broken' };

/** Reads the fields of a tool call in an update or permission request; null: it is not one. */
export function readTool(value: unknown): ToolFields | null {
  const read = tool.safeParse(value);
  return read.success ? read.data : null;
}

/** Reads the parameters of one `session/update` notification. */
export function readUpdate(params: unknown): Update {
  const outer = z.looseObject({ update: z.looseObject({ sessionUpdate: z.string() }) }).safeParse(params);
  if (!outer.success) return { kind: 'broken' };
  const update = outer.data.update;
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return textOf('text', update);
    case 'agent_thought_chunk':
      return textOf('thought', update);
    case 'tool_call':
    case 'tool_call_update': {
      const fields = readTool(update);
      return fields === null ? { kind: 'broken' } : { kind: 'tool', tool: fields };
    }
    case 'usage_update': {
      const read = usage.safeParse(update);
      if (!read.success) return { kind: 'broken' };
      const cost = read.data.cost;
      const { used, size } = read.data;
      return { kind: 'usage', used, size, costUsd: cost?.currency === 'USD' ? cost.amount : null };
    }
    case 'notice': {
      const read = notice.safeParse(update);
      return read.success ? { kind: 'notice', text: read.data.title } : { kind: 'broken' };
    }
    default:
      return { kind: 'other' };
  }
}

function textOf(kind: 'text' | 'thought', update: unknown): Update {
  const read = chunk.safeParse(update);
  return read.success ? { kind, text: read.data.content.text ?? '' } : { kind: 'broken' };
}
