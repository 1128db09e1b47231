// Reads the table of transitions: what a stage waits for, and the state after an event. Pure; the table is a parameter, so that tests can run a
// broken one.
import type { State } from '../../../engine/types.ts';
import { Bug } from '../../../model/bug.ts';
import { inPhase, resolved, type Phase, type WorkflowFile } from '../file/state.ts';
import { assignmentsOf, type Assignment } from './assignments.ts';
import type { Counters } from './counters.ts';
import { answersOf, GATES, optionOf, recommendedOf, type Confidence, type GateName } from './gates.ts';
import { afterWrites, holds, knownOf } from './rules.ts';
import {
  eventsIn,
  gateOf,
  phaseOf,
  wantOf,
  type EventName,
  type StageName,
  type Want,
  type WorkflowEvent,
} from './stages.ts';
import { TRANSITIONS, type Row } from './transitions.ts';

export type TableState = State<WorkflowFile, { readonly stage: StageName }, Counters>;

/** What a stage waits for, as data. */
export type StageWork =
  | {
      readonly do: 'ask';
      readonly gate: GateName;
      readonly isHard: boolean;
      /** Those that are shown. */
      readonly options: readonly string[];
      readonly recommended: string;
      readonly confidence: Confidence;
    }
  | { readonly do: 'sessions' | 'proposal' | 'evaluation'; readonly sessions: readonly Assignment[] }
  | { readonly do: Exclude<Want, 'sessions' | 'proposal' | 'evaluation'> };

/** An event that cannot occur here, such as a late answer or an option that is not shown. Nothing changed. */
export type RefusedEvent = { readonly refused: { readonly stage: StageName; readonly on: EventName } };
export type Interpreter = {
  readonly next: (
    s: TableState,
    event: WorkflowEvent,
  ) => { readonly state: TableState; readonly do: StageWork } | RefusedEvent;
  readonly wanted: (s: TableState) => StageWork;
};

export function interpreter(rows: readonly Row[]): Interpreter {
  const byStage = Map.groupBy(rows, ({ from }) => from);
  /** null: the event cannot occur in the stage, or the option is hidden. */
  const rowFor = (
    { file, at: { stage }, mem }: TableState,
    on: EventName,
  ): (Row & { readonly to: StageName }) | null => {
    if (!eventsIn(stage).includes(on)) return null;
    const known = knownOf(file, mem);
    const fitting = (byStage.get(stage) ?? []).filter(
      (row) => row.on === on && (row.when ?? []).every((condition) => holds(condition, known)),
    );
    const [row] = fitting;
    if (row === undefined || fitting.length > 1) throw new Bug(`${fitting.length} rows fit "${on}" in ${stage}`);
    const { to } = row;
    return to === 'refused' ? null : { ...row, to };
  };

  const wanted = (s: TableState): StageWork => {
    const { stage } = s.at;
    const gate = gateOf(stage);
    if (gate !== null) {
      const options = answersOf(gate)
        .filter((answer) => rowFor(s, answer) !== null)
        .map(optionOf);
      const { confidence } = s.mem;
      const recommended = recommendedOf(gate, options, confidence);
      return { do: 'ask', gate, isHard: GATES[gate].isHard, options, recommended, confidence };
    }
    const want = wantOf(stage) ?? 'nothing';
    if (want !== 'sessions' && want !== 'proposal' && want !== 'evaluation') return { do: want };
    const { mode, docs_path: docs } = resolved(s.file);
    return { do: want, sessions: assignmentsOf(stage, mode, docs) };
  };

  return {
    wanted,
    next(s, event) {
      const row = rowFor(s, event.on);
      if (row === null) return { refused: { stage: s.at.stage, on: event.on } };
      const { file, mem } = afterWrites(knownOf(s.file, counted(s.mem, row, event)), row.set ?? [], event);
      const state = entered(file, row.to, mem);
      const isWritten = state.file !== s.file;
      const after = isWritten ? { ...state, file: { ...state.file, updated_at: event.at } } : state;
      return { state: after, do: wanted(after) };
    },
  };
}

const counted = (mem: Counters, row: Row, { line, confidence }: WorkflowEvent): Counters => ({
  ...mem,
  visits: mem.visits + 1,
  tries: row.to === row.from ? mem.tries : 0,
  line: line ?? mem.line,
  confidence: confidence ?? mem.confidence,
  why: row.why ?? '',
});

/** In a stage, with its phase in the file. */
export function entered(file: WorkflowFile, stage: StageName, mem: Counters): TableState {
  const phase: Phase | null = phaseOf(stage);
  const isWritten = phase === null || resolved(file).phase === phase;
  return { file: isWritten ? file : inPhase(file, phase), at: { stage }, mem };
}

export const { next, wanted } = interpreter(TRANSITIONS);
