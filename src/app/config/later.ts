// The keys that do not act yet, in one table. With it every key of the schema acts, or is refused with a reason, or is
// named in `inert` so that the program can say so: nothing a person wrote is passed over in silence.
import { LATER_ROLES } from './roles.ts';

export type LaterKey = {
  /** Dotted key; everything below it is meant too. */
  readonly key: string;
  /** Values that say what happens today anyway: they are fine without a word. */
  readonly today: readonly unknown[];
  /** What any other value gets: an error, or a place in the list of what does not act. */
  readonly otherwise: 'refused' | 'inert';
  /** Kebab-case name of the part of the program that will bring it. */
  readonly part: string;
  /** The row is moot where this key has this value. */
  readonly unless?: { readonly key: string; readonly is: unknown };
};

const refused = (part: string, key: string, ...today: readonly unknown[]): LaterKey => ({
  key,
  today,
  otherwise: 'refused',
  part,
});
const inert = (part: string, key: string, ...today: readonly unknown[]): LaterKey => ({
  key,
  today,
  otherwise: 'inert',
  part,
});

const NO_MIRROR = { key: 'github.sync_mode', is: 'none' };

export const LATER: readonly LaterKey[] = [
  refused(
    'playbooks',
    'playbook',
    'features',
    'tasks',
    'workflow',
    { backlog: 'features', machine: 'features' },
    { backlog: 'tasks', machine: 'tasks' },
    { backlog: 'workflow', machine: 'workflow' },
    { backlog: 'features', machine: 'tasks' },
    { backlog: 'tasks', machine: 'features' },
  ),
  refused('lanes', 'isolation', 'in-place'),
  refused('lanes', 'lanes', 1),
  inert('lanes', 'lanes_share', []),
  { ...refused('recovery-tables', 'recovery', 'restore'), unless: { key: 'playbook', is: 'tasks' } },
  // Ignoring these would do what the person ruled out.
  refused('harness-verification', 'verification.harness_verify', true),
  refused('session-limits', 'session.on_timeout.auto_commit', true),
  refused('session-limits', 'context.on_limit.auto_commit', true),
  refused('session-limits', 'context.on_limit.append_to_progress', true),
  refused('structured-output', 'logging.require_prefixes', false),
  refused('forge', 'forge.kind', 'none'),
  inert('forge', 'forge.remote'),
  inert('forge', 'forge.base_branch'),
  inert('forge', 'forge.ci'),
  // Of the features reference; its standard file has most of them.
  inert('quality', 'quality.warn_on_lint_errors', true),
  { ...inert('github-mirror', 'project.github_repo'), unless: NO_MIRROR },
  { ...inert('github-mirror', 'github'), unless: NO_MIRROR },
  ...LATER_ROLES.flatMap((role) => [inert('playbooks', `agents.roles.${role}`), inert('playbooks', `models.${role}`)]),
  // Of other playbooks.
  inert('mission', 'checkpoints', {}, { types: [] }),
  refused('mission', 'branch_isolation', { enabled: false }),
  refused('mission', 'use_worktrees', false),
  ...[
    'plan_dir',
    'completed_dir',
    'context_dir',
    'app_paths',
    'state_dir',
    'base_branch',
    'e2e',
    'dev_server',
    'budget',
  ].map((key) => refused('delivery', key)),
  ...['fidelity', 'release_gate', 'agent'].map((key) => refused('delivery', key)),
];

/** The rows of the table that a written configuration (one spelling) meets with a value that does not act today. */
export function laterIn(written: unknown): readonly { readonly row: LaterKey; readonly value: unknown }[] {
  return LATER.flatMap((row) => {
    const value = valueAt(written, row.key);
    if (value === undefined || row.today.some((known) => isSame(known, value))) return [];
    if (row.unless !== undefined && valueAt(written, row.unless.key) === row.unless.is) return [];
    return [{ row, value }];
  });
}

export function valueAt(value: unknown, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((at, name) => (isMap(at) && Object.hasOwn(at, name) ? at[name] : undefined), value);
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Equal as data, whatever the order of keys. */
function isSame(a: unknown, b: unknown): boolean {
  if (!isMap(a) || !isMap(b)) return JSON.stringify(a) === JSON.stringify(b);
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  );
}
