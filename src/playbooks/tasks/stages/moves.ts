// The words in which the rows of the tasks machine are written: its state, where it goes, how it ends, what it writes.
import type { ItemInput } from '../../../engine/playbook.ts';
import type { ActionOf, Machine, State } from '../../../engine/types.ts';
import type { Actions } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import type { Json } from '../../../model/json.ts';
import type { Patch } from '../../records/edit.ts';
import { go, outcomeOf } from '../../session/rows.ts';
import type { SessionState } from '../../session/session-state.ts';
import type { TaskFacts } from '../facts.ts';
import { logLine, type LogLine } from '../log.ts';
import type { At, Begun, Heard, Mem, OfTask, Over } from '../positions.ts';
import type { TaskCheckpoint } from '../schema.ts';

export type S = State<SessionState, At, Mem>;
export type Stages = Machine<SessionState, At, Mem, Actions>['stages'];
/** What every row may know: the item, its session, the configuration. */
export type Given = { readonly input: ItemInput; readonly config: Config };

export const end = (s: S, outcome: Parameters<typeof outcomeOf>[0]): S =>
  go(s, { stage: 'ended', outcome: outcomeOf(outcome) });

export const begunOf = ({ facts, checkpoint, startedAt }: Begun & OfTask): Begun => ({ facts, checkpoint, startedAt });
export const overOf = ({ facts, checkpoint, startedAt, text, endedAt }: Over): Over => ({
  facts,
  checkpoint,
  startedAt,
  text,
  endedAt,
});

type Line = Omit<LogLine, 'at' | 'session' | 'task'>;

/** Fields of the task and lines of the log, in one action. */
export const writeTask = (
  key: string,
  { facts, at, checkpoints = facts.task.checkpoints }: OfTask & Partial<Heard> & { readonly at: string },
  patch: Patch,
  lines: readonly Line[],
  config: Config,
): ActionOf<Actions, 'write'> => ({
  kind: 'write',
  key,
  edit: {
    name: 'task',
    input: {
      backlog: config.paths.backlog,
      item: facts.id,
      patch: asFields({ ...patch, ...told(facts, checkpoints) }),
    },
  },
  lines: [
    ...checkpointLines(facts, checkpoints),
    ...lines.map((line) => logLine({ at, session: facts.task.run, task: facts.id, ...line })),
  ],
});

/** A field that goes is null here: JSON knows no undefined. */
const asFields = (patch: Patch): Json =>
  Object.fromEntries(Object.entries(patch).map(([field, value]) => [field, value ?? null]));

/** As people abbreviate a commit. */
export const short = (commit: string): string => commit.slice(0, 7);

const told = ({ task }: TaskFacts, checkpoints: readonly TaskCheckpoint[]): Patch =>
  checkpoints === task.checkpoints ? {} : { checkpoints: checkpoints };

/** Steps that an agent told of, where they are not in the log yet. */
const checkpointLines = (facts: TaskFacts, heard: readonly TaskCheckpoint[]): readonly string[] =>
  heard
    .filter(
      (one) =>
        !facts.task.checkpoints.some((known) => known.step === one.step && known.description === one.description),
    )
    .map(({ step, total, description, timestamp }) =>
      logLine({
        at: timestamp,
        session: facts.task.run,
        type: 'CHECKPOINT',
        task: facts.id,
        message: `step=${step}/${total} "${description}"`,
      }),
    );
