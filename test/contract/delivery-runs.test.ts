// What holds in every run of the machine of deliveries beyond what holds of every machine (machine-runs.test.ts): what a merge rests on, what a
// fixer gets, and what is kept where nothing was merged.
import { describe, expect, test } from 'vitest';
import { deliveryMachine } from '../../src/playbooks/delivery/machine.ts';
import { emptySessionState, type SessionStateFile } from '../../src/playbooks/session/session-state.ts';
import { configOf } from '../support/config.ts';
import { HIGH, LOW, READY } from './delivery-outcomes.ts';
import { playMachine, someChoices, type MachineRun, type Step } from './machine-runs.ts';

/** With so many reviews before a person is asked. */
const configs = [1, 3].map((maxReviewPasses) =>
  configOf({
    recovery: 'checked',
    playbook: { backlog: 'delivery', machine: 'delivery' },
    agent: { maxReviewPasses },
  }),
);
const fresh = emptySessionState('then');
const again: SessionStateFile = {
  ...fresh,
  last_session: 3,
  status: 'partial',
  current_feature: '0001',
  stuck_count: 2,
};

type Played = MachineRun<SessionStateFile, { readonly stage: string }, unknown> & { readonly most: number };
async function played(): Promise<readonly Played[]> {
  const all: Played[] = [];
  for (const config of configs) {
    const delivery = deliveryMachine({ item: '0001', session: 4, lane: 0, run: 'r', config });
    for (const [n, one] of someChoices(900).entries()) {
      const file = n % 2 === 0 ? fresh : again;
      const run = await playMachine(delivery, { file, ...delivery.place(file) }, config, one);
      all.push({ ...run, most: config.agent.maxReviewPasses });
    }
  }
  return all;
}
const ALL = await played();

const roleOf = ({ action }: Step): string | null => (action.kind === 'session' ? action.role : null);
const placesOf = (steps: readonly Step[], kind: Step['action']['kind']): readonly number[] =>
  steps.flatMap(({ action }, n) => (action.kind === kind ? [n] : []));
const said = (step: Step | undefined): string =>
  step !== undefined && 'text' in step.outcome ? String(step.outcome.text) : '';
/** Where a merge was done, in this run or by one that was killed; -1: it was not. */
const mergedAt = (steps: readonly Step[]): number =>
  steps.findIndex(
    ({ action, outcome }) =>
      (action.kind === 'merge-pull' && 'failure' in outcome && outcome.failure === null) ||
      (action.kind === 'propose' && 'isMerged' in outcome && outcome.isMerged === true),
  );
const MERGED = ALL.filter(({ steps }) => placesOf(steps, 'merge-pull').length > 0);
const answersOf = (steps: readonly Step[], prefix: string): readonly string[] =>
  steps.flatMap(({ name, action, outcome }) =>
    action.kind === 'ask' && name.startsWith(prefix) && 'option' in outcome ? [String(outcome.option)] : [],
  );

describe('a plan', () => {
  test('comes by every role in some run, and each session of a role ends with its costs and its record', () => {
    const seen = new Set(ALL.flatMap(({ steps }) => steps.flatMap((step) => roleOf(step) ?? [])));
    expect([...seen].sort()).toEqual(['fixer', 'implementer', 'merge-checker', 'preparer', 'reviewer']);
    for (const { steps } of ALL) {
      const begun = placesOf(steps, 'number').length;
      const written = (what: string): number =>
        steps.filter(({ action }) => action.kind === 'remember' && action.what === what && action.session !== 4).length;
      expect([written('costs'), written('session')]).toEqual([begun, begun]);
    }
  });

  test('is proposed before it is merged, and neither twice', () => {
    expect(MERGED.length).toBeGreaterThan(150);
    for (const { steps } of ALL) {
      const [proposed = -1, ...proposals] = placesOf(steps, 'propose');
      const [merge = -1, ...merges] = placesOf(steps, 'merge-pull');
      expect([proposals, merges]).toEqual([[], []]);
      if (merge >= 0) expect(proposed >= 0 && proposed < merge).toBe(true);
    }
  });

  test('is merged only as the commit of a verdict that holds, at the head that was proposed', () => {
    for (const { steps } of MERGED) {
      const commit = steps.find(({ action }) => action.kind === 'commit' && action.style === 'accept');
      const proof = steps.findLast(({ action, stage }) => action.kind === 'check' && stage !== 'close');
      expect(commit?.action).toMatchObject({ onto: 'harness/0001' });
      expect(steps.some(({ action, outcome }) => action.kind === 'check' && 'holds' in outcome && outcome.holds)).toBe(
        true,
      );
      expect(proof?.outcome).toMatchObject({ holds: true });
      const merge = steps.find(({ action }) => action.kind === 'merge-pull');
      expect(merge?.action).toMatchObject({ head: 'landed', label: 'ready-to-merge' });
    }
  });

  test('is merged only after a review that ends with nothing that blocks, or by the word of a person', () => {
    const ways = new Set<string>();
    for (const { steps } of MERGED) {
      const [answer = ''] = answersOf(steps, 'review/').slice(-1);
      const reviewer = steps.findLast((step) => roleOf(step) === 'reviewer');
      const looked = steps.findLast(({ name }) => name.startsWith('review/') && name.endsWith('delivery.look-up'));
      const isUnproven = JSON.stringify(looked?.outcome ?? '').match(/"isThere":false|"isChanged":false/) !== null;
      const isClean = !said(reviewer).includes(HIGH) || isUnproven;
      ways.add(isClean ? 'converged' : answer);
      if (!isClean) expect(answer).toBe('merge');
    }
    expect([...ways].sort()).toEqual(['converged', 'merge']);
  });

  test('is merged only after its checks have passed, or where it has none, and the merge-checker said its sentinel', () => {
    const states = new Set<string>();
    for (const { steps } of MERGED) {
      const [merge = 0] = placesOf(steps, 'merge-pull');
      const before = steps.slice(0, merge);
      const ci = before.findLast(({ action }) => action.kind === 'ci')?.outcome as { state: string };
      states.add(ci.state);
      expect(said(before.findLast((step) => roleOf(step) === 'merge-checker'))).toBe(READY);
    }
    expect([...states].sort()).toEqual(['none', 'passed']);
  });

  test('waits while checks are under way, and for those that may still come', () => {
    let waited = 0;
    for (const { steps } of ALL)
      for (const n of placesOf(steps, 'ci')) {
        const { state } = (steps[n]?.outcome ?? {}) as { state?: string };
        if (state !== 'pending') continue;
        waited += 1;
        expect(steps[n + 1]?.action).toMatchObject({ kind: 'wait', why: 'forge-checks-pending' });
      }
    expect(waited).toBeGreaterThanOrEqual(3);
  });

  test('has its file moved, and counts as landed, only after the merge', () => {
    for (const { steps, states } of ALL) {
      const merged = mergedAt(steps);
      // A user may have merged it.
      const others = steps.findIndex(
        ({ action, outcome }) => action.kind === 'find-pull' && (outcome as { state: string }).state === 'merged',
      );
      for (const n of placesOf(steps, 'move-file')) {
        expect(Math.max(merged, others)).toBeGreaterThanOrEqual(0);
        expect(n).toBeGreaterThan(Math.max(merged, others));
      }
      for (const n of placesOf(steps, 'publish')) {
        expect(merged).toBeGreaterThanOrEqual(0);
        expect(n).toBeGreaterThan(merged);
      }
      const last = states.at(-1)?.at as { outcome?: { result: string } } | undefined;
      expect(last?.outcome?.result === 'landed').toBe(merged >= 0);
      if (merged >= 0) expect(placesOf(steps, 'follow-base').at(-1)).toBeGreaterThan(merged);
    }
  });
});

describe('a fixer', () => {
  const FIXED = ALL.flatMap(({ steps }) =>
    steps.flatMap((step, n) => (roleOf(step) === 'fixer' && n > 0 ? [{ steps, n, step }] : [])),
  );

  test('gets what blocks and nothing else: no low, no opinion, nothing that was there before', () => {
    let given = 0;
    for (const { steps, n, step } of FIXED) {
      const { say } = step.action as { say: { kind: string } };
      expect(JSON.stringify(step.action)).not.toContain(LOW);
      if (say.kind !== 'open') continue;
      given += 1;
      expect(JSON.stringify(say)).toContain(HIGH);
      const looked = steps.slice(0, n).findLast(({ name }) => name.endsWith('delivery.look-up'));
      const { facts } = (looked?.outcome ?? {}) as { facts?: { looked: readonly object[] } };
      expect(facts).toBeDefined();
      for (const one of facts?.looked ?? []) expect(one).toMatchObject({ isThere: true, isChanged: true });
    }
    expect(given).toBeGreaterThan(50);
  });

  test('adds no file that nothing asks for; what it wrote there is kept', () => {
    let taken = 0;
    for (const { steps } of ALL)
      for (const [n, { name, action }] of steps.entries()) {
        if (!name.endsWith('scope-restore')) continue;
        taken += 1;
        expect(action).toMatchObject({ kind: 'restore' });
        expect(steps[n - 1]?.action).toMatchObject({ kind: 'checkpoint', why: 'strayed' });
      }
    expect(taken).toBeGreaterThan(0);
  });

  test('is followed by a proof of the whole and another review', () => {
    for (const { steps, n } of FIXED) {
      const later = steps.slice(n + 1);
      const next = later.findIndex((step) => roleOf(step) === 'reviewer');
      if (next < 0) continue;
      const between = later.slice(0, next);
      expect(between.some(({ action }) => action.kind === 'check')).toBe(true);
    }
  });
});

test('so many reviews, then a person: more only if a person says so, and what a person is asked shows how it went', () => {
  let continued = 0;
  for (const { steps, most } of ALL) {
    const passes = new Set(steps.flatMap(({ name }) => /^review\/pass-(\d+)\//.exec(name)?.[1] ?? []));
    const more = answersOf(steps, 'review/').filter((option) => option === 'continue').length;
    continued += more;
    expect(passes.size).toBeLessThanOrEqual(most * (1 + more));
    for (const { name, action } of steps)
      if (action.kind === 'ask' && name.startsWith('review/'))
        expect(String(action.params['curve']).split('→')).toHaveLength(Number(action.params['passes']));
  }
  expect(continued).toBeGreaterThan(50);
});

test('a verdict of a role that changed the work is void: it is asked again, or nothing is merged', () => {
  for (const { steps } of MERGED)
    for (const role of ['reviewer', 'merge-checker']) {
      const last = steps.findLastIndex((step) => roleOf(step) === role);
      const [round = ''] = /^.*round-\d+\//.exec(steps[last]?.name ?? '') ?? [];
      const changed = steps.find(({ name }) => name === `${round}changed-since`);
      expect(changed?.outcome).toEqual({ facts: { paths: [] } });
    }
});

test('work that was not merged is kept with what was wrong, and its branch stays where it was', () => {
  let kept = 0;
  for (const { steps, states } of ALL) {
    const isProposed = placesOf(steps, 'propose').length > 0;
    if (!isProposed || mergedAt(steps) >= 0) continue;
    kept += 1;
    expect(placesOf(steps, 'keep-wip')).toHaveLength(1);
    const { outcome } = (states.at(-1)?.at ?? {}) as {
      outcome?: { result: string; problems: readonly object[]; failure: object | null };
    };
    expect(['partial', 'paused', 'rejected']).toContain(outcome?.result);
    expect((outcome?.problems ?? []).length > 0 || outcome?.failure !== null).toBe(true);
  }
  expect(kept).toBeGreaterThan(30);
});
