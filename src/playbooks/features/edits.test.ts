// Edits of the harness's own files: absolute, repeatable, and deaf to what else an agent wrote there.
import { describe, expect, test } from 'vitest';
import { feature, fileOf } from '../../../test/support/features.ts';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import { changeFeatures, flipPasses } from './change.ts';
import { edits } from './edits.ts';
import { appendEntry, entryOf, parseProgress, type ProgressEntry } from './progress.ts';

const LIST = fileOf([feature(1), feature(2)]);
const entry = (session: number, more: Partial<ProgressEntry> = {}): ProgressEntry => ({
  session,
  date: 'D',
  feature: { id: '1', title: 't' },
  did: ['Agent did this'],
  verification: '$ pytest',
  decisions: ['Agent decided'],
  state: ['Green'],
  next: 'More',
  ...more,
});
const LOG = appendEntry(null, entry(0), 'p');
const base: Files = { 'features.json': LIST, 'claude-progress.txt': LOG };
const AT = '2025-01-16T14:30:00.000Z';
const input = {
  item: '1',
  session: 4,
  at: AT,
  base: 'cp',
  entry: { did: ['Harness saw this'], state: ['Verified by the harness'] },
};
const world = (files: Files) => memoryWorld({ files, revisions: { cp: base } });

describe('accept', () => {
  test('flips the item and logs the session in its own words where the agent wrote none', async () => {
    const made = await edits.accept(world(base), input);
    expect(made['features.json']).toBe(changeFeatures(LIST, '1', { type: 'landed', at: AT }));
    expect(made['claude-progress.txt']?.startsWith(LOG)).toBe(true);
    expect(entryOf(made['claude-progress.txt'] ?? null, 4)).toMatchObject({
      date: '2025-01-16 14:30',
      feature: { id: '1', title: 'User can do thing 1' },
      did: ['Harness saw this'],
      state: ['Verified by the harness'],
      next: 'Feature #2 (User can do thing 2)',
    });
  });
  test('keeps a note that the agent left in no form at all: whoever goes on needs it', async () => {
    const noted = { ...base, 'claude-progress.txt': `${LOG}\nHANDOVER: legs are missing\n- SESSION 9 - forged\n` };
    const made = await edits['log-entry'](world(noted), input);
    expect(entryOf(made['claude-progress.txt'] ?? null, 4)?.state).toEqual([
      'Verified by the harness',
      'Noted by the agent: HANDOVER: legs are missing',
      'Noted by the agent: SESSION 9 - forged',
    ]);
    expect(parseProgress(made['claude-progress.txt'] ?? null)).toHaveLength(2);
  });
  test("keeps an agent's good entry, with the harness's facts in it", async () => {
    const theirs = appendEntry(LOG, entry(4, { feature: { id: '99', title: 'lie' } }), 'p');
    const made = await edits.accept(world({ ...base, 'claude-progress.txt': theirs }), input);
    expect(entryOf(made['claude-progress.txt'] ?? null, 4)).toMatchObject({
      feature: { id: '1' },
      did: ['Agent did this'],
      decisions: ['Agent decided'],
      state: ['Green', 'Verified by the harness'],
      next: 'More',
    });
  });
  test('is deaf to everything else that was written into the two files', async () => {
    const rewritten = appendEntry(LOG.replace('Agent did this', 'history changed'), entry(4), 'p');
    const files = {
      'features.json': flipPasses(flipPasses(LIST, '1'), '2'),
      'claude-progress.txt': `${rewritten}\nSESSION 9 - x\nNEXT: forged\n`,
    };
    const made = await edits.accept(world(files), input);
    expect(made['features.json']).toContain('"passes": false');
    expect(made['claude-progress.txt']?.startsWith(LOG)).toBe(true);
    expect(parseProgress(made['claude-progress.txt'] ?? null).map((e) => e.session)).toEqual([0, 4]);
  });
  test('done again on its own result is the same', async () => {
    const theirs = appendEntry(LOG, entry(4), 'p');
    for (const files of [base, { ...base, 'claude-progress.txt': theirs }]) {
      const once = await edits.accept(world(files), input);
      expect(await edits.accept(world(once), input)).toEqual(once);
    }
  });
});

test('a log entry alone touches the log alone, also where no log was', async () => {
  const made = await edits['log-entry'](memoryWorld({ files: {}, revisions: {} }), {
    session: 2,
    at: AT,
    base: 'x',
    entry: { state: ['SESSION TERMINATED: Context limit reached mid-implementation'] },
  });
  expect(Object.keys(made)).toEqual(['claude-progress.txt']);
  expect(entryOf(made['claude-progress.txt'] ?? null, 2)).toMatchObject({
    feature: null,
    state: ['SESSION TERMINATED: Context limit reached mid-implementation'],
  });
});

test.each([
  ['without a word of the agent', ''],
  ['with a note of the agent', '\nHANDOVER: legs are missing\n'],
])('a log entry that a life wrote before it died is its own and no note of the agent, %s', async (_, note) => {
  const given = { ...input, entry: { state: ['SESSION TERMINATED: timeout in the middle of #1'] } };
  const once = await edits['log-entry'](world({ ...base, 'claude-progress.txt': `${LOG}${note}` }), given);
  expect(await edits['log-entry'](world({ ...base, ...once }), given)).toEqual(once);
});

describe('init', () => {
  const init = (files: Files) => edits.init(memoryWorld({ files }), { project: 'p', at: AT });
  test('adds what is missing and nothing twice', async () => {
    const files = { 'features.json': LIST, '.gitignore': 'node_modules\r\ndist\r\n' };
    const once = await init(files);
    expect(once['.gitignore']).toBe('node_modules\r\ndist\r\n.harness/\r\n');
    expect(entryOf(once['claude-progress.txt'] ?? null, 0)?.next).toBe('Feature #1 (User can do thing 1)');
    expect(await init({ ...files, ...once })).toEqual(once);
  });
  test.each(['.harness', '/.harness/', '.harness/', ' .harness/ '])('a line %j is enough', async (line) => {
    expect((await init({ 'features.json': LIST, '.gitignore': `a\n${line}\n` }))['.gitignore']).toBe(`a\n${line}\n`);
  });
  test("keeps the initializer's own entry", async () => {
    expect((await init(base))['claude-progress.txt']).toBe(LOG);
  });
});

test('a flag is written on the item, from the work tree or from a revision, once', async () => {
  const change = { type: 'skipped', reason: 'blocked', unblock: true, at: AT };
  const once = await edits.flag(world({ 'features.json': flipPasses(LIST, '2') }), { item: 1, change });
  expect(once['features.json']).toBe(
    changeFeatures(flipPasses(LIST, '2'), '1', { type: 'skipped', reason: 'blocked', unblock: true, at: AT }),
  );
  expect(await edits.flag(world(once), { item: 1, change })).toEqual(once);
  const at = await edits.flag(world({}), { item: 1, base: 'cp', change: { type: 'failing', why: 'regressed' } });
  expect(at['features.json']).toBe(changeFeatures(LIST, '1', { type: 'failing', why: 'regressed' }));
});
