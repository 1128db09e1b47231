// What the driver and the wrapper process of a session say to each other: one JSON object a line, each way.
import { z } from 'zod';
import type { Enclosure } from '../../host/sandbox/level.ts';
import { PROVIDERS } from '../../model/config.ts';
import type { AgentEvent } from '../../model/event.ts';
import type { TurnOutcome } from '../../model/action.ts';
import type { Usage } from '../../model/usage.ts';
import type { OwnFiles, ToolRules } from '../../model/tools.ts';
import type { SessionSpec } from '../port.ts';
import type { Account } from '../quota/book.ts';
import { monitorRules } from '../monitor/rules.ts';
import type { Fields } from './fields.ts';
import type { TurnLimits } from './limits.ts';

const texts = z.record(z.string(), z.string());
const tools: z.ZodType<ToolRules> = z.object({
  settings: z.object({
    filesystem: z.object({
      enabled: z.boolean(),
      allowedPaths: z.array(z.string()),
      deniedPaths: z.array(z.string()),
    }),
    shell: z.object({
      enabled: z.boolean(),
      timeoutSeconds: z.number().positive(),
      deniedCommands: z.array(z.string()),
    }),
    mcpServers: z.record(z.string(), z.object({ command: z.string(), args: z.array(z.string()), env: texts })),
  }),
  own: z.object({
    state: z.string(),
    backlog: z.string(),
    closed: z.array(z.string()),
    kept: z.array(z.string()),
    open: z.array(z.string()).optional(),
  } satisfies Fields<OwnFiles>),
  secrets: texts,
} satisfies Fields<ToolRules>);
const box: z.ZodType<Enclosure> = z.object({ argv: z.array(z.string()), env: texts, without: z.array(z.string()) });
const spec: z.ZodType<SessionSpec> = z.object({
  agent: z.object({
    provider: z.enum(PROVIDERS),
    model: z.string().nullable(),
    command: z.array(z.string()),
    env: texts,
    scenario: z.string().nullable(),
  }),
  mode: z.enum(['exec', 'review', 'complete']),
  cwd: z.string(),
  token: z.string().min(1),
  env: texts,
  resume: z.object({ id: z.string(), costUsd: z.number().nullable() }).nullable(),
  tools: z.exactOptional(tools),
  box: z.exactOptional(box),
  home: z.string(),
} satisfies Fields<SessionSpec>);
const account: z.ZodType<Account> = z.object({
  folder: z.string(),
  rules: z.array(z.object({ hours: z.number(), tokens: z.number() })),
});
const limits: z.ZodType<TurnLimits> = z.object({
  wallMs: z.number().positive(),
  idleMs: z.number().positive(),
  outputBytes: z.number().positive(),
});

/** The first line: everything the wrapper must know. It carries the agent's environment, so it never is an argument. */
export const startLine = z.object({
  spec,
  results: z.string(),
  limits,
  /** Left out: only the limits are kept. */
  rules: z.exactOptional(monitorRules),
  /** Where what is heard of the account's quota is noted; left out: nowhere. */
  quota: z.exactOptional(account),
});
export type Start = z.output<typeof startLine>;

export const orderLine = z.discriminatedUnion('order', [
  z.object({ order: z.literal('turn'), turn: z.number().int().positive(), prompt: z.string() }),
  z.object({ order: z.literal('inject'), id: z.number(), text: z.string() }),
  z.object({ order: z.literal('abort') }),
  z.object({ order: z.literal('close') }),
]);
export type Order = z.output<typeof orderLine>;

export type Injected = 'delivered' | 'next-turn' | 'unsupported';
export type Report =
  | { readonly report: 'event'; readonly turn: number; readonly event: AgentEvent }
  | { readonly report: 'turn'; readonly turn: number; readonly outcome: TurnOutcome }
  | { readonly report: 'injected'; readonly id: number; readonly how: Injected }
  | { readonly report: 'closed'; readonly usage: Usage };

/** Reads a line as JSON; null where it is none. */
export function readLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}

const isReport = (value: unknown): value is Report => typeof value === 'object' && value !== null && 'report' in value;
/** A line of our own wrapper: only its presence is checked, the types are the wrapper's. null: something else. */
export function readReport(line: string): Report | null {
  const value = readLine(line);
  return isReport(value) ? value : null;
}
