// The floor plan as data: which room may import which. docs/architecture.md draws the same table.
// A row lists exactly what its room uses: an import off the list fails, and so does an unused allowance.

export const FLOORS: { readonly [room: string]: readonly string[] } = {
  page: ['app'],
  cli: ['app', 'playbooks', 'engine', 'gates', 'host', 'model'],
  app: ['loop', 'playbooks', 'verify', 'agents', 'engine', 'repos', 'forge', 'memory', 'gates', 'host', 'model'],
  loop: ['engine', 'verify', 'agents', 'repos', 'forge', 'memory', 'gates', 'host', 'model'],
  playbooks: ['engine', 'model'],
  verify: ['host', 'model'],
  engine: ['host', 'model'],
  agents: ['host', 'model'],
  repos: ['host', 'model'],
  forge: ['host', 'model'],
  memory: ['host', 'model'],
  gates: ['host', 'model'],
  host: ['model'],
  model: [],
};

/** Inside `playbooks`: no playbook knows another. What several are made of is a folder of its own. */
export const PLAYBOOK_FLOORS: { readonly [folder: string]: readonly string[] } = {
  delivery: ['session', 'records'],
  features: ['session', 'records'],
  mission: ['session', 'records'],
  tasks: ['session', 'records'],
  workflow: ['session'],
  session: [],
  records: [],
};

/** Inside `playbooks/workflow`, below the files of the machine itself: only `start`, the command that starts a run, uses these (`''`), too. */
export const WORKFLOW_FLOORS: { readonly [folder: string]: readonly string[] } = {
  start: ['', 'sessions', 'project', 'paths', 'table', 'file'],
  layers: ['sessions', 'project', 'paths', 'table', 'file'],
  sessions: ['project', 'paths', 'table', 'file'],
  project: ['table', 'file'],
  paths: ['file'],
  table: ['file'],
  file: [],
};

/** Inside `app`: what a user does is above what it needs. */
export const APP_FLOORS: { readonly [folder: string]: readonly string[] } = {
  serve: ['operations', 'tick', 'look', 'open'],
  operations: ['tick', 'handover', 'forge', 'backlog', 'run', 'setup', 'evidence', 'telemetry', 'look', 'open'],
  handover: ['backlog', 'run', 'list', 'setup', 'look', 'open'],
  forge: ['evidence', 'list', 'open'],
  backlog: ['run', 'issues', 'list', 'look', 'open'],
  run: ['setup', 'issues', 'list', 'forge', 'telemetry', 'look', 'open', 'config'],
  issues: ['list', 'forge', 'open'],
  list: ['open'],
  setup: ['forge', 'look', 'open'],
  tick: ['issues', 'list', 'forge', 'look', 'open'],
  telemetry: ['look'],
  evidence: ['open', 'config'],
  look: ['open', 'config'],
  open: ['config'],
  config: [],
};
