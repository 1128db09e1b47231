// The phase that is shown while a stage is at work.
import { expect, test } from 'vitest';
import { stateIn } from '../../../test/support/workflow.ts';
import { phaseUnderWay } from './table-stages.ts';
import { sentences as de } from './sentences/de.ts';
import { sentences as en } from './sentences/en.ts';
import { TABLE_STAGES } from './position.ts';

const file = stateIn('plan_ready', { round: 2 });

test('each stage in which work is done belongs to one of four phases; questions and what waits to begin to none', () => {
  const byPhase = Map.groupBy(TABLE_STAGES, (stage) => phaseUnderWay(file, stage)?.name ?? 'none');
  expect(Object.fromEntries(byPhase)).toMatchObject({
    plan: ['plan', 'propose', 'critique', 'synthesise'],
    generate: ['design', 'review', 'implement', 'retry'],
    verify: ['verify', 'reverify'],
    evaluate: ['evaluate'],
  });
  expect(byPhase.size).toBe(5);
});

test('it has the round of the file; before the table there is none', () => {
  expect(phaseUnderWay(file, 'verify')).toEqual({ name: 'verify', round: 2 });
  expect(phaseUnderWay(file, 'start-checks')).toBeNull();
  expect(phaseUnderWay(file, 'ended')).toBeNull();
});

test('each phase has its sentence in both languages', () => {
  const names = new Set(TABLE_STAGES.flatMap((stage) => phaseUnderWay(file, stage)?.name ?? []));
  for (const { texts = {} } of [en, de])
    for (const name of names) expect(texts[`workflow.phase.${name}`]).toContain('{round}');
});
