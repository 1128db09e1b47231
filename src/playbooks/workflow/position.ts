// The positions of the workflow machine: the stages of the table of transitions, and the stages around them.
import { z } from 'zod';
import type { Machine, State } from '../../engine/types.ts';
import { itemOutcomeSchema, type Actions } from '../../model/action.ts';
import { overspentSchema } from '../../model/budget.ts';
import { gateAnswerSchema } from '../../model/gate.ts';
import type { WorkflowFile } from './file/state.ts';
import { countersSchema, type Counters } from './table/counters.ts';
import { STAGE_NAMES, wantOf, type StageName } from './table/stages.ts';

/** The ends of the table are item outcomes of the machine. */
export type TableStage = Exclude<StageName, 'session-end' | 'stopped' | 'done'>;
export const isTableStage = (name: StageName): name is TableStage => wantOf(name) !== 'nothing';
export const TABLE_STAGES: readonly TableStage[] = STAGE_NAMES.filter(isTableStage);

type TablePosition = { readonly [N in TableStage]: { readonly stage: N } }[TableStage];
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the compiler does not distribute a union of so many stages
export const atStage = (stage: TableStage): TablePosition => ({ stage }) as TablePosition;

const stage = z.enum(TABLE_STAGES);
const otherPosition = z.discriminatedUnion('stage', [
  /** The resume table decides where the machine continues. */
  z.object({ stage: z.literal('start-checks') }),
  /** The user wrote a note with an answer: its language is the one to write to them in. `of`: the stage that asked. */
  z.object({
    stage: z.literal('detect-language'),
    of: stage,
    option: z.string(),
    note: z.string(),
    at: z.string(),
  }),
  /** A budget is used up: the user is asked, and the stage `back` starts again. */
  z.object({ stage: z.literal('overspent'), over: overspentSchema, back: stage }),
  z.object({ stage: z.literal('raise'), over: overspentSchema, back: stage, answer: gateAnswerSchema }),
  /** Sessions of the stage `of` were interrupted. */
  z.object({ stage: z.literal('close-interrupted'), of: stage, outcome: itemOutcomeSchema }),
  z.object({ stage: z.literal('ended'), outcome: itemOutcomeSchema }),
]);
export type WorkflowPosition = TablePosition | z.output<typeof otherPosition>;
export const positionSchema = z.object({
  at: z.union([z.object({ stage }).transform((at) => atStage(at.stage)), otherPosition]),
  mem: countersSchema,
});

export type WorkflowStages = Machine<WorkflowFile, WorkflowPosition, Counters, Actions>['stages'];
export type MachineState = State<WorkflowFile, WorkflowPosition, Counters>;
export type AtTableStage = State<WorkflowFile, { readonly stage: TableStage }, Counters>;

/** There is no state.json: no task is under way. */
export const NO_FILE = { version: '2.0', task: '' } as const satisfies WorkflowFile;
