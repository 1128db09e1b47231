// Reads the table of transitions: the question of a stage, and the state after an event. Pure; the table is a parameter, so that tests can run a
// broken one.
import type { State } from '../../../engine/types.ts';
import { Bug } from '../../../model/bug.ts';
import { inPhase, resolved, type Phase, type WorkflowFile } from '../file/state.ts';
import type { Counters } from './counters.ts';
import { answersOf, optionOf, recommendedOf, type Confidence, type GateName } from './gates.ts';
import { afterWrites, holds, knownOf } from './rules.ts';
import { eventsIn, gateOf, phaseOf, type EventName, type StageName, type WorkflowEvent } from './stages.ts';
import { TRANSITIONS, type Row } from './transitions.ts';

export type TableState = State<WorkflowFile, { readonly stage: StageName }, Counters>;

/** `options`: those that are shown. */
export type GateQuestion = {
  readonly gate: GateName;
  readonly options: readonly string[];
  readonly recommended: string;
  readonly confidence: Confidence;
};

/** An event that cannot occur here, such as a late answer or an option that is not shown. Nothing changed. */
export type RefusedEvent = { readonly refused: { readonly stage: StageName; readonly on: EventName } };
export type Interpreter = {
  readonly next: (s: TableState, event: WorkflowEvent) => { readonly state: TableState } | RefusedEvent;
  /** null: the stage waits for work. */
  readonly question: (s: TableState) => GateQuestion | null;
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

  return {
    question(s) {
      const gate = gateOf(s.at.stage);
      if (gate === null) return null;
      const shown = answersOf(gate).filter((answer) => rowFor(s, answer) !== null);
      const options = shown.map(optionOf);
      const { confidence } = s.mem;
      return { gate, options, recommended: recommendedOf(gate, options, confidence), confidence };
    },
    next(s, event) {
      const row = rowFor(s, event.on);
      if (row === null) return { refused: { stage: s.at.stage, on: event.on } };
      const { file, mem } = afterWrites(knownOf(s.file, counted(s.mem, row, event)), row.set ?? [], event);
      const state = entered(file, row.to, mem);
      const isWritten = state.file !== s.file;
      return { state: isWritten ? { ...state, file: { ...state.file, updated_at: event.at } } : state };
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

export const { next, question } = interpreter(TRANSITIONS);
