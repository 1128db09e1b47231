// Keys that say who works and what it may cost: agents, models, costs.
import * as z from 'zod';
import { PROVIDERS } from '../../model/config.ts';
import { forEachRole } from './roles.ts';
import { budget, plainText, text } from './words.ts';

const agent = z.strictObject({
  provider: z
    .enum(PROVIDERS)
    .optional()
    .describe('Who the agent is reached through. A role without one has the provider of `agents.default`.'),
  model: plainText()
    .nullable()
    .optional()
    .describe('Model name as the provider knows it; `null`: the provider chooses.'),
  command: z
    .array(plainText())
    .min(1)
    .optional()
    .describe('`acp` (needed) and `scripted`: program and arguments, started in the folder the agent works in.'),
  env: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('More environment variables for the agent; never put a secret here, the file is in version control.'),
  scenario: text('`scripted` (needed): the scenario file, repository-relative or absolute.'),
});
export type AgentEntry = z.output<typeof agent>;

export const agents = z
  .strictObject({
    default: agent.prefault({}).describe('The agent of every role that has no entry of its own.'),
    roles: z
      .strictObject(forEachRole(agent.optional()))
      .default({})
      .describe(
        'Another agent for one role. What an entry leaves out comes from `agents.default`, unless it names another provider.',
      ),
  })
  .prefault({})
  .describe('Which agent does the work of which role.');

export const models = z
  .strictObject({
    default: plainText()
      .optional()
      .describe('Model of every role without one of its own that `agents.default` works for.'),
    ...forEachRole(plainText().optional()),
  })
  .prefault({})
  .describe('A model for one role; stronger than what `agents` says.');

const price = z.strictObject({
  input: z.number().min(0).describe('US dollars for a million input tokens.'),
  output: z.number().min(0).describe('US dollars for a million output tokens.'),
  cached: z
    .number()
    .min(0)
    .optional()
    .describe('US dollars for a million input tokens read from the cache; without it, the price of input.'),
});

export const costs = z
  .strictObject({
    per_session_usd: budget('Most that one session may cost.'),
    per_feature_usd: budget('Most that one feature may cost over all its sessions.'),
    total_project_usd: budget('Most that everything may cost.'),
    prices: z
      .record(z.string(), price)
      .default({})
      .describe('Prices by model name, for agents that report tokens but no money.'),
  })
  .prefault({})
  .describe('Budgets; `null` or left out: no budget. Reaching one stops the work and asks.');
