// The machine of session 0.
//
//   checkpoint ─▶ work ─┬─ valid ─▶ settle ─▶ ended: landed
//                       └─ else ──▶ undo ───▶ ended: rejected, failed, blocked
import { drivable, type Drivable } from '../../engine/drivable.ts';
import type { Machine } from '../../engine/types.ts';
import type { Actions, Checkpoint, ItemOutcome } from '../../model/action.ts';
import type { Failure } from '../../model/failure.ts';
import { unreachable } from '../../model/bug.ts';
import type { Problem } from '../../model/verdict.ts';
import { call } from '../session/asks.ts';
import type { Initialised, InitInput } from './initialise.ts';
import { go, outcomeOf, positionAt } from '../session/rows.ts';
import { emptySessionState, sessionStateSchema, type SessionState } from '../session/session-state.ts';

type Why = { readonly reason: string; readonly problems: readonly Problem[]; readonly failure: Failure | null };
type At =
  | { readonly stage: 'checkpoint' }
  /** The spec as it was: it may be edited before an interrupted session 0 goes on. */
  | {
      readonly stage: 'work';
      readonly checkpoint: Checkpoint;
      readonly startedAt: string;
      readonly spec: InitInput['spec'];
    }
  | { readonly stage: 'settle'; readonly checkpoint: Checkpoint; readonly startedAt: string; readonly endedAt: string }
  | { readonly stage: 'undo'; readonly checkpoint: Checkpoint; readonly why: Why }
  | { readonly stage: 'ended'; readonly outcome: ItemOutcome };
const STAGES = ['checkpoint', 'work', 'settle', 'undo', 'ended'] as const satisfies readonly At['stage'][];
type Mem = Readonly<Record<string, never>>;

export function initMachine(spec: InitInput['spec']): Machine<SessionState, At, Mem, Actions> {
  return {
    name: 'features-init',
    version: 1,
    file: sessionStateSchema,
    position: positionAt(STAGES),
    place: () => ({ at: { stage: 'checkpoint' }, mem: {} }),
    stages: {
      checkpoint: {
        wants: () => [{ kind: 'checkpoint', key: 'checkpoint', session: 0, item: null, why: 'pre_init' }],
        apply: (s, done) =>
          done.kind === 'checkpoint' ? go(s, { stage: 'work', checkpoint: done.outcome, startedAt: done.at, spec }) : s,
      },
      work: {
        wants: (s) => [call('initialise', { checkpoint: s.at.checkpoint, spec: s.at.spec })],
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const made = done.outcome.output as unknown as Initialised;
          const { checkpoint, startedAt } = s.at;
          switch (made.end) {
            case 'valid':
              return go(s, { stage: 'settle', checkpoint, startedAt, endedAt: done.at });
            case 'invalid':
              return go(s, {
                stage: 'undo',
                checkpoint,
                why: { reason: 'init-rejected', problems: made.problems, failure: null },
              });
            case 'agent-failed':
              return go(s, {
                stage: 'undo',
                checkpoint,
                why: { reason: made.failure.reason, problems: [], failure: made.failure },
              });
            case 'cut':
              return go(s, { stage: 'undo', checkpoint, why: { reason: made.why, problems: [], failure: null } });
            default:
              return unreachable(made);
          }
        },
        recover: (s) =>
          go(s, {
            stage: 'undo',
            checkpoint: s.at.checkpoint,
            why: { reason: 'session-lost', problems: [], failure: null },
          }),
      },
      settle: {
        wants: (s) => [call('settle', { startedAt: s.at.startedAt, endedAt: s.at.endedAt })],
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const { commit, refused } = done.outcome.output as unknown as {
            commit: string | null;
            refused: readonly Problem[];
          };
          if (commit === null) {
            const why = { reason: refused[0]?.code ?? 'refused', problems: refused, failure: null };
            return go(s, { stage: 'undo', checkpoint: s.at.checkpoint, why });
          }
          const file: SessionState = {
            ...s.file,
            last_session: 0,
            status: 'complete',
            next_prompt: 'coding',
            timestamp: done.at,
          };
          return {
            ...s,
            file,
            at: { stage: 'ended', outcome: outcomeOf({ result: 'landed', reason: 'initialised', commit }) },
          };
        },
      },
      undo: {
        wants: (s) => [call('undo', { checkpoint: s.at.checkpoint, why: s.at.why.reason })],
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const { reason, problems, failure } = s.at.why;
          const result = failure?.policy === 'needs-human' ? 'blocked' : problems.length > 0 ? 'rejected' : 'failed';
          return go(s, { stage: 'ended', outcome: outcomeOf({ result, reason, problems, failure }) });
        },
      },
      ended: {
        wants: (s) => ({ verdict: s.at.outcome.result, reason: s.at.outcome.reason }),
        apply: (s) => s,
      },
    },
  };
}

export const featuresInit = (spec: InitInput['spec']): Drivable<Actions> =>
  drivable(initMachine(spec), () => emptySessionState(''));
