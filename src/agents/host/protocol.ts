// The messages between the driver and the wrapper process of a session: one JSON object per line, in both directions.
import { z } from 'zod';
import type { Enclosure } from '../../host/sandbox/level.ts';
import { PROVIDERS } from '../../model/config.ts';
import type { AgentEvent } from '../../model/event.ts';
import type { TurnOutcome } from '../../model/action.ts';
import type { Usage } from '../../model/usage.ts';
import type { OwnFiles, ToolRules } from '../../model/tools.ts';
import type { SessionSpec } from '../port.ts';
import type { Account } from '../quota/ledger.ts';
import { monitorRules } from '../monitor/rules.ts';
import type { TurnLimits } from './turn-limits.ts';

/** A schema for every field of `T`, optional ones included, so that none is dropped silently: `z.object({ ... } satisfies SchemaFields<T>)`. */
export type SchemaFields<T> = { readonly [name in keyof Required<T>]: z.ZodType };

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
    unseen: z.exactOptional(
      z.object({ folders: z.array(z.string()), but: z.array(z.string()), outside: z.array(z.string()) }),
    ),
  } satisfies SchemaFields<OwnFiles>),
  secrets: texts,
} satisfies SchemaFields<ToolRules>);
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
} satisfies SchemaFields<SessionSpec>);
const account: z.ZodType<Account> = z.object({
  folder: z.string(),
  rules: z.array(z.object({ hours: z.number(), tokens: z.number() })),
});
const limits: z.ZodType<TurnLimits> = z.object({
  wallMs: z.number().positive(),
  idleMs: z.number().positive(),
  outputBytes: z.number().positive(),
});

/** The first line: everything that the wrapper has to know. It contains the agent's environment, so it is never an argument. */
export const startLine = z.object({
  spec,
  results: z.string(),
  limits,
  /** Default: only the limits apply. */
  rules: z.exactOptional(monitorRules),
  /** The ledger that records the quota of the account; default: none. */
  quota: z.exactOptional(account),
});
export type WrapperStart = z.output<typeof startLine>;

export const orderLine = z.discriminatedUnion('order', [
  z.object({
    order: z.literal('turn'),
    turn: z.number().int().positive(),
    prompt: z.string(),
    stable: z.exactOptional(z.number()),
  }),
  z.object({ order: z.literal('inject'), id: z.number(), text: z.string() }),
  z.object({ order: z.literal('abort') }),
  z.object({ order: z.literal('close') }),
]);
export type WrapperOrder = z.output<typeof orderLine>;

export type Injection = 'delivered' | 'next-turn' | 'unsupported';
export type WrapperReport =
  | { readonly report: 'event'; readonly turn: number; readonly event: AgentEvent }
  | { readonly report: 'turn'; readonly turn: number; readonly outcome: TurnOutcome }
  | { readonly report: 'injected'; readonly id: number; readonly how: Injection }
  | { readonly report: 'closed'; readonly usage: Usage };

/** A line parsed as JSON; null where it is not JSON. */
export function readLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}

const isReport = (value: unknown): value is WrapperReport =>
  typeof value === 'object' && value !== null && 'report' in value;
/** A line of our own wrapper, whose types are trusted; null: something else. */
export function readReport(line: string): WrapperReport | null {
  const value = readLine(line);
  return isReport(value) ? value : null;
}
