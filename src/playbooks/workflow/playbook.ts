// The workflow playbook as the loop gets it.
import type { Playbook } from '../../engine/playbook.ts';
import { procedure } from '../session/procedure.ts';
import { sessionSurveys } from '../session/surveys.ts';
import { arrive, conventions } from './arrive.ts';
import { applyFix, proposeFix } from './layers/auto-fix.ts';
import { briefs } from './sessions/briefs.ts';
import { dispatch } from './sessions/dispatch.ts';
import { putAway } from './sessions/put-away.ts';
import { edits } from './edits.ts';
import { evaluate } from './layers/evaluate.ts';
import { finish } from './layers/finish.ts';
import { backlog } from './listing.ts';
import { workflowItem } from './machine.ts';
import { opening } from './preview.ts';
import { ROLES } from './table/roles.ts';
import { surveys } from './surveys.ts';
import { layer1 } from './layers/verify-layer.ts';

const PROCEDURES = {
  arrive: procedure(arrive),
  conventions: procedure(conventions),
  dispatch: procedure(dispatch),
  'layer-1': procedure(layer1),
  'propose-fix': procedure(proposeFix),
  'apply-fix': procedure(applyFix),
  evaluate: procedure(evaluate),
  finish: procedure(finish),
  'put-away': procedure(putAway),
  final: procedure(() => Promise.resolve({ end: 'holds' })),
};

export const workflowPlaybook: Playbook = {
  name: 'workflow',
  roles: ROLES,
  backlog,
  ledger: 'state.json',
  item: workflowItem,
  procedures: (config) => Object.fromEntries(Object.entries(PROCEDURES).map(([name, of]) => [name, of(config)])),
  surveys: { ...sessionSurveys, ...surveys },
  briefs,
  edits,
  isOneTask: true,
  frame: () => ({ files: {}, scripts: [] }),
  opening,
};
