// Keys that say who works, what it may cost, and how much a provider lets it use: agents, models, costs, quota.
import * as z from 'zod/mini';
import { MODEL_NAMES, PROVIDERS, type ModelName } from '../../model/config.ts';
import { forEachRole } from './roles.ts';
import { budget, share, TEXT, text, told } from './words.ts';

const variables = z.record(
  z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/)),
  z.union([z.string(), z.number(), z.boolean()]),
);

const agent = z.strictObject({
  provider: told(
    z.optional(z.enum(PROVIDERS)),
    'Who the agent is reached through. Without it: `claude`; for a role: the provider of `agents.default`.',
  ),
  model: told(z.optional(z.nullable(TEXT)), 'Model name as the provider knows it; `null`: the provider chooses.'),
  command: told(
    z.optional(z.array(TEXT).check(z.minLength(1))),
    '`acp` (needed), `codex` and `scripted`: program and arguments, started in the folder the agent works in.',
  ),
  env: told(
    z.optional(variables),
    'More environment variables for the agent. Never put a secret here: the file is in version control.',
  ),
  scenario: text(
    '`scripted` and `replay` (needed): the scenario file or the cassette, repository-relative or absolute.',
  ),
});
export type AgentEntry = z.output<typeof agent>;

const ROLE_AGENT = told(z.optional(agent), 'The agent of this role.');
const ROLE_MODEL = told(z.optional(TEXT), 'Model of this role.');

export const agents = told(
  z.prefault(
    z.strictObject({
      default: told(z.prefault(agent, {}), 'The agent of every role that has no entry of its own.'),
      roles: told(
        z.prefault(z.strictObject(forEachRole(ROLE_AGENT)), {}),
        'Another agent for one role. What an entry leaves out comes from `agents.default`, unless it names another provider.',
      ),
      fallback: told(
        z._default(z.array(agent), []),
        'Who goes on, in this order, where the provider of a role’s own agent can take no more: its quota is nearly used up, or it stays out of reach.',
      ),
    }),
    {},
  ),
  'Which agent does the work of which role.',
);

const NAMED_MODELS = Object.fromEntries(
  MODEL_NAMES.map((name) => [
    name,
    text(
      `What a workflow means by \`${name}\`. Without it: what Claude Code means by it; other agents have their own model.`,
    ),
  ]),
) as { [name in ModelName]: ReturnType<typeof text> };

export const models = told(
  z.prefault(
    z.strictObject({
      default: text('Model of every role without one of its own that `agents.default` works for.'),
      ...forEachRole(ROLE_MODEL),
      ...NAMED_MODELS,
    }),
    {},
  ),
  'A model for one role; stronger than what `agents` says.',
);

const amount = () => z.number().check(z.gte(0));
const price = z.strictObject({
  input: told(amount(), 'US dollars for a million input tokens.'),
  output: told(amount(), 'US dollars for a million output tokens.'),
  cached: told(
    z.optional(amount()),
    'US dollars for a million input tokens read from the cache. Without it: the price of input.',
  ),
});

export const costs = told(
  z.prefault(
    z.strictObject({
      per_session_usd: budget('Most that one session may cost.'),
      per_feature_usd: budget('Most that one feature may cost over all its sessions.'),
      total_project_usd: budget('Most that everything may cost.'),
      prices: told(
        z._default(z.record(z.string(), price), {}),
        'Prices by model name, for agents that report tokens but no money.',
      ),
    }),
    {},
  ),
  'Budgets; `null` or left out: no budget. Reaching one stops the work and asks.',
);

const quotaWindow = z.strictObject({
  provider: told(z.enum(PROVIDERS), 'Whose.'),
  hours: told(
    z.number().check(z.gt(0), z.lte(24 * 31)),
    'It begins with a use and ends after so long; fractions are fine.',
  ),
  tokens: told(
    z.int().check(z.gt(0)),
    'Input and output that may be used in it; what is read from a cache does not count.',
  ),
});

export const quota = told(
  z.prefault(
    z.strictObject({
      begin_below: share('A session begins only where less than this share of the provider’s window is used.', 0.9),
      wrap_up_at: share('From this share on a session hands over.', 0.95),
      windows: told(
        z._default(z.array(quotaWindow), []),
        'Windows of providers that do not say how much is used; counted over all runs of this person on this machine.',
      ),
    }),
    {},
  ),
  'How near a session may come to the limits of its provider’s account.',
);
