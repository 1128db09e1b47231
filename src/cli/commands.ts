// The table of commands: their group in the help, and the module that each is loaded from.
import type { PlaybookManifest } from '../engine/manifest.ts';
import { PLAYBOOKS } from '../playbooks/registry.ts';
import type { CommandSpec } from './command.ts';

type Entry = {
  readonly group: string;
  readonly summary: string;
  readonly aliases?: readonly string[];
  load(): Promise<CommandSpec>;
};

/** The command of a playbook that declares one. */
function startEntry(playbook: PlaybookManifest): readonly (readonly [string, Entry])[] {
  const { name, start } = playbook;
  if (start === undefined) return [];
  const load = async (): Promise<CommandSpec> => (await import('./commands/start.ts')).startCommand(playbook, start);
  return [[name, { group: 'WORK', summary: start.summary, load }]];
}

export const COMMANDS: { readonly [name: string]: Entry } = {
  init: {
    group: 'SET UP',
    summary: 'set up a repository, from a spec or by hand',
    load: async () => (await import('./commands/init.ts')).init,
  },
  demo: {
    group: 'SET UP',
    summary: 'try it offline, on a new repository',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  config: {
    group: 'SET UP',
    summary: 'show, check or describe the configuration',
    load: async () => (await import('./commands/config.ts')).config,
  },
  plan: {
    group: 'PLAN',
    summary: 'make plans from a specification',
    load: async () => (await import('./commands/plan.ts')).plan,
  },
  add: {
    group: 'PLAN',
    summary: 'add a feature',
    aliases: ['add-feature'],
    load: async () => (await import('./commands/add.ts')).add,
  },
  import: {
    group: 'PLAN',
    summary: 'add items from a list in Markdown, issues, or a sentence',
    load: async () => (await import('./commands/import.ts')).imports,
  },
  items: {
    group: 'PLAN',
    summary: 'list the items, or show one',
    load: async () => (await import('./commands/items.ts')).items,
  },
  agents: {
    group: 'AGENTS',
    summary: 'the agents that are known: list, add, check',
    load: async () => (await import('./commands/agents.ts')).agents,
  },
  run: {
    group: 'WORK',
    summary: 'work on the next item, or on all of them',
    load: async () => (await import('./commands/run.ts')).run,
  },
  ...Object.fromEntries(PLAYBOOKS.flatMap((playbook) => startEntry(playbook))),
  fidelity: {
    group: 'WORK',
    summary: 'compare the product with its specification',
    load: async () => (await import('./commands/fidelity.ts')).fidelity,
  },
  'release-gate': {
    group: 'WORK',
    summary: 'which acceptance criteria are covered',
    load: async () => (await import('./commands/release-gate.ts')).releaseGate,
  },
  cleanup: {
    group: 'WORK',
    summary: 'one session that tidies the code and changes no behaviour',
    load: async () => (await import('./commands/cleanup.ts')).cleanup,
  },
  verify: {
    group: 'WORK',
    summary: 'check an item again, or everything',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  'site-reverse': {
    group: 'WORK',
    summary: 'make a specification from a site that is served',
    load: async () => (await import('./commands/site-reverse.ts')).siteReverse,
  },
  pr: {
    group: 'WORK',
    summary: 'a pull request for a landed item, with its evidence',
    load: async () => (await import('./commands/pr.ts')).pr,
  },
  status: {
    group: 'WATCH',
    summary: 'show the current state',
    load: async () => (await import('./commands/status.ts')).status,
  },
  health: {
    group: 'WATCH',
    summary: 'project health: features, tests, lint, file sizes',
    load: async () => (await import('./commands/health.ts')).health,
  },
  logs: {
    group: 'WATCH',
    summary: 'show the end of a log, and follow it',
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  log: {
    group: 'WATCH',
    summary: 'find lines of a log: log query EXPRESSION',
    load: async () => (await import('./commands/logs.ts')).log,
  },
  attempts: {
    group: 'WATCH',
    summary: 'rejected and interrupted work that was kept',
    load: async () => (await import('./commands/attempts.ts')).attempts,
  },
  runs: {
    group: 'WATCH',
    summary: 'list the runs, or show one as a timeline',
    load: async () => (await import('./commands/runs.ts')).runs,
  },
  costs: {
    group: 'WATCH',
    summary: 'what the work has cost, by item, role, model or session',
    load: async () => (await import('./commands/costs.ts')).costs,
  },
  memory: {
    group: 'WATCH',
    summary: 'what sessions remember: layers, tricks, what a role has learnt',
    load: async () => (await import('./commands/memory.ts')).memory,
  },
  trace: {
    group: 'WATCH',
    summary: 'from each claim to its last verdict, and whether it still counts',
    load: async () => (await import('./commands/trace.ts')).trace,
  },
  show: {
    group: 'WATCH',
    summary: 'show an item, or a run as a timeline',
    load: async () => (await import('./commands/show.ts')).show,
  },
  report: {
    group: 'WATCH',
    summary: 'what a run did, the riskiest first: text, Markdown or HTML',
    load: async () => (await import('./commands/report.ts')).report,
  },
  ui: {
    group: 'WATCH',
    summary: 'open the page in the browser',
    load: async () => (await import('./commands/ui.ts')).ui,
  },
  serve: {
    group: 'WATCH',
    summary: 'serve the page and the HTTP interface, in the foreground',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  daemon: {
    group: 'WATCH',
    summary: 'start, stop or show the server in the background',
    load: async () => (await import('./commands/daemon.ts')).daemon,
  },
  evidence: {
    group: 'WATCH',
    summary: 'show, verify or export the evidence of landed items',
    load: async () => (await import('./commands/evidence.ts')).evidence,
  },
  gates: {
    group: 'DECIDE',
    summary: 'questions waiting for an answer',
    load: async () => (await import('./commands/gates.ts')).gates,
  },
  answer: {
    group: 'DECIDE',
    summary: 'answer a question',
    load: async () => (await import('./commands/answer.ts')).answer,
  },
  approve: {
    group: 'DECIDE',
    summary: 'answer a question as recommended',
    load: async () => (await import('./commands/answer.ts')).approve,
  },
  reject: {
    group: 'DECIDE',
    summary: 'answer a question with no, and say why',
    load: async () => (await import('./commands/answer.ts')).reject,
  },
  pause: {
    group: 'STEER',
    summary: 'end the live session, keep its work, start no other',
    load: async () => (await import('./commands/pause.ts')).pause,
  },
  resume: {
    group: 'STEER',
    summary: 'let runs start again',
    load: async () => (await import('./commands/resume.ts')).resume,
  },
  stop: {
    group: 'STEER',
    summary: 'stop the live run after its session, or now',
    load: async () => (await import('./commands/stop.ts')).stop,
  },
  skip: { group: 'STEER', summary: 'leave an item out', load: async () => (await import('./commands/skip.ts')).skip },
  unblock: {
    group: 'STEER',
    summary: 'let items start that depend on a skipped one',
    load: async () => (await import('./commands/skip.ts')).unblock,
  },
  freeze: {
    group: 'STEER',
    summary: 'refuse every run until unfreeze',
    load: async () => (await import('./commands/freeze.ts')).freeze,
  },
  unfreeze: {
    group: 'STEER',
    summary: 'lift a freeze',
    load: async () => (await import('./commands/freeze.ts')).unfreeze,
  },
  retry: {
    group: 'STEER',
    summary: 'give attempts back: an item that was given up may be tried again',
    load: async () => (await import('./commands/retry.ts')).retry,
  },
  override: {
    group: 'STEER',
    summary: 'set an item by hand, without verification',
    load: async () => (await import('./commands/override.ts')).override,
  },
  'manual-verify': {
    group: 'STEER',
    summary: 'record that you verified an item yourself',
    load: async () => (await import('./commands/manual-verify.ts')).manualVerify,
  },
  handoff: {
    group: 'STEER',
    summary: 'take over the work yourself: end sessions, start none',
    load: async () => (await import('./commands/handoff.ts')).handoff,
  },
  takeback: {
    group: 'STEER',
    summary: 'give the work back: verify what you did, and continue',
    load: async () => (await import('./commands/takeback.ts')).takeback,
  },
  rollback: {
    group: 'STEER',
    summary: 'take back the unfinished work of one item; it begins again',
    load: async () => (await import('./commands/item-steering.ts')).rollback,
  },
  message: {
    group: 'STEER',
    summary: 'write to the agent of one item',
    load: async () => (await import('./commands/item-steering.ts')).message,
  },
  abort: {
    group: 'STEER',
    summary: 'stop everything and reset; commits and attempts stay',
    load: async () => (await import('./commands/abort.ts')).abort,
  },
  doctor: {
    group: 'KEEP',
    summary: 'check whether a run could start, and what the sandbox stops',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  mcp: {
    group: 'KEEP',
    summary: 'the same for agents, over the Model Context Protocol',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  schema: {
    group: 'KEEP',
    summary: 'the JSON Schema of what commands answer',
    load: async () => (await import('./commands/schema.ts')).schema,
  },
  github: {
    group: 'KEEP',
    summary: 'bring the issues of the repository and the items together: github sync',
    load: async () => (await import('./commands/github.ts')).github,
  },
  telemetry: {
    group: 'KEEP',
    summary: 'send the trace and metrics of a run to a receiver of OpenTelemetry',
    load: async () => (await import('./commands/telemetry.ts')).telemetry,
  },
  migrate: {
    group: 'KEEP',
    summary: 'migrate state of an older version, with a backup',
    load: async () => (await import('./commands/migrate.ts')).migrate,
  },
  completion: {
    group: 'KEEP',
    summary: 'a script that completes commands in bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).completionOf(COMMANDS),
  },
  version: {
    group: 'KEEP',
    summary: 'versions of the program and of the state',
    load: async () => (await import('./commands/version.ts')).version,
  },
};

/** Finds a command by name or alias. */
export function findCommand(word: string): { readonly name: string; readonly entry: Entry } | null {
  for (const [name, entry] of Object.entries(COMMANDS))
    if (name === word || entry.aliases?.includes(word)) return { name, entry };
  return null;
}
