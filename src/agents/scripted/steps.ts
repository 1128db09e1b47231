// The steps of a scenario, each with its short form. docs/scenarios.md documents them.
import { z } from 'zod';

const text = z.string();
const path = z.string().min(1);
const bytes = z.number().int().positive();
const seconds = z.number().nonnegative().max(86_400);
/** `disk`: like an agent with its own tools · `client`: through the harness, which may refuse. */
const via = z.enum(['disk', 'client']).default('disk');
const ask = z.boolean().default(false);

/** A bare value where an object is expected is the value of its main field. */
const short = <T extends z.ZodType>(field: string, schema: T) =>
  z.preprocess((value) => (isPlain(value) ? value : value === null ? {} : { [field]: value }), schema);
const isPlain = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const claim = z.strictObject({ id: z.union([z.string(), z.number()]).optional(), file: path.default('features.json') });
export const FAILURES = [
  'auth',
  'billing',
  'rate-limited',
  'overloaded',
  'context-full',
  'network',
  'internal',
] as const;

const write = z.strictObject({
  path,
  text: text.optional(),
  from: path.optional(),
  executable: z.boolean().default(false),
  via,
  ask,
});

export const STEPS = {
  say: text,
  think: text,
  write: write.refine((w) => (w.text === undefined) !== (w.from === undefined), { error: 'needs either text or from' }),
  append: z.strictObject({ path, text, ask }),
  replace: z.strictObject({ path, find: text.min(1), with: text, ask }),
  delete: short('path', z.strictObject({ path, ask })),
  run: short(
    'command',
    z.strictObject({
      command: text.min(1),
      seconds: seconds.default(600),
      background: z.boolean().default(false),
      via,
      ask,
    }),
  ),
  claim: short('id', claim),
  unclaim: short('id', claim),
  usage: z.strictObject({
    input: z.number().int().nonnegative().default(0),
    output: z.number().int().nonnegative().default(0),
    cached: z.number().int().nonnegative().default(0),
    cost_usd: z.number().nonnegative().default(0),
  }),
  pause: short('seconds', z.strictObject({ seconds })),
  wait_for_file: short('path', z.strictObject({ path, seconds: seconds.default(60) })),
  crash: short('exit', z.strictObject({ exit: z.number().int().min(0).max(255).default(1), stderr: text.default('') })),
  hang: short('deaf', z.strictObject({ deaf: z.boolean().default(false) })),
  flood: short('bytes', z.strictObject({ bytes })),
  garbage: text,
  fail: short(
    'kind',
    z.strictObject({ kind: z.enum(FAILURES), message: text.default(''), retry_after_seconds: seconds.optional() }),
  ),
  stop: z.enum(['refusal', 'max_tokens', 'max_turn_requests']),
  ask_permission: z.strictObject({
    tool: z.string().default('other'),
    path: path.optional(),
    command: text.optional(),
    allowed: z.array(z.unknown()).default([]),
    denied: z.array(z.unknown()).default([]),
  }),
} as const;

export type StepName = keyof typeof STEPS;
type PlainStepName = Exclude<StepName, 'ask_permission'>;
/** The position of a step in the file; `key` as in `sessions[0].turns[1][2]`. */
export type StepPlace = { readonly line: number; readonly column: number; readonly key: string };
export type ScriptStep =
  | {
      [N in PlainStepName]: { readonly step: N; readonly with: z.output<(typeof STEPS)[N]>; readonly at: StepPlace };
    }[PlainStepName]
  | {
      readonly step: 'ask_permission';
      readonly with: {
        readonly tool: string;
        readonly path?: string | undefined;
        readonly command?: string | undefined;
      };
      readonly allowed: readonly ScriptStep[];
      readonly denied: readonly ScriptStep[];
      readonly at: StepPlace;
    };

export const isStepName = (name: string): name is StepName => Object.hasOwn(STEPS, name);
