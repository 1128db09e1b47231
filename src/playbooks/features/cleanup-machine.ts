// The machine of a cleanup session.
//
//   preflight ─┬─ ready ─▶ checkpoint ─▶ work ─┬─ holds ─▶ land ─▶ ended: landed
//              └─ else ─▶ ended: blocked       └─ else ──▶ undo ─▶ ended: rejected, failed, blocked, paused
//
// Its file is the reference's session_state.json: whatever came of it, the next prompt is a feature's again.
import { drivable, type Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { External, Machine, State } from '../../engine/types.ts';
import type { Actions, Checkpoint, ItemOutcome } from '../../model/action.ts';
import type { Failure } from '../../model/failure.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import { call } from '../session/asks.ts';
import type { CleanupStart, CleanupWork, Landed, Tidied } from './cleanup.ts';
import { go, outcomeOf, positionAt } from '../session/rows.ts';
import { emptySessionState, sessionStateSchema, type SessionState } from '../session/session-state.ts';
import type { Usage } from '../../model/usage.ts';

type Begun = { readonly checkpoint: Checkpoint; readonly startedAt: string };
type Why = { readonly reason: string; readonly problems: readonly Problem[]; readonly failure: Failure | null };
type At =
  | { readonly stage: 'preflight' }
  | { readonly stage: 'checkpoint'; readonly untidy: CleanupWork['untidy'] }
  | ({ readonly stage: 'work'; readonly untidy: CleanupWork['untidy'] } & Begun)
  | ({ readonly stage: 'land'; readonly verdict: Verdict; readonly endedAt: string } & Begun)
  | ({ readonly stage: 'undo'; readonly why: Why; readonly endedAt: string } & Begun)
  | { readonly stage: 'ended'; readonly outcome: ItemOutcome };
const STAGES = ['preflight', 'checkpoint', 'work', 'land', 'undo', 'ended'] as const satisfies readonly At['stage'][];
type Mem = { readonly paused: boolean };
type S = State<SessionState, At, Mem>;

const begunOf = ({ checkpoint, startedAt }: Begun): Begun => ({ checkpoint, startedAt });

/** `next_prompt` is a feature's again, unless a person cut it short. */
const over = (s: S, status: SessionState['status'], at: string): SessionState => ({
  ...s.file,
  status,
  termination_reason: status === 'complete' ? null : s.mem.paused ? 'user_pause' : 'error',
  next_prompt: s.mem.paused ? 'cleanup' : 'coding',
  timestamp: at,
});

export function cleanupMachine({ session }: ItemInput): Machine<SessionState, At, Mem, Actions> {
  return {
    name: 'features-cleanup',
    version: 1,
    file: sessionStateSchema,
    position: positionAt(STAGES),
    place: () => ({ at: { stage: 'preflight' }, mem: { paused: false } }),
    on: paused,
    stages: {
      preflight: {
        wants: () => [call('untidy', { session })],
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const found = done.outcome.output as unknown as CleanupStart;
          if (found.ready) return go(s, { stage: 'checkpoint', untidy: found.untidy });
          const { failure } = found;
          return go(s, { stage: 'ended', outcome: outcomeOf({ result: 'blocked', reason: failure.reason, failure }) });
        },
      },
      checkpoint: {
        wants: () => [{ kind: 'checkpoint', key: 'checkpoint', session, item: null, why: 'pre_cleanup' }],
        apply(s, done) {
          if (done.kind !== 'checkpoint') return s;
          const file = { ...s.file, last_session: session, current_feature: null, stuck_count: 0, timestamp: done.at };
          const { untidy } = s.at;
          return { ...s, file, at: { stage: 'work', untidy, checkpoint: done.outcome, startedAt: done.at } };
        },
      },
      work: {
        wants: (s) => [call('tidy', { session, checkpoint: s.at.checkpoint, untidy: s.at.untidy })],
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const tidied = done.outcome.output as unknown as Tidied;
          const ended = { ...begunOf(s.at), endedAt: done.at };
          if (tidied.end === 'holds') return go(s, { stage: 'land', ...ended, verdict: tidied.verdict });
          const { reason, problems, failure } = tidied;
          return go(s, { stage: 'undo', ...ended, why: { reason, problems, failure } });
        },
        recover: (s) =>
          go(s, {
            stage: 'undo',
            ...begunOf(s.at),
            endedAt: s.at.startedAt,
            why: { reason: 'session-lost', problems: [], failure: null },
          }),
      },
      land: {
        wants: (s) => [
          call('land-cleanup', { session, ...begunOf(s.at), endedAt: s.at.endedAt, verdict: s.at.verdict }),
        ],
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const { commit, refused, usage } = done.outcome.output as unknown as Landed;
          if (commit === null) {
            const why = { reason: refused[0]?.code ?? 'refused', problems: refused, failure: null };
            return go(s, { stage: 'undo', ...begunOf(s.at), endedAt: s.at.endedAt, why });
          }
          const { evidence } = s.at.verdict;
          const outcome = outcomeOf({ result: 'landed', reason: 'verified', commit, usage, evidence });
          return { ...s, file: over(s, 'complete', done.at), at: { stage: 'ended', outcome } };
        },
      },
      undo: {
        wants: (s) => {
          const { reason, problems } = s.at.why;
          return [call('undo-cleanup', { session, ...begunOf(s.at), endedAt: s.at.endedAt, reason, problems })];
        },
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const { usage } = done.outcome.output as unknown as { usage: Usage };
          const { reason, problems, failure } = s.at.why;
          const failed = failure?.policy === 'needs-human' ? 'blocked' : problems.length > 0 ? 'rejected' : 'failed';
          const outcome = outcomeOf({ result: s.mem.paused ? 'paused' : failed, reason, problems, failure, usage });
          return { ...s, file: over(s, 'failed', done.at), at: { stage: 'ended', outcome } };
        },
      },
      ended: {
        wants: (s) => ({ verdict: s.at.outcome.result, reason: s.at.outcome.reason }),
        apply: (s) => s,
      },
    },
  };
}

/** A pause ends it: what was tidied is kept as an attempt, and it is begun anew. */
function paused(s: S, event: External, at: string): S {
  if (event.type !== 'pause') return s;
  const mem = { paused: true };
  const outcome = outcomeOf({ result: 'paused', reason: 'user_pause' });
  switch (s.at.stage) {
    case 'preflight':
    case 'checkpoint':
      return { ...s, mem, at: { stage: 'ended', outcome } };
    case 'work':
      return {
        ...s,
        mem,
        at: {
          stage: 'undo',
          ...begunOf(s.at),
          endedAt: at,
          why: { reason: 'user_pause', problems: [], failure: null },
        },
      };
    default:
      return s;
  }
}

export const featuresCleanup = (input: ItemInput): Drivable<Actions> =>
  drivable(cleanupMachine(input), () => emptySessionState(''));
