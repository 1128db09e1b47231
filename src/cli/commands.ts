// The table of commands: which there are, in which group the help shows them, and where each is loaded from when called.
import type { PlaybookManifest } from '../engine/manifest.ts';
import { PLAYBOOKS } from '../playbooks/registry.ts';
import type { CommandSpec } from './command.ts';

type Entry = {
  readonly group: string;
  readonly summary: string;
  readonly aliases?: readonly string[];
  load(): Promise<CommandSpec>;
};

/** The command of a playbook that has one. */
function startEntry(playbook: PlaybookManifest): readonly (readonly [string, Entry])[] {
  const { name, start } = playbook;
  if (start === undefined) return [];
  const load = async (): Promise<CommandSpec> => (await import('./commands/start.ts')).startCommand(playbook, start);
  return [[name, { group: 'WORK', summary: start.summary, load }]];
}

export const COMMANDS: { readonly [name: string]: Entry } = {
  init: {
    group: 'SET UP',
    summary: 'set a repository up, from a spec or by hand',
    load: async () => (await import('./commands/init.ts')).init,
  },
  demo: {
    group: 'SET UP',
    summary: 'see the whole job offline, on a repository it makes',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  config: {
    group: 'SET UP',
    summary: 'show, check or describe the configuration',
    load: async () => (await import('./commands/config.ts')).config,
  },
  add: {
    group: 'PLAN',
    summary: 'add a feature',
    aliases: ['add-feature'],
    load: async () => (await import('./commands/add.ts')).add,
  },
  items: {
    group: 'PLAN',
    summary: 'list the items, or show one',
    load: async () => (await import('./commands/items.ts')).items,
  },
  run: {
    group: 'WORK',
    summary: 'work on the next item, or on all of them',
    load: async () => (await import('./commands/run.ts')).run,
  },
  ...Object.fromEntries(PLAYBOOKS.flatMap((playbook) => startEntry(playbook))),
  cleanup: {
    group: 'WORK',
    summary: 'one session that tidies up and changes no behaviour',
    load: async () => (await import('./commands/cleanup.ts')).cleanup,
  },
  verify: {
    group: 'WORK',
    summary: 'prove an item again, or everything',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  status: {
    group: 'WATCH',
    summary: 'where things stand',
    load: async () => (await import('./commands/status.ts')).status,
  },
  health: {
    group: 'WATCH',
    summary: 'how the project is: features, tests, lint, file sizes',
    load: async () => (await import('./commands/health.ts')).health,
  },
  logs: {
    group: 'WATCH',
    summary: 'the end of a log, and what comes after',
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  log: {
    group: 'WATCH',
    summary: 'find lines of a log: log query EXPRESSION',
    load: async () => (await import('./commands/logs.ts')).log,
  },
  attempts: {
    group: 'WATCH',
    summary: 'what was rejected or interrupted and kept',
    load: async () => (await import('./commands/attempts.ts')).attempts,
  },
  evidence: {
    group: 'WATCH',
    summary: 'what landed items rest on, to check and hand on',
    load: async () => (await import('./commands/evidence.ts')).evidence,
  },
  gates: {
    group: 'DECIDE',
    summary: 'questions that wait for a person',
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
    summary: 'end the running session, keep what it did, start no other',
    load: async () => (await import('./commands/pause.ts')).pause,
  },
  resume: {
    group: 'STEER',
    summary: 'let runs start again',
    load: async () => (await import('./commands/resume.ts')).resume,
  },
  stop: {
    group: 'STEER',
    summary: 'end the live run after its session, or now',
    load: async () => (await import('./commands/stop.ts')).stop,
  },
  skip: { group: 'STEER', summary: 'leave an item out', load: async () => (await import('./commands/skip.ts')).skip },
  override: {
    group: 'STEER',
    summary: 'set an item by hand, past verification',
    load: async () => (await import('./commands/override.ts')).override,
  },
  'manual-verify': {
    group: 'STEER',
    summary: 'record that a person verified an item',
    load: async () => (await import('./commands/manual-verify.ts')).manualVerify,
  },
  handoff: {
    group: 'STEER',
    summary: 'leave the work to a person: end what is under way, start nothing',
    load: async () => (await import('./commands/handoff.ts')).handoff,
  },
  takeback: {
    group: 'STEER',
    summary: 'take the work back: prove what the person did, and go on from it',
    load: async () => (await import('./commands/takeback.ts')).takeback,
  },
  abort: {
    group: 'STEER',
    summary: 'stop everything and begin anew; commits and attempts stay',
    load: async () => (await import('./commands/abort.ts')).abort,
  },
  doctor: {
    group: 'KEEP',
    summary: 'whether a run could start here, and what the sandbox really stops',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  migrate: {
    group: 'KEEP',
    summary: 'bring state of an older harness to this one, with a copy first',
    load: async () => (await import('./commands/migrate.ts')).migrate,
  },
  version: {
    group: 'KEEP',
    summary: 'versions of the program and of the state',
    load: async () => (await import('./commands/version.ts')).version,
  },
};

/** The command that goes by this name or alias. */
export function findCommand(word: string): { readonly name: string; readonly entry: Entry } | null {
  for (const [name, entry] of Object.entries(COMMANDS))
    if (name === word || entry.aliases?.includes(word)) return { name, entry };
  return null;
}
