// A stored position counts only for the machine that stored it, on every machine of the product: after a position of another machine, of another
// version, or of another shape, the machine is placed by its file, the epoch rises, and what was open is closed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openJournal } from '../../src/engine/journal.ts';
import { openPosition, type Line } from '../../src/engine/position.ts';
import { jsonStore } from '../../src/engine/store.ts';
import type { ActionMap, ActionOf, Machine } from '../../src/engine/types.ts';
import { loopMachine } from '../../src/loop/machine.ts';
import { emptyLoop } from '../../src/loop/run-file.ts';
import { cleanupMachine } from '../../src/playbooks/features/cleanup.ts';
import { initMachine } from '../../src/playbooks/features/init-machine.ts';
import { deliveryMachine } from '../../src/playbooks/delivery/machine.ts';
import { featuresMachine } from '../../src/playbooks/features/machine.ts';
import { missionMachine } from '../../src/playbooks/mission/machine.ts';
import { plannerMachine } from '../../src/playbooks/mission/planner.ts';
import { emptySessionState } from '../../src/playbooks/session/session-state.ts';
import { deliveryPlanMachine } from '../../src/playbooks/delivery/planner.ts';
import { siteMachine } from '../../src/playbooks/delivery/site.ts';
import { tasksMachine } from '../../src/playbooks/tasks/machine.ts';
import { workflowMachine } from '../../src/playbooks/workflow/machine.ts';
import { configOf } from '../support/config.ts';
import { featuresPlaybook } from '../support/features.ts';
import { quickIo } from '../support/quick-io.ts';
import { PLAN_SPEC, SITE_ASK } from './delivery-plan-outcomes.ts';
import { stateIn } from '../support/workflow.ts';

type Plain = Machine<unknown, { readonly stage: string }, unknown, ActionMap>;
const plain = (machine: unknown): Plain => machine as Plain;

const about = { session: 4, lane: 0, run: 'r', config: configOf() };
const mode = { work: true, only: null, untilDone: true, maxSessions: null, maxItems: null };
const loop = loopMachine(mode, {
  path: { backlog: 'features.json', isOwn: false },
  machine: featuresPlaybook.machine,
});
const session = { ...emptySessionState('then'), last_session: 3, current_feature: 1 };
const running = { ...emptyLoop('r'), running: [{ item: '1', lane: 0, session: 3 }] };
const MACHINES: readonly (readonly [name: string, machine: Plain, file: unknown])[] = [
  ['loop', plain(loop), running],
  ['features', plain(featuresMachine({ item: '1', ...about })), session],
  ['cleanup', plain(cleanupMachine({ item: 'cleanup', ...about })), session],
  ['features-init', plain(initMachine({ path: 'SPEC.md', text: '# App' })), session],
  ['tasks', plain(tasksMachine({ item: 'task-001', ...about })), session],
  ['mission', plain(missionMachine({ item: 'F-001', ...about })), { ...session, current_feature: 'F-001' }],
  ['delivery', plain(deliveryMachine({ item: '0001', ...about })), { ...session, current_feature: '0001' }],
  ['mission-plan', plain(plannerMachine({ path: 'SPEC.md', text: '# App' })), session],
  ['delivery-plan', plain(deliveryPlanMachine(PLAN_SPEC)), session],
  ['site-reverse', plain(siteMachine), { schema: 1, ask: SITE_ASK, result: null }],
  ['workflow', plain(workflowMachine({ item: 'sort', ...about })), stateIn('verifying')],
];

function positionIn(dir: string, machine: Plain, base: string, file: unknown) {
  const io = quickIo();
  const journal = openJournal<Line>(join(dir, 'journal.jsonl'), io);
  if (!journal.ok) throw new Error(journal.failure.reason);
  const store = jsonStore(join(dir, 'file.json'), machine.file, io);
  const opened = openPosition(machine, {
    journal: journal.value,
    store,
    iso: () => '2026-01-01',
    base,
    initial: () => file,
  });
  if (!opened.ok) throw new Error(opened.failure.reason);
  return opened.value;
}
const ANY = { kind: 'survey', key: 'open', survey: 'any', input: {} } as unknown as ActionOf<ActionMap>;

const cases = MACHINES.flatMap(([name, machine, file]) => {
  const stages = Object.keys(machine.stages);
  // The position of an older version may have the name of a stage of today, and other data.
  const shaped = stages.map((stage): Plain => ({
    ...machine,
    position: z.any(),
    place: () => ({ at: { stage }, mem: 0 }),
  }));
  const others: readonly (readonly [string, Plain])[] = [
    ['another machine', { ...machine, name: 'another' }],
    ['an older version', { ...machine, version: machine.version - 1 }],
    [
      'a stage that it does not have',
      { ...machine, position: z.any(), place: () => ({ at: { stage: 'gone' }, mem: 0 }) },
    ],
    ...shaped.map((other, i) => [`stage ${stages[i]} with other data`, other] as const),
  ];
  return others.map(([what, other]) => ({ name, what, machine, other, file }));
});

test.each(cases)('$name: after a position of $what it is placed by its file', ({ machine, other, file }) => {
  const dir = mkdtempSync(join(tmpdir(), 'positions-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const stored = positionIn(dir, other, 'earlier', file);
  const seq = stored.begin(ANY);
  const opened = positionIn(dir, machine, 'now', file);
  expect(opened.state()).toEqual({ file, ...machine.place(file) });
  expect([opened.epoch, opened.open, opened.closed.map((intent) => intent.seq)]).toEqual([stored.epoch + 1, [], [seq]]);
  expect(opened.begin(ANY)).toBe(seq + 1);
});

test.each(MACHINES)('%s: after its own position it continues at it', (_, machine, file) => {
  const dir = mkdtempSync(join(tmpdir(), 'positions-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const stored = positionIn(dir, machine, 'earlier', file);
  const seq = stored.begin(ANY);
  const opened = positionIn(dir, machine, 'now', file);
  expect([opened.epoch, opened.base, opened.open.map((intent) => intent.seq)]).toEqual([
    stored.epoch,
    'earlier',
    [seq],
  ]);
});
