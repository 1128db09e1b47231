// What holds in every run of a machine, with its procedures performed step by step: the order of the effects, and where each answer leads.
import { describe, expect, test } from 'vitest';
import { stageOf, type Machine, type State } from '../../src/engine/types.ts';
import type { Actions } from '../../src/model/action.ts';
import { NO_USAGE } from '../../src/model/usage.ts';
import { deliveryMachine } from '../../src/playbooks/delivery/machine.ts';
import { featuresMachine } from '../../src/playbooks/features/machine.ts';
import { cleanupMachine } from '../../src/playbooks/features/cleanup.ts';
import { missionMachine } from '../../src/playbooks/mission/machine.ts';
import { plannerMachine } from '../../src/playbooks/mission/planner.ts';
import { emptySessionState, type SessionStateFile } from '../../src/playbooks/session/session-state.ts';
import { deliveryPlanMachine } from '../../src/playbooks/delivery/planner.ts';
import { siteMachine } from '../../src/playbooks/delivery/site.ts';
import { tasksMachine } from '../../src/playbooks/tasks/machine.ts';
import { configOf } from '../support/config.ts';
import { checkpoint, facts } from '../support/outcomes.ts';
import { PLAN_SPEC, SITE_ASK } from './delivery-plan-outcomes.ts';
import { playMachine, someChoices, type MachineRun, type Step } from './machine-runs.ts';
import { TASK_FACTS } from './step-outcomes.ts';

const NO_POLICY = { answer: null, afterMs: 0 };
const config = configOf({
  recovery: 'checked',
  gates: { policies: { 'verification-failed': NO_POLICY, regression: NO_POLICY } },
  testing: { sanity: { health: null, lint: 'ruff check', typeCheck: null, quick: null } },
});
const about = { session: 4, lane: 0, run: 'r', config };
const features = featuresMachine({ item: '1', ...about });
const cleanup = cleanupMachine({ item: 'cleanup', ...about });
const tasks = tasksMachine({ item: 'task-001', ...about });
const missionConfig = configOf({
  ...config,
  playbook: { backlog: 'mission', machine: 'mission' },
  mission: { crosscheck: true, documenter: true, smoke: 'sh smoke.sh' },
});
const mission = missionMachine({ item: 'F-001', ...about, config: missionConfig });
const plan = plannerMachine({ path: 'SPEC.md', text: '# App' });
const deliveryConfig = configOf({
  ...config,
  playbook: { backlog: 'delivery', machine: 'delivery' },
  forge: { kind: 'local' },
});
const hereConfig = configOf({ ...deliveryConfig, forge: { kind: 'none' } });
const deliveryPlan = deliveryPlanMachine(PLAN_SPEC);
const delivery = deliveryMachine({ item: '0001', ...about, config: deliveryConfig });

const state = (more: Partial<SessionStateFile> = {}): SessionStateFile => ({
  ...emptySessionState('then'),
  last_session: 3,
  ...more,
});
const stuck = (item: string | number): SessionStateFile =>
  state({ status: 'failed', current_feature: item, stuck_count: 3 });

/** Runs of a machine from a fresh file and from one that says that the item is stuck. */
async function runsOf<At extends { readonly stage: string }, Mem>(
  machine: Machine<SessionStateFile, At, Mem, Actions>,
  item: string | number,
  by = config,
): Promise<readonly MachineRun<SessionStateFile, At, Mem>[]> {
  const cut = state({ status: 'partial', current_feature: item, stuck_count: 1 });
  const starts = [emptySessionState(''), stuck(item), cut].map((file) => ({ file, ...machine.place(file) }));
  return playAll(machine, starts, by);
}

async function playAll<At extends { readonly stage: string }, Mem>(
  machine: Machine<SessionStateFile, At, Mem, Actions>,
  starts: readonly State<SessionStateFile, At, Mem>[],
  by = config,
): Promise<readonly MachineRun<SessionStateFile, At, Mem>[]> {
  const played: MachineRun<SessionStateFile, At, Mem>[] = [];
  for (const [n, one] of someChoices(600).entries()) {
    const start = starts[n % starts.length];
    if (start !== undefined) played.push(await playMachine(machine, start, by, one));
  }
  return played;
}

const INTERRUPTED = {
  file: emptySessionState(''),
  at: { stage: 'prepare', isInterrupted: true },
  mem: { paused: false },
} as const;
const ALL = {
  features: await runsOf(features, 1),
  cleanup: await runsOf(cleanup, 1),
  tasks: [...(await runsOf(tasks, 'task-001')), ...(await playAll(tasks, [INTERRUPTED]))],
  mission: await runsOf(mission, 'F-001', missionConfig),
  plan: await runsOf(plan, '0', missionConfig),
  deliveryPlan: [
    ...(await runsOf(deliveryPlan, '0', deliveryConfig)),
    ...(await runsOf(deliveryPlan, '0', hereConfig)),
  ],
  delivery: await runsOf(delivery, '0001', deliveryConfig),
};
/** They ask people nothing. */
const SILENT: readonly unknown[] = [ALL.cleanup, ALL.plan, ALL.deliveryPlan];
const kinds = (steps: readonly Step[]): readonly string[] => steps.map(({ action }) => action.kind);

describe.each(Object.entries(ALL))('a run of the %s machine', (_name, all) => {
  test('never waits for a person while the session of an agent is open', () => {
    let asked = 0;
    for (const { steps } of all) {
      let isOpen = false;
      for (const { action } of steps) {
        if (action.kind === 'session') isOpen = true;
        if (action.kind === 'close' || action.kind === 'abandon') isOpen = false;
        if (action.kind !== 'ask') continue;
        asked += 1;
        expect(isOpen).toBe(false);
      }
      expect(isOpen).toBe(false); // nor does it end with one
    }
    if (!SILENT.includes(all)) expect(asked).toBeGreaterThanOrEqual(20);
  });

  test('commits work only after a verdict that holds, on the tree of that verdict', () => {
    for (const { steps } of all)
      for (const [n, { action, outcome }] of steps.entries()) {
        if (action.kind !== 'commit' || action.style !== 'accept' || !('commit' in outcome)) continue;
        const proofs = steps.slice(0, n).filter((step) => step.action.kind === 'check' && step.stage !== 'close');
        expect(proofs.some(({ outcome: proof }) => 'tree' in proof && proof.tree === action.tree)).toBe(true);
      }
  });

  test('takes the checkpoint before the agent works, and a rollback goes back to one', () => {
    for (const { steps } of all) {
      const order = kinds(steps);
      const works = order.indexOf('session');
      if (works >= 0) expect(order.slice(0, works)).toContain('checkpoint');
      for (const { action } of steps) if (action.kind === 'rollback') expect(action.checkpoint).toEqual(checkpoint);
    }
  });

  test('publishes and records a landing only when its commit is there', () => {
    for (const { steps } of all)
      for (const [n, { action }] of steps.entries()) {
        const isLanding =
          action.kind === 'publish' ||
          (action.kind === 'remember' && action.what === 'session' && action.summary.result === 'landed');
        if (!isLanding) continue;
        const made = steps.slice(0, n).some(({ action: one, outcome }) => {
          const isCommit = one.kind === 'commit' || one.kind === 'add-files';
          return isCommit && 'commit' in outcome && outcome.commit === 'landed';
        });
        expect(made).toBe(true);
      }
  });
});

const END = { picks: [0], mood: 0 };
const ended = <At extends { readonly stage: string }, Mem>({ states }: MachineRun<SessionStateFile, At, Mem>) =>
  states.at(-1);

describe('plans from a specification', () => {
  test('are added to the remote on what the branch follows, or committed here where there is no forge: at most once', () => {
    for (const { steps } of ALL.deliveryPlan) {
      const commits = steps.filter(
        ({ action, outcome }) =>
          (action.kind === 'commit' || action.kind === 'add-files') && 'commit' in outcome && outcome.commit !== null,
      );
      expect(commits.length).toBeLessThanOrEqual(1);
      const added = steps.findIndex(({ action }) => action.kind === 'add-files');
      if (added >= 0) expect(kinds(steps.slice(0, added))).toContain('follow-base');
      const [at] = commits;
      if (at?.action.kind === 'add-files') expect(kinds(steps.slice(steps.indexOf(at)))).toContain('follow-base');
    }
  });

  test('leave no draft of a refused session committed: what it changed is rolled back', () => {
    const refused = ALL.deliveryPlan.filter(({ states }) => states.some(({ at }) => at.stage === 'undo'));
    expect(refused.length).toBeGreaterThan(50);
    for (const { steps } of refused) expect(kinds(steps)).toContain('rollback');
  });
});

describe('a specification from a site', () => {
  test('commits nothing, closes its session, and takes back what it changed beside its draft', async () => {
    const start = { file: { schema: 1 as const, ask: SITE_ASK, result: null } };
    let strayed = 0;
    for (const one of someChoices(400)) {
      const { steps } = await playMachine(
        siteMachine,
        { ...start, ...siteMachine.place(start.file) },
        deliveryConfig,
        one,
      );
      const order = kinds(steps);
      expect(order.some((kind) => ['commit', 'add-files', 'push'].includes(kind))).toBe(false);
      if (order.includes('session')) expect(order.lastIndexOf('close')).toBeGreaterThan(order.lastIndexOf('session'));
      const changed = steps.some(
        ({ outcome }) => 'facts' in outcome && JSON.stringify(outcome.facts).includes('SECRET.md'),
      );
      strayed += changed ? 1 : 0;
      if (changed) expect(order).toContain('restore');
    }
    expect(strayed).toBeGreaterThan(20);
  });
});

describe('an item of the features machine', () => {
  test('that an earlier process left in the middle of a session is dealt with before anything else', () => {
    const abandoned = ALL.features.filter(({ steps }) => {
      const [first] = steps;
      return first?.action.kind === 'abandon' && 'isAbandoned' in first.outcome && first.outcome.isAbandoned === true;
    });
    expect(abandoned.length).toBeGreaterThan(0);
    for (const run of abandoned) {
      expect(kinds(run.steps)).toEqual(['abandon']);
      expect(ended(run)).toMatchObject({ file: run.start.file, at: { outcome: { reason: 'session-abandoned' } } });
    }
  });

  test('that preflight refuses leaves session_state.json as it was: the session did not take place', () => {
    let refused = 0;
    for (const run of ALL.features) {
      if (run.states.length !== 1 || kinds(run.steps).includes('ask')) continue;
      refused += 1;
      expect(ended(run)).toMatchObject({ file: run.start.file, at: { stage: 'ended' } });
    }
    expect(refused).toBeGreaterThan(20);
  });

  /** status · item of the file · stuck_count · whether a session on item 1 asks first */
  test.each([
    ['complete', 1, 0, false],
    ['complete', null, 0, false],
    ['partial', 1, 2, false],
    ['partial', 1, 3, true], // "Check stuck_count — escalate if ≥3"
    ['failed', 1, 2, false],
    ['failed', 1, 3, true],
    ['failed', 1, 7, true],
    ['failed', 2, 7, false], // "Working on different feature, reset counter"
    ['partial', null, 7, false],
  ] as const)(
    'after %s on %s with %i failed sessions: asked about being stuck is %s',
    async (status, current_feature, stuck_count, isAsked) => {
      for (const next_prompt of ['coding', 'continuation', 'cleanup'] as const) {
        const file = state({ status, current_feature, stuck_count, next_prompt });
        const { steps } = await playMachine(features, { file, ...features.place(file) }, config, END);
        expect(steps.some(({ name }) => name === 'stuck-1')).toBe(isAsked);
      }
    },
  );

  /** Runs with a stuck item, by the answer. */
  const answered = (option: string) =>
    ALL.features.filter(({ steps }) =>
      steps.some(({ name, outcome }) => name === 'stuck-1' && 'option' in outcome && outcome.option === option),
    );
  test.each([
    ['split', 'blocked'],
    ['manual', 'blocked'],
    ['abort', 'aborted'],
    ['skip', 'skipped'],
  ])('whose user answers %s to "stuck" ends as %s, and is not asked at once again', (option, result) => {
    const all = answered(option);
    if (option !== 'abort') expect(all.length).toBeGreaterThan(0);
    for (const run of all) {
      const last = ended(run);
      expect(last?.file.stuck_count).toBe(0);
      const { outcome } = (last?.at ?? {}) as { outcome: { result: string; problems: readonly object[] } };
      // A decision that cannot be written stops the run.
      expect(outcome.result).toBe(outcome.problems.length > 0 ? 'blocked' : result);
    }
  });

  test('whose user answers retry to "stuck" starts one more session, which reads first what the user said', () => {
    const started = answered('retry').filter(({ states }) => states.length > 1);
    expect(started.length).toBeGreaterThan(0);
    const note = { code: 'said-by-person', params: { note: 'because' } };
    for (const { states } of started) {
      const [first] = states;
      expect(first).toMatchObject({ file: { stuck_count: 0 }, at: { stage: 'work' } });
      expect(((first?.at ?? {}) as { firstTask: readonly object[] }).firstTask[0]).toEqual(note);
    }
  });

  test('a stuck item is not asked about its size', () => {
    for (const { steps } of ALL.features) {
      const names = new Set(steps.map(({ name }) => name));
      expect(names.has('stuck-1') && names.has('oversized-1')).toBe(false);
    }
  });

  test('a pause before the session ends the item without one; in the middle of it what is there is saved', () => {
    const first = { file: emptySessionState(''), ...features.place(emptySessionState('')) };
    const pause = (s: typeof first) => features.on?.(s, { type: 'pause' }, 'later') ?? s;
    expect(pause(first).at).toMatchObject({ stage: 'ended', outcome: { result: 'paused', usage: NO_USAGE } });
    const working: typeof first = {
      ...first,
      at: { stage: 'work', facts: facts(), firstTask: [], checkpoint, startedAt: 'then' },
    };
    expect(pause(working).at).toMatchObject({
      stage: 'close',
      endedAt: 'later',
      decision: { do: 'save', why: 'user_pause' },
    });
  });
});

describe('a task', () => {
  const [, , interrupted] = TASK_FACTS;
  if (interrupted === undefined) throw new Error('there is an interrupted task');
  const first = { file: emptySessionState(''), ...tasks.place(emptySessionState('')) };
  const working: typeof first = {
    ...first,
    at: { stage: 'work', facts: interrupted, firstTask: [], checkpoint, startedAt: 'then' },
  };

  test('whose session was under way when the process ended is looked at by the recovery table', () => {
    const next = tasks.on?.(working, { type: 'life-started', life: 'x#r-2' }, 'later');
    expect(next?.at).toEqual({ stage: 'prepare', isInterrupted: true });
    for (const { start, steps } of ALL.tasks) {
      const read = steps.find(({ name }) => name === 'look/tasks.item')?.outcome as { facts: { facts: unknown } };
      const task = read.facts.facts as (typeof TASK_FACTS)[number] | null;
      const isUnderWay = task !== null && task.task.status === 'in_progress' && task.partial === null;
      const wasCut = task !== null && (isUnderWay || start === INTERRUPTED);
      expect(steps.some(({ name }) => name.startsWith('recover/'))).toBe(wasCut);
    }
  });

  test('is continued from where it was in every other stage', () => {
    for (const { states } of ALL.tasks)
      for (const s of states)
        if (s.at.stage !== 'work') expect(tasks.on?.(s, { type: 'life-started', life: 'x#r-2' }, 'later')).toBe(s);
  });

  const statusOf = ({ action }: Step): unknown =>
    action.kind === 'write' && action.edit !== null
      ? (action.edit.input as { patch?: { status?: string } }).patch?.status
      : undefined;

  test('is failed or released in the list when it has been rolled back, and completed when its commit is there', () => {
    const seen = new Set<unknown>();
    for (const { steps } of ALL.tasks)
      for (const [n, step] of steps.entries()) {
        const status = statusOf(step);
        seen.add(status);
        const before = steps.slice(0, n);
        const has = (kind: string): boolean => kinds(before).includes(kind);
        if (status === 'failed' || status === 'pending') expect(has('rollback')).toBe(true);
        if (status === 'failed' && step.action.kind === 'write' && step.name.endsWith('write-failed/failed'))
          expect(step.action.lines.join('\n')).toContain('ROLLBACK [task-001] git reset --hard head-be');
        if (status === 'completed')
          expect(before.some(({ outcome }) => 'commit' in outcome && outcome.commit === 'landed')).toBe(true);
      }
    expect(seen).toEqual(new Set([undefined, 'in_progress', 'completed', 'failed', 'pending']));
  });

  test('has one attempt more only where it failed', () => {
    for (const { steps } of ALL.tasks)
      for (const { name, action } of steps) {
        if (action.kind !== 'write' || action.edit === null) continue;
        const { patch = {} } = action.edit.input as { patch?: object };
        expect('attempts' in patch).toBe(name.endsWith('write-failed/failed'));
      }
  });

  test('a pause in the middle of a session saves it; before one it ends the task, after one it changes no end', () => {
    const paused = (s: typeof first) => tasks.on?.(s, { type: 'pause' }, 'later') ?? s;
    expect(paused(working).at).toMatchObject({ stage: 'close', decision: { do: 'save', why: 'user_pause' } });
    expect(paused(first).at).toMatchObject({ stage: 'ended', outcome: { result: 'paused' } });
    expect(paused(INTERRUPTED).at).toEqual(INTERRUPTED.at);
    for (const { states } of ALL.tasks)
      for (const s of states) if (s.at.stage === 'decide' || s.at.stage === 'close') expect(paused(s).at).toEqual(s.at);
  });

  test('lands on a doubtful proof by the word of a person alone, also where an interrupted session is recovered', () => {
    const ends = new Set<string>();
    for (const { steps, states } of ALL.tasks)
      for (const s of states) {
        if (s.at.stage !== 'decide' || (s.at.work.end !== 'holds' && s.at.work.end !== 'doubtful')) continue;
        const wasRecovered = steps.some(({ name }) => name.startsWith('recover/'));
        const decisions = steps.filter(({ name, stage }) => stage === 'decide' && name.startsWith('doubtful'));
        const hasLanded = steps.some(({ action }) => action.kind === 'commit' && action.style === 'accept');
        ends.add(`${wasRecovered ? 'recovered, ' : ''}${s.at.work.end}: ${decisions.length} asked`);
        if (s.at.work.end !== 'doubtful') continue;
        const [answer] = decisions.map(({ outcome }) => (outcome as { option: string }).option);
        if (hasLanded) expect(answer).toBe('land');
      }
    expect(ends).toEqual(
      new Set(['holds: 0 asked', 'doubtful: 1 asked', 'recovered, holds: 0 asked', 'recovered, doubtful: 1 asked']),
    );
  });
});

test('a stage of an item is one procedure', () => {
  for (const { states } of [...ALL.features, ...ALL.tasks])
    for (const s of states.slice(0, -1)) {
      const wants = s.at.stage in features.stages ? stageOf(features, s.at as never).wants(s as never) : [];
      expect(Array.isArray(wants) && wants.every(({ kind }) => kind === 'procedure')).toBe(true);
    }
});
