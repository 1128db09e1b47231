// What the program knows of the workflow before it loads it: its list, its roles, its questions and texts.
import type { PlaybookManifest } from '../../engine/manifest.ts';
import { STATE_FILE } from '../../model/state-file.ts';
import { GATE_SUBJECTS } from './table/gates.ts';
import { RUN_STYLES, STEPS } from './file/run-options.ts';
import { ROLES } from './table/roles.ts';

export const workflowManifest: PlaybookManifest = {
  name: 'workflow',
  roles: ROLES,
  list: { path: STATE_FILE, isIn: (files, path) => fieldsOf(files.read(path)) !== null, needsTestCommand: false },
  machine: { log: null, initScript: 'init.sh', recovery: 'restore' },
  isInseparable: true,
  start: {
    summary: 'plan, build, verify and evaluate one task; you decide at the gates',
    args: '[step-or-task] [task]',
    options: [
      { flags: '--mode <name>', about: 'single, standard (recommended) or multi' },
      {
        flags: '--model-config <preset>',
        about: 'default, all-opus, balanced (recommended), economy, or executor:MODEL,…',
      },
      { flags: '--verifier-model <model>', about: 'haiku (the default), sonnet or opus' },
      { flags: '--lint-cmd <command>', about: 'instead of what is found in the project; empty: none' },
      { flags: '--type-check-cmd <command>', about: 'the same for types' },
      { flags: '--output-dir <folder>', about: 'where its documents go (default: docs/harness)' },
      { flags: '--scope <globs>', about: 'what a session may change, patterns with commas between' },
      { flags: '--max-files <n>', about: 'how many files a session may change (default: 20)' },
      { flags: '--max-rounds <n>', about: 'how often a failed evaluation may be fixed (default: 3)' },
      { flags: '--on-session <answer>', about: 'where a session is there already: resume, restart or stop' },
      { flags: '--on-conflict <answer>', about: 'where another skill has one there: delete or cancel' },
    ],
    examples: ['harness workflow "Fix the login"', 'harness workflow plan "Add a cart"', 'harness workflow verify'],
    load: async () => (await import('./start/start.ts')).readStart,
  },
  runOptions: [
    { name: 'phase', values: STEPS, about: 'of a workflow: only plan, generate, verify or evaluate' },
    { name: 'style', values: RUN_STYLES, about: 'of a workflow: auto, phase or step, for this run' },
  ],
  gates: GATE_SUBJECTS,
  waitingFor: ['workflow-under-way', 'workflow-conflict'],
  sentences: {
    en: async () => (await import('./sentences/en.ts')).sentences,
    de: async () => (await import('./sentences/de.ts')).sentences,
  },
  oneTask: {
    noneText: 'workflow.none',
    readyText: 'workflow.ready',
    none: 'workflow-missing',
    noList: 'workflow-one-task',
    provesItself: 'workflow-verifies-itself',
  },
  withoutGit: {
    async sessionIn(list) {
      const { readState } = await import('./file/read.ts');
      const state = readState(list, STATE_FILE);
      // One that cannot be read is reported by the command that needs it.
      if (!state.ok) return 'without';
      if (state.value.kind !== 'workflow') return 'none';
      return state.value.file.has_git === true ? 'with-git' : 'without';
    },
  },
  languageIn(list) {
    const { user_lang: lang, skill = 'workflow' } = parsedFields(list) ?? {};
    return typeof lang === 'string' && lang.trim() !== '' && skill === 'workflow' ? lang : null;
  },
  loadFormat: async () => (await import('./backlog.ts')).backlog,
  load: async () => (await import('./playbook.ts')).workflowPlaybook,
};

/** The fields of a state file of this playbook, whether or not their values are valid; null: it is none. */
function fieldsOf(text: string | null): { readonly [field: string]: unknown } | null {
  const fields = parsedFields(text);
  const { task, phase, version, skill = 'workflow' } = fields ?? {};
  const isOne = typeof version === 'string' ? typeof task === 'string' : typeof phase === 'string';
  return isOne && skill === 'workflow' ? fields : null;
}

function parsedFields(text: string | null): { readonly [field: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
