// Reads the table of transitions: what is wanted in a stage, and what an event makes of it. Pure; the table is a parameter, so that
// tests can run a broken one.
import type { State } from '../../../engine/types.ts';
import { Bug } from '../../../model/bug.ts';
import { GATES, recommendedOf, type Confidence, type GateName } from './gates.ts';
import type { Mem } from './mem.ts';
import { afterWrites, holds, knownOf } from './rules.ts';
import { sessionsOf, type SessionSpec } from './sessions.ts';
import { gateOf, heardIn, phaseOf, STAGES, type EventName, type StageName, type WorkflowEvent } from './stages.ts';
import { inPhase, resolved, type Phase, type WorkflowFile } from '../file/state.ts';
import { TRANSITIONS, type Row } from './transitions.ts';

export type At = { readonly stage: StageName };
export type S = State<WorkflowFile, At, Mem>;

/** What is wanted in a stage, as data. */
export type Do =
  | {
      readonly do: 'ask';
      readonly gate: GateName;
      readonly isHard: boolean;
      /** Those that are shown. */
      readonly options: readonly string[];
      readonly recommended: string;
      readonly confidence: Confidence;
    }
  | { readonly do: 'begin' | 'proceed'; readonly phase: Phase }
  | { readonly do: 'sessions' | 'proposal' | 'evaluation'; readonly sessions: readonly SessionSpec[] }
  | { readonly do: 'conventions' | 'layer 1' | 'patch' | 'verdict' }
  | { readonly do: 'clean-up'; readonly finish: Mem['finish'] }
  | { readonly do: 'nothing'; readonly why: string };

/** Something that cannot come here: a stale answer, an option that is not shown. Nothing changed. */
export type Refused = { readonly refused: { readonly stage: StageName; readonly on: EventName } };
export type Next = { readonly state: S; readonly do: Do } | Refused;

export type Interpreter = {
  readonly next: (s: S, event: WorkflowEvent) => Next;
  readonly wanted: (s: S) => Do;
};

export function interpreter(rows: readonly Row[]): Interpreter {
  const byStage = Map.groupBy(rows, ({ from }) => from);
  /** null: the stage does not hear it, or the option is hidden. */
  const rowFor = ({ file, at: { stage }, mem }: S, on: EventName): Row | null => {
    if (!heardIn(stage).includes(on)) return null;
    const known = knownOf(file, mem);
    const fitting = (byStage.get(stage) ?? []).filter(
      (row) => row.on === on && (row.when ?? []).every((condition) => holds(condition, known)),
    );
    const [row] = fitting;
    if (row === undefined || fitting.length > 1) throw new Bug(`${fitting.length} rows fit "${on}" in ${stage}`);
    return row.to === 'refused' ? null : row;
  };

  const wanted = (s: S): Do => {
    const { stage } = s.at;
    const gate = gateOf(stage);
    if (gate !== null) {
      const options = GATES[gate].options.filter((option) => rowFor(s, `${gate}: ${option}` as EventName) !== null);
      const { confidence } = s.mem;
      const recommended = recommendedOf(gate, options, confidence);
      return { do: 'ask', gate, isHard: GATES[gate].isHard, options, recommended, confidence };
    }
    const row = STAGES[stage] as { readonly wants: Exclude<Do['do'], 'ask'> };
    const { mode, docs_path: docs } = resolved(s.file);
    switch (row.wants) {
      case 'begin':
      case 'proceed':
        return { do: row.wants, phase: phaseOf(stage) ?? 'completed' };
      case 'sessions':
      case 'proposal':
      case 'evaluation':
        return { do: row.wants, sessions: sessionsOf(stage, mode, docs) };
      case 'clean-up':
        return { do: row.wants, finish: s.mem.finish };
      case 'nothing':
        return { do: row.wants, why: s.mem.why };
      default:
        return { do: row.wants };
    }
  };

  return {
    wanted,
    next(s, event) {
      const row = rowFor(s, event.on);
      if (row === null || row.to === 'refused') return { refused: { stage: s.at.stage, on: event.on } };
      const { file, mem } = afterWrites(knownOf(s.file, said(s.mem, row, event)), row.set ?? [], event);
      const state = entered(file, row.to, mem);
      const isWritten = state.file !== s.file;
      const after = isWritten ? { ...state, file: { ...state.file, updated_at: event.at } } : state;
      return { state: after, do: wanted(after) };
    },
  };
}

/** What the event leaves behind for whoever comes next. */
const said = (mem: Mem, row: Row, { line, confidence }: WorkflowEvent): Mem => ({
  ...mem,
  visits: mem.visits + 1,
  tries: row.to === row.from ? mem.tries : 0,
  line: line ?? mem.line,
  confidence: confidence ?? mem.confidence,
  why: row.why ?? '',
});

/** In a stage, with its phase in the file. */
export function entered(file: WorkflowFile, stage: StageName, mem: Mem): S {
  const phase = phaseOf(stage);
  const isThere = phase === null || resolved(file).phase === phase;
  return { file: isThere ? file : inPhase(file, phase), at: { stage }, mem };
}

export const { next, wanted } = interpreter(TRANSITIONS);
