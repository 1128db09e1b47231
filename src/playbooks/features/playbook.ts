// The features playbook as the loop gets it.
import type { Playbook } from '../../engine/playbook.ts';
import { add } from './add.ts';
import { backlog } from './backlog.ts';
import { briefs } from './briefs.ts';
import { edits } from './edits.ts';
import { acceptFeature, rejectFeature, saveFeature } from './books.ts';
import { CLEANUP } from '../../model/item.ts';
import { landCleanup, tidy, undoCleanup, untidy } from './cleanup.ts';
import { featuresCleanup } from './cleanup-machine.ts';
import { openingTurn } from './opening.ts';
import { frame } from './frame.ts';
import { final } from '../session/final.ts';
import { show } from './manual.ts';
import { initialise, settle, undo } from './initialise.ts';
import { featuresItem } from './machine.ts';
import { preflight } from '../session/preflight.ts';
import { procedure } from '../session/procedure.ts';
import { runSurveys } from './run-surveys.ts';
import { sessionSurveys } from '../session/surveys.ts';
import { surveys } from './surveys.ts';
import { unwind } from '../session/unwind.ts';
import { work } from './work.ts';

const PROCEDURES = {
  preflight: procedure(preflight),
  work: procedure(work),
  untidy: procedure(untidy),
  tidy: procedure(tidy),
  'land-cleanup': procedure(landCleanup),
  'undo-cleanup': procedure(undoCleanup),
  final: procedure(final),
  accept: procedure(acceptFeature),
  save: procedure(saveFeature),
  show: procedure(show),
  reject: procedure(rejectFeature),
  initialise: procedure(initialise),
  settle: procedure(settle),
  undo: procedure(undo),
  unwind: procedure(unwind),
};

export const featuresPlaybook: Playbook = {
  name: 'features',
  roles: ['coding', 'continuation', 'cleanup'],
  backlog,
  isClaimedInList: true,
  ledger: 'session_state.json',
  item: (input) => (input.item === CLEANUP ? featuresCleanup(input) : featuresItem(input)),
  procedures: (config) => Object.fromEntries(Object.entries(PROCEDURES).map(([name, of]) => [name, of(config)])),
  surveys: { ...sessionSurveys, ...surveys, ...runSurveys },
  briefs,
  edits: { ...edits, add },
  frame,
  opening: openingTurn(runSurveys.item),
};
