import { expect, test } from 'vitest';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import { contextOf, textsFrom } from '../../../test/support/read-context.ts';
import { beginAgain } from './begin-again.ts';
import { emptySessionState, type SessionStateFile } from './session-state.ts';

const FILE = '.harness/session_state.json';
const UNFINISHED = {
  ...emptySessionState('then'),
  last_session: 4,
  status: 'partial',
  current_feature: 7,
  termination_reason: 'timeout',
  next_prompt: 'continuation',
  stuck_count: 2,
  timeout_count: 1,
} as const;
const after = async (state: object | null, item: string): Promise<SessionStateFile | null> => {
  const files: Files = state === null ? {} : { [FILE]: JSON.stringify(state) };
  const text = textsFrom(await beginAgain.texts(contextOf(memoryWorld({ files })), { item }))[FILE];
  return text === undefined ? null : (JSON.parse(text) as SessionStateFile);
};

test('an unfinished session of the item is forgotten, and its number and other fields stay', async () => {
  const now = await after({ ...UNFINISHED, note: 'mine' }, '7');
  expect(now).toEqual({ ...emptySessionState('then'), last_session: 4, note: 'mine' });
  expect(await after(now, '7')).toBeNull();
});

test.each([
  ['of another item', UNFINISHED, '8'],
  ['that failed: what was wrong with it counts', { ...UNFINISHED, status: 'failed', next_prompt: 'coding' }, '7'],
  ['that there is no record of', null, '7'],
])('nothing is forgotten of a session %s', async (_, state, item) => {
  expect(await after(state, item)).toBeNull();
});

test('a record that cannot be read is a failure', async () => {
  const context = contextOf(memoryWorld({ files: { [FILE]: '{' } }));
  expect(await beginAgain.texts(context, { item: '7' })).toMatchObject({ failure: { reason: 'state-unreadable' } });
});
