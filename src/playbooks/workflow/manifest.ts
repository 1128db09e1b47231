import type { PlaybookManifest } from '../../engine/manifest.ts';
import { STATE_FILE } from '../../model/state-file.ts';
import { GATE_SUBJECTS } from './table/gates.ts';
import { ROLES } from './table/roles.ts';

export const workflowManifest: PlaybookManifest = {
  name: 'workflow',
  roles: ROLES,
  list: { path: STATE_FILE, isIn: (files, path) => fieldsOf(files.read(path)) !== null, needsTestCommand: false },
  machine: { log: null, initScript: 'init.sh', recovery: 'restore' },
  isInseparable: true,
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
    const { user_lang: lang, skill = 'workflow' } = objectIn(list) ?? {};
    return typeof lang === 'string' && lang.trim() !== '' && skill === 'workflow' ? lang : null;
  },
  load: async () => (await import('./playbook.ts')).workflowPlaybook,
};

/** The fields of a state file of this playbook, whether or not their values are valid; null: it is none. */
function fieldsOf(text: string | null): Fields | null {
  const fields = objectIn(text);
  if (fields === null) return null;
  const { task, phase, version, skill = 'workflow' } = fields;
  const isOne = typeof version === 'string' ? typeof task === 'string' : typeof phase === 'string';
  return isOne && skill === 'workflow' ? fields : null;
}

type Fields = { readonly [field: string]: unknown };

/** The text as a JSON object; null: it is none. */
function objectIn(text: string | null): Fields | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
