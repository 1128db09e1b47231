// The features machine: one session on one feature, from preflight to landed, saved or rolled back.
//
//   preflight ─┬─▶ stuck? ─▶ oversized? ─▶ checkpoint ─▶ work ─┬─ holds ───────▶ accept ─▶ ended: landed
//              │     │            │                            ├─ unfinished ──▶ save ───▶ ended: partial
//              │     └─ flag ◀────┘                            └─ else ────────▶ reject ─▶ ended: rejected, failed, blocked
//              │                                               ├─ doubtful? ──▶ accept or reject, as a person says
//              │                          hybrid, manual: holds ─▶ show ─▶ manual? ─▶ accept, reject, or drop ─▶ flag
//              └─ broken ─▶ ended: blocked
//
// Its file is the reference's session_state.json. A row of the table owns what it wants and what each outcome means.
import { drivable, type Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { External, Machine, State } from '../../engine/types.ts';
import type { Actions, ItemOutcome } from '../../model/action.ts';
import type { Json } from '../../model/json.ts';
import { unreachable } from '../../model/bug.ts';
import { NO_USAGE } from '../../model/usage.ts';
import type { Problem } from '../../model/verdict.ts';
import { askDoubtful, askOversized, askStuck, call } from './asks.ts';
import { askManual, saidOf } from './manual.ts';
import {
  STAGES,
  type Accepted,
  type At,
  type Ended,
  type Mem,
  type Preflight,
  type Proof,
  type Put,
  type Session,
  type Shown,
  type Work,
} from './positions.ts';
import { emptySessionState, sessionStateSchema, type SessionState } from './session-state.ts';
import { finished, started } from './transitions.ts';

export type S = State<SessionState, At, Mem>;
const go = (s: S, at: At): S => ({ ...s, at });
const end = (s: S, outcome: Partial<ItemOutcome> & Pick<ItemOutcome, 'result' | 'reason'>): S =>
  go(s, {
    stage: 'ended',
    outcome: { failure: null, problems: [], commit: null, evidence: null, usage: NO_USAGE, gate: null, ...outcome },
  });

export function featuresMachine(input: ItemInput): Machine<SessionState, At, Mem, Actions> {
  const { config } = input;
  const isStuck = (s: S): boolean =>
    s.file.current_feature !== null &&
    String(s.file.current_feature) === input.item &&
    s.file.stuck_count >= config.features.maxStuckSessions;
  const afterPreflight = (s: S, p: Extract<Preflight, { ready: true }>): S => {
    if (isStuck(s)) return go(s, { stage: 'stuck', facts: p.facts, firstTask: p.firstTask });
    if (p.facts.oversized.length > 0) return go(s, { stage: 'oversized', facts: p.facts, firstTask: p.firstTask });
    return go(s, { stage: 'checkpoint', facts: p.facts, firstTask: p.firstTask });
  };

  return {
    name: 'features',
    version: 1,
    file: sessionStateSchema,
    position: { parse: readPosition },
    place: () => ({ at: { stage: 'preflight' }, mem: { paused: false } }),
    on: paused,
    stages: {
      preflight: {
        wants: () => [call('preflight', { item: input.item, session: input.session })],
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const found = done.outcome.output as unknown as Preflight;
          return found.ready
            ? afterPreflight(s, found)
            : end(s, { result: 'blocked', reason: found.failure.reason, failure: found.failure });
        },
      },

      // A feature that failed in three sessions is a person's business (reference 000, Feature Stuck Escalation).
      stuck: {
        wants: (s) => [askStuck(s.at.facts, s.file.stuck_count)],
        apply(s, done) {
          if (done.kind !== 'ask') return s;
          const asked: S = { ...s, file: { ...s.file, stuck_count: 0 } };
          switch (done.outcome.option) {
            case 'skip':
              return go(asked, {
                stage: 'flag',
                facts: s.at.facts,
                firstTask: s.at.firstTask,
                change: 'skip',
                note: done.outcome.note,
                decidedAt: done.at,
              });
            case 'retry':
              return go(asked, {
                stage: 'checkpoint',
                facts: s.at.facts,
                firstTask: withNote(s.at.firstTask, done.outcome.note),
              });
            default: // split and manual are a person's work; abort ends the run
              return end(asked, {
                result: done.outcome.option === 'abort' ? 'aborted' : 'blocked',
                reason: `decided-${done.outcome.option}`,
              });
          }
        },
      },

      // Too large for one session (reference 000, Feature Granularity Rules, Escalation 10).
      oversized: {
        wants: (s) => [askOversized(s.at.facts)],
        apply(s, done) {
          if (done.kind !== 'ask') return s;
          const { facts, firstTask } = s.at;
          if (done.outcome.option === 'split') return end(s, { result: 'blocked', reason: 'decided-split' });
          return go(s, {
            stage: 'flag',
            facts,
            firstTask,
            change: done.outcome.option === 'skip' ? 'skip' : 'accept-size',
            note: done.outcome.note,
            decidedAt: done.at,
          });
        },
      },

      // What a person decided about the item is written on the item, so that it is asked only once.
      flag: {
        wants: (s) => [
          {
            kind: 'commit',
            key: 'flag',
            style: 'plain',
            item: input.item,
            session: input.session,
            subject: `chore(harness): #${input.item} ${s.at.change === 'skip' ? 'is skipped' : 'may be large'}`,
            body: s.at.note,
            tree: null,
            checkpoint: null,
            only: [config.paths.features],
            edit: {
              name: 'flag',
              input: {
                features: config.paths.features,
                item: input.item,
                change: s.at.change === 'skip' ? skipped(s.at.note, s.at.decidedAt) : { type: 'size-accepted' },
              },
            },
          },
        ],
        apply(s, done) {
          if (done.kind !== 'commit') return s;
          const { commit, refused } = done.outcome;
          if (refused) return end(s, { result: 'blocked', reason: refused.code, problems: [refused] });
          if (s.at.change === 'skip') return end(s, { result: 'skipped', reason: 'decided-skip', commit });
          if (s.mem.paused) return end(s, { result: 'paused', reason: 'user_pause', commit });
          return go(s, { stage: 'checkpoint', facts: { ...s.at.facts, oversized: [] }, firstTask: s.at.firstTask });
        },
      },

      checkpoint: {
        wants: () => [
          { kind: 'checkpoint', key: 'checkpoint', session: input.session, item: input.item, why: 'pre_feature' },
        ],
        apply(s, done) {
          if (done.kind !== 'checkpoint') return s;
          const { facts, firstTask } = s.at;
          const file = started(s.file, { session: input.session, feature: input.item, at: done.at });
          return { ...s, file, at: { stage: 'work', facts, firstTask, checkpoint: done.outcome, startedAt: done.at } };
        },
      },

      // A pause ends the session where it stands; what it wrote is kept as work in progress (USER_PAUSE).
      work: {
        wants: (s) => [
          call('work', {
            facts: s.at.facts,
            firstTask: s.at.firstTask,
            checkpoint: s.at.checkpoint,
            session: input.session,
          }),
        ],
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const work = done.outcome.output as unknown as Work;
          const ended = { ...sessionOf(s.at), text: work.text, endedAt: done.at };
          switch (work.end) {
            case 'holds':
              return proved(s, { ...ended, verdict: work.verdict, strength: work.strength, decided: null });
            case 'doubtful':
              return go(s, { stage: 'doubtful', ...ended, verdict: work.verdict, strength: work.strength });
            case 'unfinished':
              return go(s, { stage: 'save', ...ended, why: work.why });
            case 'agent-failed':
              return go(s, {
                stage: 'reject',
                ...ended,
                why: { ...NO_FAULT, reason: work.failure.reason, failure: work.failure },
              });
            case 'rejected': {
              const { reason, problems, regressions, evidence } = work;
              return go(s, {
                stage: 'reject',
                ...ended,
                why: { reason, problems, regressions, evidence, failure: null },
              });
            }
            default:
              return unreachable(work);
          }
        },
        // The procedure was begun by another version and cannot be resumed: the session is taken as never happened.
        recover: (s) =>
          go(s, {
            stage: 'reject',
            ...sessionOf(s.at),
            text: '',
            endedAt: s.at.startedAt,
            why: { ...NO_FAULT, reason: 'session-lost' },
          }),
      },

      // An honest change of old tests and a weakened one can look the same: a person decides, and is named in the commit.
      doubtful: {
        wants: (s) => [askDoubtful(s.at.facts, s.at.strength, s.at.verdict)],
        apply(s, done) {
          if (done.kind !== 'ask') return s;
          const { verdict, strength } = s.at;
          if (done.outcome.option === 'land')
            return proved(s, { ...endedOf(s.at), verdict, strength, decided: done.outcome });
          const problems = strength.doubts;
          const reason = problems[0]?.code ?? 'decided-reject';
          return go(s, {
            stage: 'reject',
            ...endedOf(s.at),
            why: { ...NO_FAULT, reason, problems, evidence: strength.evidence },
          });
        },
      },

      // What no test can show is shown to a person, with the agent gone and its work in the work tree.
      show: {
        wants: (s) => [call('show', { ...endedOf(s.at), verdict: s.at.verdict, session: input.session })],
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const { tampering, files } = done.outcome.output as unknown as Shown;
          const { verdict, strength, decided } = s.at;
          const [first] = tampering;
          if (first === undefined)
            return go(s, { stage: 'manual', ...endedOf(s.at), verdict, strength, decided, shown: files });
          const why = { ...NO_FAULT, reason: first.code, problems: tampering, evidence: verdict.evidence };
          return go(s, { stage: 'reject', ...endedOf(s.at), why });
        },
      },

      manual: {
        wants: (s) => [askManual(s.at.facts, s.at.verdict, s.at.shown)],
        apply(s, done) {
          if (done.kind !== 'ask') return s;
          const { verdict, strength, decided } = s.at;
          const said = saidOf(done, verdict.evidence);
          switch (said.is) {
            case 'verified':
              return go(s, { stage: 'accept', ...endedOf(s.at), verdict, strength, decided, person: said.person });
            case 'failed':
              return go(s, { stage: 'reject', ...endedOf(s.at), why: said.why });
            default:
              return go(s, { stage: 'drop', ...endedOf(s.at), note: said.note, decidedAt: done.at });
          }
        },
      },

      // Its work is kept as an attempt before the item is left out.
      drop: {
        wants: (s) => [
          call('reject', {
            ...endedOf(s.at),
            why: { ...NO_FAULT, reason: 'decided-skip' },
            session: input.session,
          }),
        ],
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const { facts, note, decidedAt } = s.at;
          const file = finished(s.file, { end: 'blocked', at: done.at });
          return go({ ...s, file }, { stage: 'flag', facts, firstTask: [], change: 'skip', note, decidedAt });
        },
      },

      accept: {
        wants: (s) => {
          const { verdict, strength, decided, person } = s.at;
          return [call('accept', { ...endedOf(s.at), verdict, strength, decided, person, session: input.session })];
        },
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const accepted = done.outcome.output as unknown as Accepted;
          const { evidence } = s.at.verdict;
          if (accepted.commit === null) {
            const why = {
              ...NO_FAULT,
              reason: accepted.refused[0]?.code ?? 'refused',
              problems: accepted.refused,
              evidence,
            };
            return go(s, { stage: 'reject', ...endedOf(s.at), why });
          }
          const landed = { result: 'landed', reason: 'verified', evidence } as const;
          const { commit, usage, pushFailure } = accepted;
          return end(
            { ...s, file: finished(s.file, { end: 'landed', at: done.at }) },
            { ...landed, commit, usage, failure: pushFailure },
          );
        },
      },

      save: {
        wants: (s) => [call('save', { ...endedOf(s.at), why: s.at.why, session: input.session })],
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const { usage, refused } = done.outcome.output as unknown as Put;
          if (refused) {
            const file = finished(s.file, { end: 'failed', at: done.at });
            const result = s.mem.paused ? 'paused' : 'rejected';
            return end({ ...s, file }, { result, reason: refused.code, problems: [refused], usage });
          }
          const file = finished(s.file, { end: 'partial', why: s.at.why, at: done.at });
          return end({ ...s, file }, { result: s.mem.paused ? 'paused' : 'partial', reason: s.at.why, usage });
        },
      },

      reject: {
        wants: (s) => [call('reject', { ...endedOf(s.at), why: s.at.why, session: input.session })],
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const { usage } = done.outcome.output as unknown as Put;
          const { reason, problems, evidence, failure } = s.at.why;
          const result =
            failure === null
              ? problems.length > 0
                ? 'rejected'
                : 'failed'
              : failure.policy === 'needs-human'
                ? 'blocked'
                : 'failed';
          return end(
            { ...s, file: finished(s.file, { end: result === 'blocked' ? 'blocked' : 'failed', at: done.at }) },
            { result, reason, problems, evidence, failure, usage },
          );
        },
      },

      ended: {
        wants: (s) => ({ verdict: s.at.outcome.result, reason: s.at.outcome.reason }),
        apply: (s) => s,
      },
    },
  };
}

/**
 * A pause before the session: it does not begin. In the middle of it: what is there is saved. Later the end is near and is
 * waited for; at a gate nothing runs anyway.
 */
function paused(s: S, event: External, at: string): S {
  if (event.type !== 'pause') return s;
  switch (s.at.stage) {
    case 'preflight':
    case 'checkpoint':
      return end({ ...s, mem: { paused: true } }, { result: 'paused', reason: 'user_pause' });
    case 'flag': // the decision is written first: it would be asked for again
      return { ...s, mem: { paused: true } };
    case 'work':
      return {
        ...s,
        mem: { paused: true },
        at: { stage: 'save', ...sessionOf(s.at), text: '', endedAt: at, why: 'user_pause' },
      };
    default:
      return s;
  }
}

const skipped = (note: string, at: string): Json => ({
  type: 'skipped',
  reason: note || 'decided at a gate',
  unblock: false,
  at,
});
/** What a person said with their answer is the first thing the next agent reads. */
const withNote = (first: readonly Problem[], note: string): readonly Problem[] =>
  note.trim() === '' ? first : [{ code: 'said-by-person', params: { note } }, ...first];
/** Everything that can be run holds. */
const proved = (s: S, held: Ended & Proof): S =>
  held.facts.byHand ? go(s, { stage: 'show', ...held }) : go(s, { stage: 'accept', ...held, person: null });
const NO_FAULT = { problems: [], regressions: [], evidence: null, failure: null };
const sessionOf = ({ facts, checkpoint, startedAt }: Session): Session => ({ facts, checkpoint, startedAt });
const endedOf = ({ facts, checkpoint, startedAt, text, endedAt }: Ended): Ended => ({
  facts,
  checkpoint,
  startedAt,
  text,
  endedAt,
});

function readPosition(value: unknown): { at: At; mem: Mem } {
  const stored = value as { at: At; mem: Mem };
  if (!STAGES.includes(stored.at.stage)) throw new TypeError(`unknown stage ${stored.at.stage}`);
  return stored;
}

export const featuresItem = (input: ItemInput): Drivable<Actions> =>
  drivable(featuresMachine(input), () => emptySessionState(''));
