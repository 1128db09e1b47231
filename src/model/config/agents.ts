// Sections about agents, models, costs and quota.
import * as z from 'zod/mini';
import { MODEL_NAMES, PROVIDERS } from './names.ts';
import { budget, described, limited, mapValues, section, sectionAs, share, TEXT, text, VARIABLES } from './values.ts';

/** `roles`: supported ones · `planned`: those of future playbooks, accepted without effect. */
export type RoleNames = { readonly roles: readonly string[]; readonly planned: readonly string[] };

const agent = z.strictObject({
  provider: described(z.optional(z.enum(PROVIDERS)), 'Without it: `claude`; for a role: that of `agents.default`.'),
  model: described(z.optional(z.nullable(TEXT)), 'Model name as the provider knows it; `null`: the provider chooses.'),
  command: described(
    z.optional(z.array(TEXT).check(z.minLength(1))),
    '`acp` (needed), `codex` and `scripted`: program and arguments, started in the folder of the work.',
  ),
  env: described(z.optional(VARIABLES), 'More environment variables. Never a secret: the file is in version control.'),
  scenario: text('`scripted`, `replay` (needed): the scenario file or cassette, repository-relative or absolute.'),
});

/** A map with an entry for each role; entries of planned roles are accepted and have no effect. */
function byRole<T extends z.core.$ZodType>({ roles, planned }: RoleNames, entry: () => T): { [role: string]: T } {
  const [acts, waits] = [entry(), limited({ effect: 'ignored', part: 'playbooks', except: [] }, entry())];
  return Object.fromEntries([...roles.map((role) => [role, acts]), ...planned.map((role) => [role, waits])]);
}

export const agents = (names: RoleNames) =>
  section('Which agent does the work of which role.', {
    default: described(z.prefault(agent, {}), 'The agent of every role that has no entry of its own.'),
    roles: section(
      'Another agent for one role. What it leaves out comes from `agents.default`, unless it has another provider.',
      byRole(names, () => described(z.optional(agent), 'The agent of this role.')),
    ),
    fallback: described(
      z._default(z.array(agent), []),
      'Agents that continue, in this order, where a provider has little quota left or stays out of reach.',
    ),
  });

const namedModels = Object.fromEntries(
  MODEL_NAMES.map((name) => [name, text(`What a workflow means by \`${name}\`, for agents that are not Claude Code.`)]),
);

export const models = (names: RoleNames) =>
  section<{ [name: string]: ReturnType<typeof text> }>('A model for one role; stronger than what `agents` says.', {
    default: text('Model of every role without one of its own that `agents.default` works for.'),
    ...byRole(names, () => text('Model of this role.')),
    ...namedModels,
  });

const amount = () => z.number().check(z.gte(0));
const price = z.strictObject({
  input: described(amount(), 'US dollars for a million input tokens.'),
  output: described(amount(), 'US dollars for a million output tokens.'),
  cached: described(z.optional(amount()), 'The same from the cache. Without it: the price of input.'),
});

export const costs = sectionAs(
  'Budgets; `null` or left out: no budget. Reaching one stops the work and asks.',
  {
    perSessionUsd: budget('Most that one session may cost.'),
    perFeatureUsd: budget('Most that one feature may cost over all its sessions.'),
    totalProjectUsd: budget('Most that everything may cost.'),
    prices: described(
      z._default(z.record(z.string(), price), {}),
      'Prices by model name, for agents that report tokens but no money.',
    ),
  },
  ({ prices, ...budgets }) => ({
    ...budgets,
    prices: mapValues(prices, (one) => ({ ...one, cached: one.cached ?? one.input })),
  }),
);

const quotaWindow = z.strictObject({
  provider: described(z.enum(PROVIDERS), 'Whose.'),
  hours: described(z.number().check(z.gt(0), z.lte(24 * 31)), 'Its length, from the first use; may be a fraction.'),
  tokens: described(z.int().check(z.gt(0)), 'Input and output allowed in it, without what is read from a cache.'),
});

export const quota = section('How near a session may come to the limits of its provider’s account.', {
  beginBelow: share('A session begins only where less than this share of the provider’s window is used.', 0.9),
  wrapUpAt: share('From this share on a session hands over.', 0.95),
  windows: described(
    z._default(z.array(quotaWindow), []),
    'Windows of providers that do not report how much is used; counted over all runs of this person on this machine.',
  ),
});
