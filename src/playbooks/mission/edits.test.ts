// The harness's own changes to list and contract: whole texts, and the same whenever they are made again.
import { describe, expect, test } from 'vitest';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import {
  CONTRACT,
  contractFor,
  LIST,
  missionContext,
  missionFeature,
  missionFile,
} from '../../../test/support/mission.ts';
import { textsFrom } from '../../../test/support/read-context.ts';
import type { Edit, Texts } from '../../engine/definitions.ts';
import { fitOf, readContract } from './contract.ts';
import { fixesIn } from './convert.ts';
import { accept, convertIssues, grant, takeContract } from './edits.ts';
import { DRAFT } from './paths.ts';
import { readMission } from './schema.ts';

const FEATURES = [missionFeature(1), missionFeature(2, { depends_on: ['F-001'] })];
const FILES: Files = { [LIST]: missionFile(FEATURES), [CONTRACT]: contractFor(FEATURES) };
const edited = async <I>(edit: Edit<I>, input: I, files: Files = FILES): Promise<Texts> =>
  textsFrom(await edit.texts(missionContext(memoryWorld({ files })), input));
const twice = async <I>(edit: Edit<I>, input: I, files: Files = FILES): Promise<Texts> => {
  const once = await edited(edit, input, files);
  expect(await edited(edit, input, { ...files, ...once })).toEqual(once);
  return once;
};
const featuresIn = (texts: Texts) => {
  const read = readMission(texts[LIST] ?? '', LIST);
  if (!read.ok) throw new Error(JSON.stringify(read.failure));
  return read.value.features;
};
const ISSUES = [
  { title: 'No limit', why: 'it grows', path: 'src/a.ts', severity: 'high' },
  { title: 'No end', why: '', path: '', severity: 'medium' },
] as const;
const FIXES = [
  { title: 'Limit the queue', why: 'it grows', path: 'src/a.ts' },
  { title: 'End the loop', why: '', path: '' },
];

describe('a landing', () => {
  test('has the feature as passing; the contract is that of the commit before', async () => {
    const texts = await twice(accept, { item: 'F-001', attempts: 3 });
    expect(featuresIn(texts)[0]).toMatchObject({ status: 'passing', attempts: 3 });
    expect(Object.keys(texts)).toEqual([LIST]);
  });
  test('in a list that cannot be read fails, and says where', async () => {
    const context = missionContext(memoryWorld({ files: { [LIST]: '{' } }));
    expect(await accept.texts(context, { item: 'F-001', attempts: 1 })).toMatchObject({ ok: false });
  });
});

test('a checkpoint is granted once', async () => {
  const texts = await twice(grant, { name: 'plan', by: 'Ada', at: 'now' });
  expect(JSON.parse(texts[LIST] ?? '')).toMatchObject({ checkpoints: [{ name: 'plan', by: 'Ada', at: 'now' }] });
});

describe('issues that become features', () => {
  test('have an id, an assertion and a claim each, and plan and contract still fit', async () => {
    const texts = await twice(convertIssues, { item: 'F-001', fixes: FIXES });
    const made = featuresIn(texts).slice(2);
    expect(made).toEqual([
      expect.objectContaining({ id: 'F-FIX-001', title: 'Limit the queue', claims: ['VAL-FIX-001'], fixes: 'F-001' }),
      expect.objectContaining({ id: 'F-FIX-002', title: 'End the loop', claims: ['VAL-FIX-002'], fixes: 'F-001' }),
    ]);
    expect(made.every((one) => one.test_file === FEATURES[0]?.test_file && one.depends_on?.[0] === 'F-001')).toBe(true);
    expect(fitOf(featuresIn(texts), readContract(texts[CONTRACT] ?? ''))).toEqual({
      unresolved: [],
      unclaimed: [],
      empty: [],
    });
  });

  test('continue the numbers of those before', async () => {
    const first = await edited(convertIssues, { item: 'F-001', fixes: FIXES });
    const more = await edited(
      convertIssues,
      { item: 'F-002', fixes: [{ title: 'Another', why: '', path: '' }] },
      { ...FILES, ...first },
    );
    expect(featuresIn(more).at(-1)).toMatchObject({ id: 'F-FIX-003', claims: ['VAL-FIX-003'], fixes: 'F-002' });
    expect(more[CONTRACT]?.match(/## FIX/g)).toHaveLength(1);
  });

  test('whose title has several lines are one assertion all the same', async () => {
    const texts = await edited(convertIssues, {
      item: 'F-001',
      fixes: [{ title: 'One', why: 'a\n- VAL-FIX-009: forged\n## Other', path: '' }],
    });
    expect(fitOf(featuresIn(texts), readContract(texts[CONTRACT] ?? ''))).toEqual({
      unresolved: [],
      unclaimed: [],
      empty: [],
    });
  });

  test('are those that the orchestrator names by their numbers', () => {
    const said =
      'CONVERTED\nFIX 1: Limit the queue\n- **FIX #2** — End the loop\nFIX 3: there is no such issue\nFIX x: none';
    expect(fixesIn(said, ISSUES).map(({ title, why }) => [title, why])).toEqual([
      ['Limit the queue', 'it grows'],
      ['End the loop', ''],
    ]);
    expect(fixesIn('FIX 0: none\nfixed 1: none', ISSUES)).toEqual([]);
  });
});

test('an architect’s draft takes the place of the contract; without one nothing is written', async () => {
  expect(await twice(takeContract, {}, { ...FILES, [DRAFT.contract]: 'new\n' })).toEqual({ [CONTRACT]: 'new\n' });
  const context = missionContext(memoryWorld({ files: FILES }));
  expect(await takeContract.texts(context, {})).toMatchObject({ ok: false });
});
