// Names in the configuration that code needs without its schema.

export const PLAYBOOKS = ['features', 'delivery', 'mission', 'tasks', 'workflow'] as const;
/** If none is configured and none is detected in the target. */
export const DEFAULT_PLAYBOOK = 'features';
export type PlaybookName = (typeof PLAYBOOKS)[number];

export const PROVIDERS = ['claude', 'codex', 'acp', 'scripted', 'replay'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** Models by strength, as a workflow requests them. Claude Code knows these names; for other agents `models.<name>` says what they mean. */
export const MODEL_NAMES = ['haiku', 'sonnet', 'opus'] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

/** A target has at most one of these, in its root. */
export const CONFIG_FILES = ['.harness.yaml', 'harness.config.json', 'harness.config.ts'] as const;

export const OLDER_STATE = ['migrate', 'abort'] as const;
export const NEWER_STATE = ['abort', 'warn'] as const;

/** off: no mutation tests unless a proof needs them · warn: a weak test is reported · require: the work is rejected */
export const MUTATION_RULES = ['off', 'warn', 'require'] as const;
export type MutationRule = (typeof MUTATION_RULES)[number];
