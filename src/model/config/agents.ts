// Sections about agents, models, costs and quota.
import * as z from 'zod/mini';
import { MODEL_NAMES, PROVIDERS } from './names.ts';
import {
  budget,
  described,
  limited,
  mapValues,
  section,
  sectionAs,
  share,
  TEXT,
  text,
  tokenBudget,
  VARIABLES,
} from './values.ts';

/** `roles`: supported ones · `planned`: those of future playbooks, accepted without effect. */
export type RoleNames = { readonly roles: readonly string[]; readonly planned: readonly string[] };

const agent = z.strictObject({
  provider: described(z.optional(z.enum(PROVIDERS)), 'Without it: `claude`; for a role: that of `agents.default`.'),
  model: described(z.optional(z.nullable(TEXT)), 'Model name as the provider knows it; `null`: the provider chooses.'),
  command: described(
    z.optional(z.array(TEXT).check(z.minLength(1))),
    '`acp` (required), `codex` and `scripted`: program and arguments, started in the repository.',
  ),
  env: described(
    z.optional(VARIABLES),
    'Additional environment variables. No secrets: the file is in version control.',
  ),
  files: described(
    z.optional(z.enum(['harness', 'own'])),
    '`acp`: whether the agent reads and writes files through the harness or by itself. Without it: as is known of the agent.',
  ),
  scenario: text('`scripted`, `replay` (required): the scenario file or cassette, repository-relative or absolute.'),
});

/** A map with an entry for each role; entries of planned roles are accepted and have no effect. */
function byRole<T extends z.core.$ZodType>({ roles, planned }: RoleNames, entry: () => T): { [role: string]: T } {
  const [acts, waits] = [entry(), limited({ effect: 'ignored', part: 'playbooks', except: [] }, entry())];
  return Object.fromEntries([...roles.map((role) => [role, acts]), ...planned.map((role) => [role, waits])]);
}

export const agents = (names: RoleNames) =>
  section('The agent of each role.', {
    default: described(z.prefault(agent, {}), 'The agent of every role without its own entry.'),
    roles: section(
      'Another agent for one role. Missing keys come from `agents.default`, unless it has another provider.',
      byRole(names, () => described(z.optional(agent), 'The agent of this role.')),
    ),
    fallback: described(
      z._default(z.array(agent), []),
      'Agents that take over, in this order, if a provider has little quota left or cannot be reached.',
    ),
    competitors: described(
      z._default(z.array(agent), []),
      'Agents of the second, third, … worker where several attempt the same feature (`mission.competitors`). Without an entry: the agent of the role.',
    ),
  });

const namedModels = Object.fromEntries(
  MODEL_NAMES.map((name) => [name, text(`What a workflow means by \`${name}\`, for agents that are not Claude Code.`)]),
);

export const models = (names: RoleNames) =>
  section<{ [name: string]: ReturnType<typeof text> }>('The model of each role; overrides `agents`.', {
    default: text('Model of every role of `agents.default` without its own entry.'),
    ...byRole(names, () => text('Model of this role.')),
    ...namedModels,
  });

const amount = () => z.number().check(z.gte(0));
const price = z.strictObject({
  input: described(amount(), 'US dollars for a million input tokens.'),
  output: described(amount(), 'US dollars for a million output tokens.'),
  cached: described(
    z.optional(amount()),
    'US dollars for a million cached input tokens. Without it: the price of input.',
  ),
});

export const costs = sectionAs(
  'Budgets in US dollars; `null` or left out: no budget. When one is reached, the work stops and the user is asked.',
  {
    perSessionUsd: budget('Maximum cost of one session.'),
    perFeatureUsd: budget('Maximum cost of one feature over all its sessions.'),
    totalProjectUsd: budget('Maximum cost of the project.'),
    prices: described(
      z._default(z.record(z.string(), price), {}),
      'Prices by model name, for agents that report tokens but no cost.',
    ),
  },
  ({ prices, ...budgets }) => ({
    ...budgets,
    prices: mapValues(prices, (one) => ({ ...one, cached: one.cached ?? one.input })),
  }),
);

export const limits = section(
  'Budgets in tokens and minutes, beside those in money; `null` or left out: no budget. When one is reached, the work stops and the user is asked. Tokens are input and output, without what is read from a cache; minutes are those of agents at work. The minutes of one session are `session.timeout_minutes`.',
  {
    perSessionTokens: tokenBudget('Maximum tokens of one session.'),
    perFeatureTokens: tokenBudget('Maximum tokens of one feature over all its sessions.'),
    perFeatureMinutes: budget('Maximum minutes of one feature over all its sessions; may be a fraction.'),
    totalTokens: tokenBudget('Maximum tokens of the project.'),
    totalMinutes: budget('Maximum minutes of the project; may be a fraction.'),
  },
);

const quotaWindow = z.strictObject({
  provider: described(z.enum(PROVIDERS), 'Whose.'),
  hours: described(z.number().check(z.gt(0), z.lte(24 * 31)), 'Its length, from the first use; may be a fraction.'),
  tokens: described(z.int().check(z.gt(0)), 'Input and output allowed in it, without what is read from a cache.'),
});

export const quota = section('How close a session may come to the quota of its provider account.', {
  beginBelow: share('A session starts only if less than this share of the provider’s quota window is used.', 0.9),
  wrapUpAt: share('From this share a session hands over.', 0.95),
  windows: described(
    z._default(z.array(quotaWindow), []),
    'Quota windows of providers that do not report usage; counted over all runs of this user on this machine.',
  ),
});
