// The beginning of a run of a mission: its own files are in a commit, and its checkpoint is asked once.
import { describe, expect, test } from 'vitest';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import {
  CONTRACT,
  contractFor,
  LIST,
  missionConfig,
  missionContext,
  missionFeature,
  missionFile,
} from '../../../test/support/mission.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import { begin } from './gates.ts';
import { uncommitted, ungranted } from './surveys.ts';

const FEATURES = [missionFeature(1)];
const FILES: Files = { [LIST]: missionFile(FEATURES), [CONTRACT]: contractFor(FEATURES) };
const PLAN = { name: 'plan', on: 'post-planner' } as const;
const GOOD: Answers = {
  'mission.uncommitted': { facts: { paths: [] } },
  'mission.issues-undecided': { facts: { features: [] } },
  'mission.ungranted': { facts: { checkpoints: [PLAN, { name: 'end', on: 'pre-done' }], features: 1 } },
  ask: { option: 'grant', note: '', by: 'Ada', at: 'now' },
  commit: { commit: 'c', tree: 't', refused: null },
};
async function begun(answers: Answers = {}, config = missionConfig()) {
  const script = scriptedRun({ ...GOOD, ...answers });
  return { ...(await begin.perform(script.run, {}, config)), ...script };
}

describe('a run of a mission', () => {
  test('asks for the checkpoint after the plan, and not for the one at its end', async () => {
    const { continues, steps, asked } = await begun();
    expect([continues, steps.filter((step) => step.endsWith('/ask'))]).toEqual([true, ['checkpoint-plan/ask']]);
    expect(asked('checkpoint-plan/grant')).toMatchObject({ kind: 'commit', only: [LIST] });
  });

  test('asks nothing while no feature is planned', async () => {
    const facts = { checkpoints: [PLAN], features: 0, isEmpty: true };
    const { continues, steps } = await begun({ 'mission.ungranted': { facts } });
    expect([continues, steps.includes('checkpoint-plan/ask')]).toEqual([true, false]);
  });

  test('asks nothing about a list that cannot be read: the run ends with its mistakes', async () => {
    const facts = { checkpoints: [PLAN], features: 0, isUnreadable: true };
    const { continues, steps } = await begun({ 'mission.ungranted': { facts } });
    expect([continues, steps.includes('checkpoint-plan/ask')]).toEqual([true, false]);
  });

  test('does not continue where the user says stop, and writes no grant', async () => {
    const { continues, steps } = await begun({ ask: { option: 'stop', note: '', by: 'Ada', at: 'now' } });
    expect([continues, steps.includes('checkpoint-plan/grant')]).toEqual([false, false]);
  });

  test('first commits list and contract where no commit has them', async () => {
    const { steps, asked } = await begun({ 'mission.uncommitted': { facts: { paths: [LIST, CONTRACT] } } });
    expect(asked('own-files')).toMatchObject({ kind: 'commit', style: 'plain', only: [LIST, CONTRACT] });
    expect(steps.indexOf('own-files')).toBeLessThan(steps.indexOf('checkpoint-plan/ask'));
  });

  test('of the list of another playbook leaves the files alone', async () => {
    const config = missionConfig({ playbook: { backlog: 'features', machine: 'mission' } });
    expect((await begun({}, config)).steps).not.toContain('mission.uncommitted');
  });
});

describe('files that no commit has', () => {
  const pathsOf = async (files: Files, head: Files) =>
    (await uncommitted.read(missionContext(memoryWorld({ files, revisions: { HEAD: head } })), {})).paths;
  test.each<[string, Files, Files, readonly string[]]>([
    ['are named', FILES, {}, [LIST, CONTRACT]],
    ['are none where a commit has them, also in another text', FILES, { ...FILES, [LIST]: 'old' }, []],
    ['are none where they are not there', {}, {}, []],
  ])('%s', async (_, files, head, wanted) => {
    expect(await pathsOf(files, head)).toEqual(wanted);
  });
});

test('a checkpoint that was granted is not asked again', async () => {
  const config = missionConfig({ checkpoints: { types: [{ name: 'plan', triggerOn: 'post-planner' }] } });
  const due = async (more: object) =>
    (await ungranted.read(missionContext(memoryWorld({ files: { [LIST]: missionFile(FEATURES, more) } }), config), {}))
      .checkpoints;
  expect(await due({})).toEqual([PLAN]);
  expect(await due({ checkpoints: [{ name: 'plan', by: 'Ada', at: 'now' }] })).toEqual([]);
});

test('a list with mistakes is none that has no grants', async () => {
  const config = missionConfig({ checkpoints: { types: [{ name: 'plan', triggerOn: 'post-planner' }] } });
  const world = memoryWorld({ files: { [LIST]: '{ "features": [{ "id": 1 }] }' } });
  expect(await ungranted.read(missionContext(world, config), {})).toMatchObject({ isUnreadable: true });
});
