// What holds in every run of the machine of missions beyond what holds of every machine (machine-runs.test.ts): sessions of roles beside the
// worker's.
import { describe, expect, test } from 'vitest';
import { missionMachine } from '../../src/playbooks/mission/machine.ts';
import { plannerMachine } from '../../src/playbooks/mission/planner.ts';
import { emptySessionState, type SessionStateFile } from '../../src/playbooks/session/session-state.ts';
import { configOf } from '../support/config.ts';
import { outputsOf, playMachine, someChoices, type MachineRun, type Step } from './machine-runs.ts';

const config = configOf({
  recovery: 'checked',
  playbook: { backlog: 'mission', machine: 'mission' },
  mission: { crosscheck: true, documenter: true, smoke: 'sh smoke.sh' },
});
const mission = missionMachine({ item: 'F-001', session: 4, lane: 0, run: 'r', config });
const plan = plannerMachine({ path: 'SPEC.md', text: '# App' });
const fresh = emptySessionState('then');
const again: SessionStateFile = {
  ...fresh,
  last_session: 3,
  status: 'partial',
  current_feature: 'F-001',
  stuck_count: 2,
};

type Played = MachineRun<SessionStateFile, { readonly stage: string }, unknown>;
async function played(): Promise<readonly Played[]> {
  const all: Played[] = [];
  for (const [n, one] of someChoices(900).entries()) {
    const file = n % 2 === 0 ? fresh : again;
    all.push(await playMachine(mission, { file, ...mission.place(file) }, config, one));
  }
  return all;
}
const ALL = await played();
const roleOf = ({ action }: Step): string | null => (action.kind === 'session' ? action.role : null);

describe('a feature of a mission', () => {
  test('comes by every role in some run', () => {
    const seen = new Set(ALL.flatMap(({ steps }) => steps.flatMap((step) => roleOf(step) ?? [])));
    expect([...seen].sort()).toEqual(
      ['architect', 'crosscheck', 'curator', 'debugger', 'documenter', 'orchestrator', 'validator', 'worker'].sort(),
    );
  });

  test('has one session open at a time, and each role has a number of its own', () => {
    for (const { steps } of ALL) {
      let open: number | null = null;
      for (const { action } of steps) {
        if (action.kind === 'session') {
          expect([null, action.session]).toContain(open);
          expect(action.session === 4).toBe(action.role === 'worker');
          open = action.session;
        }
        if (action.kind === 'close' && action.session === open) open = null;
      }
      expect(open).toBeNull();
    }
  });

  test('every session of a role ends with its costs and its record', () => {
    for (const { steps } of ALL) {
      const begun = steps.filter(({ action }) => action.kind === 'number');
      const written = (what: string): number =>
        steps.filter(({ action }) => action.kind === 'remember' && action.what === what && action.session !== 4).length;
      expect([written('costs'), written('session')]).toEqual([begun.length, begun.length]);
    }
  });

  test('lands only after each role that judges passed it, and after the smoke test', () => {
    let landed = 0;
    for (const { steps } of ALL) {
      const at = steps.findIndex(({ action }) => action.kind === 'commit' && action.style === 'accept');
      if (at < 0) continue;
      landed += 1;
      const before = steps.slice(0, at);
      const judges = before.filter(({ stage }) => stage === 'decide').flatMap((step) => roleOf(step) ?? []);
      expect(judges).toEqual(expect.arrayContaining(['validator', 'crosscheck']));
      const smoke = before.findLast(({ action }) => action.kind === 'check' && action.purpose === 'smoke');
      expect(smoke?.outcome).toMatchObject({ holds: true });
    }
    expect(landed).toBeGreaterThan(100);
  });

  test('a change of the work tree by a role that writes none of the work is taken back', () => {
    for (const { steps } of ALL)
      for (const [n, step] of steps.entries()) {
        const role = roleOf(step);
        if (role === null || role === 'worker') continue;
        const kept = steps.slice(0, n).some(({ action }) => action.kind === 'checkpoint');
        expect([role, kept]).toEqual([role, true]);
      }
  });

  test('a debugger comes only where something was wrong: a session that was lost says nothing of the work', () => {
    for (const { steps } of ALL) {
      if (!steps.some((step) => roleOf(step) === 'debugger')) continue;
      const read = steps.findLast(({ name }) => name.endsWith('mission.item'))?.outcome as
        | { facts: { facts: { failed: readonly object[] } } }
        | undefined;
      expect(read?.facts.facts.failed).not.toEqual([]);
    }
  });

  test('becomes more features only after it has landed', () => {
    for (const { steps } of ALL)
      for (const [n, step] of steps.entries()) {
        if (roleOf(step) !== 'orchestrator') continue;
        const before = steps.slice(0, n);
        expect(before.some(({ outcome }) => 'commit' in outcome && outcome.commit === 'landed')).toBe(true);
      }
  });

  test('work that is kept for another session keeps what was wrong with it, also where that session came to nothing', () => {
    let kept = 0;
    for (const { steps } of ALL) {
      const read = steps.findLast(({ name }) => name.endsWith('mission.item'))?.outcome as
        | { facts: { facts: { failed: readonly object[]; partial: object | null } | null } }
        | undefined;
      const facts = read?.facts.facts;
      const record = steps.find(({ name, action }) => name === 'record' && action.kind === 'remember')?.action;
      if (!facts?.partial || facts.failed.some((one) => 'code' in one && one.code === 'review-unclear')) continue;
      if (record?.kind !== 'remember' || record.what !== 'session') continue;
      if (record.summary.result !== 'partial') continue;
      kept += 1;
      expect((record.summary.problems ?? []).length).toBeGreaterThan(0);
    }
    expect(kept).toBeGreaterThanOrEqual(2);
  });
});

describe('a plan', () => {
  test('is committed only after the reviewer accepted it, and its drafts go with it', async () => {
    const ends = new Set<string>();
    for (const one of someChoices(400)) {
      const { steps, states } = await playMachine(plan, { file: fresh, ...plan.place(fresh) }, config, one);
      const last = states.at(-1)?.at;
      if (last?.stage !== 'ended') throw new Error('a run ends');
      const { result, reason } = last.outcome;
      ends.add(result);
      const verdicts = steps.filter((step) => roleOf(step) === 'plan-reviewer');
      const said = verdicts.at(-1)?.outcome;
      if (steps.some(({ action }) => action.kind === 'commit'))
        expect(said).toMatchObject({ end: 'end-turn', text: expect.stringMatching(/^ACCEPT/) });
      if (reason === 'plan-rejected') expect(steps.map(({ name }) => name)).toContain('escalate');
      const works = steps.findIndex((step) => roleOf(step) !== null);
      if (works >= 0) expect(steps.slice(0, works).map(({ action }) => action.kind)).toContain('checkpoint');
      if (result !== 'landed') expect(steps.at(-1)?.action.kind).toBe('rollback');
    }
    expect([...ends].sort()).toEqual(['blocked', 'failed', 'landed', 'rejected']);
  });

  test('its procedures come to every end', async () => {
    const outputs = await outputsOf(plan, [fresh], config, 300);
    expect(Object.keys(outputs).sort()).toEqual(
      ['draft', 'prepare', 'review', 'settle', 'undo'].map((name) => `mission.plan.${name}`),
    );
  });
});
