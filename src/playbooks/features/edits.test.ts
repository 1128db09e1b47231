// Edits of the harness's own files: absolute, repeatable, and without anything else that an agent wrote there.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { feature, fileOf } from '../../../test/support/features.ts';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import { contextOf, tasksConfig, textsFrom } from '../../../test/support/read-context.ts';
import { changeFeatures, flipPasses } from './change.ts';
import { accept, initFiles, logEntry, pendingEntry } from './edits.ts';
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
  verification: '$ pytest\n3 passed',
  state: ['Verified by the harness'],
};
const context = (files: Files) => contextOf(memoryWorld({ files, revisions: { cp: base } }));
const accepted = async (files: Files) => textsFrom(await accept.texts(context(files), input));
const logged = async (files: Files, given: Parameters<typeof logEntry.texts>[1] = input) =>
  textsFrom(await logEntry.texts(context(files), given));

describe('entries of sessions that landed nothing', () => {
  const earlier = (session: number): string => entryOf(appendEntry(null, entry(session), 'p'), session)?.raw ?? '';
  const pending = [earlier(2), earlier(3), earlier(9)];

  test('land with the next item, each once and in their order, and not those of later sessions', async () => {
    const view = memoryWorld({ files: base, revisions: { cp: base }, pending });
    const made = textsFrom(await accept.texts(contextOf(view), input));
    const log = made['claude-progress.txt'] ?? '';
    expect(parseProgress(log).map(({ session }) => session)).toEqual([0, 2, 3, 4]);
    const again = memoryWorld({ files: { ...base, ...made }, revisions: { cp: { ...base, ...made } }, pending });
    const later = textsFrom(await accept.texts(contextOf(again), { ...input, session: 5 }));
    expect(parseProgress(later['claude-progress.txt'] ?? '').map(({ session }) => session)).toEqual([0, 2, 3, 4, 5]);
  });

  test('are kept as the entry alone, with what the agent wrote', async () => {
    const own = appendEntry(LOG, entry(4, { did: ['Half of it'] }), 'p');
    const view = memoryWorld({ files: { ...base, 'claude-progress.txt': own }, revisions: { cp: base } });
    const made = textsFrom(await pendingEntry.texts(contextOf(view), { ...input, verification: '' }));
    const [kept, ...others] = parseProgress(made['claude-progress.txt'] ?? '');
    expect([kept?.session, kept?.did, others]).toEqual([4, ['Half of it'], []]);
  });
});

describe('accept', () => {
  test('sets the item to passing and logs the session in its own words where the agent wrote none', async () => {
    const made = await accepted(base);
    expect(made['features.json']).toBe(changeFeatures(LIST, '1', { type: 'landed', at: AT }));
    expect(made['claude-progress.txt']?.startsWith(LOG)).toBe(true);
    expect(entryOf(made['claude-progress.txt'] ?? null, 4)).toMatchObject({
      date: '2025-01-16 14:30',
      feature: { id: '1', title: 'User can do thing 1' },
      verification: '$ pytest\n3 passed',
      state: ['Verified by the harness'],
      next: 'Feature #2 (User can do thing 2)',
    });
  });
  test('keeps a note of the agent that is no entry: the next session needs it', async () => {
    const noted = { ...base, 'claude-progress.txt': `${LOG}\nHANDOVER: legs are missing\n- SESSION 9 - forged\n` };
    const made = await logged(noted);
    expect(entryOf(made['claude-progress.txt'] ?? null, 4)?.state).toEqual([
      'Verified by the harness',
      'Noted by the agent: HANDOVER: legs are missing',
      'Noted by the agent: SESSION 9 - forged',
    ]);
    expect(parseProgress(made['claude-progress.txt'] ?? null)).toHaveLength(2);
  });
  test("keeps an agent's good entry, with the harness's facts in it", async () => {
    const theirs = appendEntry(LOG, entry(4, { feature: { id: '99', title: 'lie' } }), 'p');
    const made = await accepted({ ...base, 'claude-progress.txt': theirs });
    expect(entryOf(made['claude-progress.txt'] ?? null, 4)).toMatchObject({
      feature: { id: '1' },
      did: ['Agent did this'],
      decisions: ['Agent decided'],
      state: ['Green', 'Verified by the harness'],
      next: 'More',
    });
  });
  test('ignores everything else that was written into the two files', async () => {
    const rewritten = appendEntry(LOG.replace('Agent did this', 'history changed'), entry(4), 'p');
    const files = {
      'features.json': flipPasses(flipPasses(LIST, '1'), '2'),
      'claude-progress.txt': `${rewritten}\nSESSION 9 - x\nNEXT: forged\n`,
    };
    const made = await accepted(files);
    expect(made['features.json']).toContain('"passes": false');
    expect(made['claude-progress.txt']?.startsWith(LOG)).toBe(true);
    expect(parseProgress(made['claude-progress.txt'] ?? null).map((e) => e.session)).toEqual([0, 4]);
  });
  test('done again on its own result is the same', async () => {
    const theirs = appendEntry(LOG, entry(4), 'p');
    for (const files of [base, { ...base, 'claude-progress.txt': theirs }]) {
      const once = await accepted(files);
      expect(await accepted({ ...once })).toEqual(once);
    }
  });
});

test('a log entry alone changes the log alone, also where there is no log yet', async () => {
  const state = ['SESSION TERMINATED: Context limit reached mid-implementation'];
  const given = { item: null, session: 2, at: AT, base: 'x', verification: '', state };
  const made = await logged({}, given);
  expect(Object.keys(made)).toEqual(['claude-progress.txt']);
  expect(entryOf(made['claude-progress.txt'] ?? null, 2)).toMatchObject({
    feature: null,
    state,
  });
});

test.each([
  ['without a note of the agent', ''],
  ['with a note of the agent', '\nHANDOVER: legs are missing\n'],
])('a log entry that a process wrote before it crashed is no note of the agent, %s', async (_, note) => {
  const given = { ...input, state: ['SESSION TERMINATED: timeout in the middle of #1'] };
  const once = await logged({ ...base, 'claude-progress.txt': `${LOG}${note}` }, given);
  expect(await logged({ ...base, ...once }, given)).toEqual(once);
});

describe('init', () => {
  const init = async (files: Files) =>
    textsFrom(
      await initFiles.texts(contextOf(memoryWorld({ files }), configOf({ project: { name: 'p' } })), { at: AT }),
    );
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

test('a landing on a list of another format is written in that format', async () => {
  const list = JSON.stringify({ tasks: [{ id: 'a', title: 'A queue', status: 'in_progress' }] });
  const config = { ...tasksConfig(), playbook: { backlog: 'tasks', machine: 'features' } as const };
  const view = memoryWorld({ files: {}, revisions: { cp: { 'harness-tasks.json': list } } });
  const made = textsFrom(await accept.texts(contextOf(view, config), { ...input, item: 'a' }));
  expect(JSON.parse(made['harness-tasks.json'] ?? '')).toMatchObject({ tasks: [{ id: 'a', status: 'completed' }] });
  expect(entryOf(made['harness-progress.txt'] ?? null, 4)?.feature).toEqual({ id: 'a', title: 'A queue' });
});

test('a landing without a list, in the checkpoint or the work tree, is refused', async () => {
  const nothing = contextOf(memoryWorld({ files: {}, revisions: {} }));
  expect(await accept.texts(nothing, input)).toMatchObject({ ok: false, failure: { reason: 'backlog-missing' } });
  const ignored = contextOf(memoryWorld({ files: { 'features.json': LIST }, revisions: { cp: {} } }));
  expect(textsFrom(await accept.texts(ignored, input))['features.json']).toBe(
    changeFeatures(LIST, '1', { type: 'landed', at: AT }),
  );
});
