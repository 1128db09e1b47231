// Which item is next beside others at work, of each machine over a list: none that is expected to change the same files.
import { expect, test } from 'vitest';
import { feature, fileOf } from '../../../../test/support/features.ts';
import { memoryWorld } from '../../../../test/support/memory-world.ts';
import {
  CONTRACT,
  LIST,
  missionConfig,
  missionContext,
  missionFeature,
  missionFile,
} from '../../../../test/support/mission.ts';
import { contextOf, tasksConfig } from '../../../../test/support/read-context.ts';
import { next as nextFeature } from '../../features/surveys.ts';
import { next as nextOfMission } from '../../mission/surveys.ts';
import { next as nextTask } from '../../tasks/surveys.ts';

const beside = (atWork: readonly string[], more: { readonly prefer?: string } = {}) => ({
  only: null,
  taken: atWork,
  atWork,
  ...more,
});
const wip = { item: '2', ref: 'refs/harness/wip/2', commit: 'kept', session: 2, subject: 'WIP: ', at: '' };

test('of features: by their tests, the files that they list, and their unfinished work', async () => {
  const list = [
    feature(1, { files: ['src/a.ts', 'src/c.ts'] }),
    feature(2),
    feature(3, { files: ['src/c.ts'] }),
    feature(4),
    feature(5, { test_file: 'tests/shared.test' }),
    feature(6, { test_file: 'tests/shared.test' }),
  ];
  const world = memoryWorld({
    files: { 'features.json': fileOf(list) },
    wips: [wip],
    changedBy: { kept: ['src/a.ts'] },
  });
  const next = (input: ReturnType<typeof beside>) => nextFeature.read(contextOf(world), input);
  const waits = [
    { item: '2', after: '1', file: 'src/a.ts' },
    { item: '3', after: '1', file: 'src/c.ts' },
  ];
  expect(await next(beside(['1']))).toMatchObject({ next: '4', apart: waits });
  // It was overtaken, and goes before the others.
  expect(await next(beside(['1'], { prefer: '3' }))).toMatchObject({ next: '3' });
  expect(await next(beside(['4', '5']))).toMatchObject({ next: '1' });
  expect(await next(beside(['1', '4', '5']))).toMatchObject({
    next: null,
    apart: [...waits, { item: '6', after: '5', file: 'tests/shared.test' }],
  });
  expect(await next({ ...beside([]), taken: ['1'] })).not.toHaveProperty('apart');
});

test('of tasks: by what is written of them', async () => {
  const task = (id: string, title: string) => ({ id, title, status: 'pending' });
  const tasks = [task('a', 'Split src/a.ts'), task('b', 'Test src/a.ts too'), task('c', 'Anything else')];
  const world = memoryWorld({ files: { 'harness-tasks.json': JSON.stringify({ tasks, session_count: 0 }) } });
  const next = (atWork: readonly string[]) => nextTask.read(contextOf(world, tasksConfig()), beside(atWork));
  expect(await next(['a'])).toMatchObject({ next: 'c', apart: [{ item: 'b', after: 'a', file: 'src/a.ts' }] });
  expect(await next(['a', 'c'])).toMatchObject({ next: null, failure: null });
  expect(await next([])).toMatchObject({ next: 'a' });
});

test('of a mission: by their assertions', async () => {
  const list = missionFile([1, 2, 3].map((n) => missionFeature(n)));
  const contract = ['src/a.mjs says it', 'it is also in src/a.mjs', 'src/c.mjs says it']
    .map((text, n) => `- VAL-THING-00${n + 1}: ${text}\n`)
    .join('');
  const context = missionContext(memoryWorld({ files: { [LIST]: list, [CONTRACT]: contract } }), missionConfig());
  expect(await nextOfMission.read(context, beside(['F-001']))).toMatchObject({
    next: 'F-003',
    apart: [{ item: 'F-002', after: 'F-001', file: 'src/a.mjs' }],
  });
});
