// The tasks playbook as the loop gets it.
import type { Playbook } from '../../engine/playbook.ts';
import { final } from '../session/final.ts';
import { preflight } from '../session/preflight.ts';
import { procedure } from '../session/procedure.ts';
import { sessionSurveys } from '../session/surveys.ts';
import { unwind } from '../session/unwind.ts';
import { backlog } from './backlog.ts';
import { briefs } from './brief.ts';
import { edits } from './edits.ts';
import { acceptTask, saveTask, undoTask } from './ends.ts';
import { execute } from './execute.ts';
import { frame } from './frame.ts';
import { tasksItem } from './machine.ts';
import { opening } from './opening.ts';
import { noteIn } from './notes.ts';
import { recover } from './recover.ts';
import { begins, ends } from './sessions.ts';
import { surveys } from './surveys.ts';

const PROCEDURES = {
  preflight: procedure(preflight),
  recover: procedure(recover),
  execute: procedure(execute),
  accept: procedure(acceptTask),
  save: procedure(saveTask),
  undo: procedure(undoTask),
  final: procedure(final),
  unwind: procedure(unwind),
};

/** Whatever list it works on. */
export const tasksKit: Playbook = {
  name: 'tasks',
  roles: ['executor'],
  runs: 'until-done',
  backlog,
  keeps: ({ paths }) => [`${paths.backlog}.bak`],
  ledger: 'session_state.json',
  item: tasksItem,
  procedures: (config) => Object.fromEntries(Object.entries(PROCEDURES).map(([name, of]) => [name, of(config)])),
  surveys: { ...sessionSurveys, ...surveys },
  briefs,
  edits,
  isLockedByFolder: true,
  books: { begins, ends },
  noteIn,
  frame,
  opening,
};

/** Over its own list, which no commit carries. */
export const tasksPlaybook: Playbook = {
  ...tasksKit,
  own: ({ paths }) => [paths.backlog, `${paths.backlog}.bak`, paths.progress],
};
