import { expect, test } from 'vitest';
import { memoryWorld } from '../../../test/support/memory-world.ts';
import { contextOf } from '../../../test/support/read-context.ts';
import { performSurvey } from '../../engine/definitions.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { crashedBefore } from './outages.ts';

const crashed = (stderr: string, code = 9): Failure => failure('agent-crashed', { program: 'agent', code, stderr });
const before = (record: object, session = 3) =>
  memoryWorld({ files: { [`.harness/sessions/${session}/session.json`]: JSON.stringify(record) } });
const now = crashed('started\nout of memory at 0x7f01, pid 4711');

test.each([
  [
    'the same crash on another item, with other numbers',
    { feature_id: 1, failure: crashed('out of memory at 0xab, pid 8') },
    '1',
  ],
  ['the same crash on the same item', { feature_id: 2, failure: now }, null],
  ['another crash', { feature_id: 1, failure: crashed('no such model') }, null],
  ['another reason', { feature_id: 1, failure: failure('agent-malformed') }, null],
  ['a session that landed', { feature_id: 1, failure: null }, null],
  ['a record that cannot be read', { failure: 7 }, null],
])('%s', async (_what, record, item) => {
  const asked = { session: 4, item: '2', failure: now };
  expect(await performSurvey(crashedBefore.id, contextOf(before(record)), asked)).toEqual({ item });
});

test('the numbers of sessions may have a gap, and the first session has none before it', async () => {
  const record = { feature_id: 'task-001', failure: now };
  const asked = (session: number) => ({ session, item: 'task-002', failure: now });
  expect(await performSurvey(crashedBefore.id, contextOf(before(record, 2)), asked(4))).toEqual({ item: 'task-001' });
  expect(await performSurvey(crashedBefore.id, contextOf(memoryWorld({ files: {} })), asked(1))).toEqual({
    item: null,
  });
});
