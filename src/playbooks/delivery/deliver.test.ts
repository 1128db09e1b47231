// From accepted work to the merge: which phases run, which are done already, and where a run for one phase ends.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { BASE, closingAt, COMMIT, deliveryRun, type DeliveryStory } from '../../../test/support/delivery.ts';
import { strength, verdict } from '../../../test/support/outcomes.ts';
import { deliver } from './deliver.ts';

const e2e = { command: 'npm run e2e', artifactDirs: [], timeoutMinutes: 5 };
const proof = { verdict: verdict(), strength: strength(), decided: null, person: null };
const TEXT = { text: { title: 'Kept', body: 'As written.' } };

type How = {
  readonly reached?: string;
  readonly phase?: string;
  readonly asBefore?: boolean;
  readonly commit?: string;
};
async function delivered(story: DeliveryStory = {}, { reached, phase, asBefore = true, commit = COMMIT }: How = {}) {
  const played = deliveryRun(story);
  const config = { ...configOf({ e2e }), runOptions: { phase: phase ?? null } };
  const end = await deliver(played.run, closingAt(reached), { commit, bundle: '', proof, asBefore }, config);
  return { ...played, end };
}
const at = (phase: string, commit = COMMIT, base = BASE): string => `${phase} ${commit} ${base}`;

const ALL = ['preparer', 'propose', 'ci', 'e2e', 'merge-checker', 'merge'];

test('every phase, in its order', async () => {
  const { did, end } = await delivered({}, { asBefore: false });
  expect(did).toEqual(ALL);
  expect(end).toEqual({ is: 'merged', commit: COMMIT });
});

describe('a single phase runs again, ends the run, and says what is reached', () => {
  test.each([
    ['prepare-pr', 'review', ['preparer'], 'prepare-pr'],
    ['open-pr', 'prepare-pr', ['propose'], at('open-pr')],
    ['ci', at('open-pr'), ['propose', 'ci'], at('ci')],
    ['e2e-verify', at('ci'), ['propose', 'ci', 'e2e'], at('e2e-verify')],
    ['merge-check', at('e2e-verify'), ['propose', 'ci', 'merge-checker'], at('merge-check')],
    ['ci', at('merge-check'), ['propose', 'ci'], at('ci')],
  ])('%s of work that has reached %s', async (phase, reached, did, after) => {
    const found = await delivered({ record: TEXT }, { reached, phase });
    expect(found.did).toEqual(did);
    expect(found.end).toEqual({ is: 'held', failure: null, problems: [], reached: after });
  });

  test('merge', async () => {
    const { did, end } = await delivered({ record: TEXT }, { reached: at('merge-check'), phase: 'merge' });
    expect(did).toEqual(['propose', 'ci', 'merge']);
    expect(end).toMatchObject({ is: 'merged' });
  });
});

describe('what is done holds for the commit that it was found out about', () => {
  test.each([
    ['the same commit', at('merge-check'), {}, ['propose', 'ci', 'merge']],
    ['another commit', at('merge-check', 'c'.repeat(40)), {}, ALL.slice(1)],
    ['another base', at('merge-check', COMMIT, 'd'.repeat(40)), {}, ALL.slice(1)],
    ['other work', at('merge-check'), { asBefore: false }, ALL],
    ['a text that is not readable', 'review-ci', {}, ALL],
  ])('%s', async (_, reached, how, did) => {
    expect((await delivered({ record: TEXT }, { reached, ...how })).did).toEqual(did);
  });
});

describe('the work is kept, and the next session continues it from the start', () => {
  test.each<readonly [string, DeliveryStory, object]>([
    ['a check fails', { ci: ['failed'] }, { problems: [{ code: 'ci-failed', params: { name: 'ci' } }] }],
    [
      'end-to-end tests fail',
      { e2e: ['fails'] },
      { problems: [{ code: 'ci-failed', params: { name: 'e2e-verify' } }] },
    ],
    ['they ran on other files', { tree: 'other' }, { problems: [{ code: 'ci-failed' }] }],
    [
      'the merge-checker finds something',
      { says: { 'merge-checker': ['### High: a secret\nPath: a.mjs\nQuote: const key = 1;'] } },
      { problems: [{ code: 'finding-open' }] },
    ],
  ])('%s', async (_, story, problems) => {
    const { did, end } = await delivered(story, { asBefore: false });
    expect(end).toMatchObject({ is: 'held', failure: null, ...problems });
    expect(end).not.toHaveProperty('reached');
    expect(did).not.toContain('merge');
  });
});

test('a merge-checker without an answer is asked again by the next session, which begins there', async () => {
  const { end } = await delivered({ says: { 'merge-checker': ['hm'] } }, { asBefore: false });
  expect(end).toMatchObject({
    is: 'held',
    problems: [{ code: 'review-unanswered' }],
    reached: at('e2e-verify'),
  });
});

test('checks that have not ended after all that time keep it from being merged, and are named', async () => {
  const { did, end, asked } = await delivered({ ci: ['pending'] }, { asBefore: false });
  const looks = asked.filter(({ kind }) => kind === 'ci').length;
  expect(looks).toBe(241);
  expect(end).toMatchObject({
    is: 'held',
    problems: [{ code: 'ci-failed', params: { name: 'ci', summary: 'it has not ended: red' } }],
  });
  expect(did).not.toContain('merge');
});

test('where others may come, checks that have passed are looked at once more', async () => {
  const { did } = await delivered({ ci: ['passed', 'pending', 'passed'], mayCome: true }, { asBefore: false });
  expect(did.filter((one) => one === 'ci')).toHaveLength(4);
  expect(did).toContain('merge');
});

describe('a pull request that a user merged', () => {
  test('as it was before this work: there is no second one, and the next session moves the plan file', async () => {
    const { did, end } = await delivered({ pulls: [{ state: 'merged', head: 'e'.repeat(40) }] }, { asBefore: false });
    expect(did).toEqual(['preparer']);
    expect(end).toEqual({ is: 'overtaken' });
  });

  test('with this very commit: it is merged', async () => {
    const { did } = await delivered({ pulls: [{ state: 'merged', head: COMMIT }] }, { asBefore: false });
    expect(did).toContain('propose');
  });

  test('a closed one keeps nothing from being proposed', async () => {
    const { did } = await delivered({ pulls: [{ state: 'closed', head: 'e'.repeat(40) }] }, { asBefore: false });
    expect(did).toContain('propose');
  });
});

test('the pull request says on which files the end-to-end tests passed', async () => {
  const body = async (e2eRecord: object): Promise<string> => {
    const { asked } = await delivered({ record: { ...TEXT, e2e: e2eRecord } }, { reached: 'prepare-pr' });
    const propose = asked.find((one) => one.kind === 'propose');
    return propose?.kind === 'propose' ? propose.body : '';
  };
  expect(await body({ result: 'passed', tree: 'tree-verified' })).toMatch(/passed on the files `tree-verifie`\.\n/);
  expect(await body({ result: 'passed', tree: 'before' })).toContain('They run again');
  expect(await body({ result: 'skipped', tree: '' })).toContain('--skip-e2e');
});
