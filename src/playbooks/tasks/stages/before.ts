// Before an agent works: what is known of the task, what an earlier session left, the checkpoint, the claim.
import { call } from '../../session/asks.ts';
import type { Preflight } from '../../session/facts.ts';
import { go } from '../../session/rows.ts';
import { started } from '../../session/transitions.ts';
import type { Failure } from '../../../model/failure.ts';
import type { TaskFacts } from '../facts.ts';
import { logLine } from '../log.ts';
import type { Recovered } from '../positions.ts';
import { proved } from './judged.ts';
import { end, short, writeTask, type Given, type Stages } from './moves.ts';

/** The environment is started twice before the run stops (reference 003, ENV_SETUP). */
const ENVIRONMENT = ['init-failed', 'reset-failed', 'unhealthy'];

export const before = ({ input, config }: Given) =>
  ({
    look: {
      wants: () => [
        {
          kind: 'survey',
          key: 'look',
          survey: 'item',
          input: {
            backlog: config.paths.backlog,
            item: input.item,
            stateDir: config.paths.stateDir,
            newer: config.compatibility.onNewerState,
          },
        },
      ],
      apply(s, done) {
        if (done.kind !== 'survey') return s;
        const { facts, failure } = done.outcome.facts as unknown as { facts: TaskFacts; failure: Failure | null };
        if (failure) return end(s, { result: 'blocked', reason: failure.reason, failure });
        // One that was saved on purpose is gone on with; any other was cut.
        const isCut = facts.task.status === 'in_progress' && facts.partial === null;
        return go(s, { stage: isCut ? 'recover' : 'prepare', facts });
      },
    },

    recover: {
      wants: (s) => [call('recover', { facts: s.at.facts, session: input.session })],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const found = done.outcome.output as unknown as Recovered;
        const task = { ...s.at.facts.task, run: found.run };
        return go(s, { stage: 'recovered', facts: { ...s.at.facts, task }, found, at: done.at });
      },
    },

    recovered: {
      wants({ at: { facts, found, at } }) {
        const message = `action="${found.action}" reason="${found.reason}"`;
        const { checkpoints } = found;
        return [writeTask('recovered', { facts, at, checkpoints }, {}, [{ type: 'RECOVERY', message }], config)];
      },
      apply(s, done) {
        if (done.kind !== 'write') return s;
        const { found, at } = s.at;
        const facts = { ...s.at.facts, task: { ...s.at.facts.task, checkpoints: found.checkpoints } };
        const over = { facts, checkpoint: found.base, startedAt: at, endedAt: at, text: '' };
        switch (found.end) {
          case 'holds': {
            const { verdict, strength } = found;
            return strength !== null && strength.doubts.length > 0
              ? go(s, { stage: 'doubtful', ...over, verdict, strength })
              : proved(s, { ...over, verdict, strength, decided: null }, config);
          }
          case 'resume':
            // A session of its own goes on: what the cut one cost is written down with it.
            return go(s, { stage: 'save', ...over, why: 'timeout', failure: null });
          case 'blocked':
            return go(s, { stage: 'stop', facts, failure: found.failure, at });
          case 'failed':
            return go(s, {
              stage: 'fail',
              ...over,
              error: found.error,
              why: found.why,
              ...(found.isLast ? { isLast: true as const } : {}),
            });
        }
      },
    },

    prepare: {
      wants: (s) => [
        {
          ...call('preflight', { item: input.item, session: input.session }),
          key: `prepare-${s.mem.mends ?? 0}-${s.mem.raises ?? 0}`,
        },
      ],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const found = done.outcome.output as unknown as Preflight;
        if (found.ready)
          return go(s, { stage: 'checkpoint', facts: found.facts as TaskFacts, firstTask: found.firstTask });
        const { failure, over } = found;
        if (over) return go(s, { stage: 'overspent', facts: s.at.facts, over, outcome: null });
        if (!ENVIRONMENT.includes(failure.reason))
          return end(s, { result: 'blocked', reason: failure.reason, failure });
        const mends = (s.mem.mends ?? 0) + 1;
        const { facts } = s.at;
        return mends > 1
          ? go(s, { stage: 'stop', facts, failure, at: done.at })
          : { ...s, at: { stage: 'prepare', facts }, mem: { ...s.mem, mends } };
      },
    },

    checkpoint: {
      wants: () => [
        { kind: 'checkpoint', key: 'checkpoint', session: input.session, item: input.item, why: 'pre_task' },
      ],
      apply(s, done) {
        if (done.kind !== 'checkpoint') return s;
        const { facts, firstTask } = s.at;
        const file = started(s.file, { session: input.session, feature: input.item, at: done.at });
        const begun = { facts, checkpoint: done.outcome, startedAt: done.at };
        // As often as sessions may end unfinished; then the attempt has failed, and the next begins from nothing.
        const isStuck = facts.partial !== null && file.stuck_count >= config.features.maxStuckSessions;
        if (!isStuck) return { ...s, file, at: { stage: 'claim', firstTask, ...begun } };
        const message = `${file.stuck_count} sessions ended before the task was done`;
        const error = { category: 'SESSION_TIMEOUT', message } as const;
        const why = { reason: 'session-lost', problems: [], regressions: [], evidence: null, failure: null };
        return go({ ...s, file }, { stage: 'fail', ...begun, text: '', endedAt: done.at, error, why });
      },
    },

    // A task that goes on keeps the commit that it began from.
    claim: {
      wants({ at: { facts, checkpoint, startedAt } }) {
        const isGoingOn = facts.task.status === 'in_progress' && facts.task.base !== null;
        const base = isGoingOn ? (facts.task.base ?? checkpoint.head) : checkpoint.head;
        const patch = { status: 'in_progress', started_at_commit: base };
        const line = { type: 'Starting', message: `${facts.title} (base=${short(base)})` } as const;
        return [writeTask('claim', { facts, at: startedAt }, patch, [line], config)];
      },
      apply(s, done) {
        if (done.kind !== 'write') return s;
        const { facts, firstTask, checkpoint, startedAt } = s.at;
        const base = facts.task.status === 'in_progress' ? (facts.task.base ?? checkpoint.head) : checkpoint.head;
        const task = { ...facts.task, status: 'in_progress' as const, base };
        return go(s, { stage: 'work', facts: { ...facts, task }, firstTask, checkpoint, startedAt });
      },
    },

    stop: {
      wants({ at: { facts, failure, at } }) {
        const message = `${failure.reason}: ${String(failure.params['command'] ?? '')}`;
        const line = { at, session: facts.task.run, type: 'ERROR', category: 'ENV_SETUP', message } as const;
        return [{ kind: 'write', key: 'stop', edit: null, lines: [logLine(line)] }];
      },
      apply: (s, done) =>
        done.kind === 'write' ? end(s, { result: 'blocked', reason: s.at.failure.reason, failure: s.at.failure }) : s,
    },
  }) satisfies Partial<Stages>;
