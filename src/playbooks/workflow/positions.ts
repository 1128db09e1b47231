// Where the machine of a workflow can stand: the stages of the table of transitions, and what lies around them.
import type { State } from '../../engine/types.ts';
import type { ItemOutcome } from '../../model/action.ts';
import type { GateAnswer } from '../../model/gate.ts';
import type { Overspent } from '../session/facts.ts';
import type { Mem } from './table/mem.ts';
import { STAGE_NAMES, type StageName } from './table/stages.ts';
import type { WorkflowFile } from './file/state.ts';

/** The table's own ends are told as outcomes. */
type Working = Exclude<StageName, 'session-end' | 'stopped' | 'done'>;
export type At =
  /** What lies there decides, by the resume table, where it goes on. */
  | { readonly stage: 'arrive' }
  | { readonly [N in Working]: { readonly stage: N } }[Working]
  /** A person wrote something with an answer: its language is that of what they are told from now on. */
  | {
      readonly stage: 'listen';
      readonly of: Working;
      readonly option: string;
      readonly note: string;
      readonly at: string;
    }
  /** A budget is used up: a person is asked, and the stage that waits is begun after it. */
  | { readonly stage: 'overspent'; readonly over: Overspent; readonly back: Working }
  | { readonly stage: 'raise'; readonly over: Overspent; readonly back: Working; readonly answer: GateAnswer }
  /** Sessions of this stage were cut: they are ended, what they cost is written down, what they left half written goes. */
  | { readonly stage: 'put-away'; readonly of: Working; readonly outcome: ItemOutcome }
  | { readonly stage: 'ended'; readonly outcome: ItemOutcome };
export type { Working };
export type S = State<WorkflowFile, At, Mem>;

/** There is no state.json: nothing is under way. */
export const NO_FILE = { version: '2.0', task: '' } as const satisfies WorkflowFile;

export const ENDS: readonly StageName[] = ['session-end', 'stopped', 'done'];
export const WORKING = STAGE_NAMES.filter((name) => !ENDS.includes(name)) as readonly Working[];
export const atStage = (stage: Working): At => ({ stage }) as At;

export const POSITIONS: readonly At['stage'][] = [
  'arrive',
  ...WORKING,
  'listen',
  'overspent',
  'raise',
  'put-away',
  'ended',
];
