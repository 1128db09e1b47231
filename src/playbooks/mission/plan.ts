// What a planner drafted, checked by the harness itself: every mistake as a problem that is handed back to the agent.
import { z } from 'zod';
import { defineEdit, defineSurvey, type ReadContext } from '../../engine/definitions.ts';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import { listProblems } from '../session/session-zero.ts';
import { fitOf, readContract, type Contract } from './contract.ts';
import { CONTRACT, DRAFT, LIST } from './paths.ts';
import { readMission, type MissionFeature } from './schema.ts';

export const draftedPlan = defineSurvey({
  id: 'mission.drafted-plan',
  /** `since`: the checkpoint of the session. */
  input: z.object({ since: z.string() }),
  facts: z.object({ problems: problemsSchema, features: z.number(), assertions: z.number() }),
  async read({ view }, { since }) {
    const [list, contract, strays] = [
      await view.read(DRAFT.list),
      await view.read(DRAFT.contract),
      await view.changedSince(since),
    ];
    const read = list === null ? null : readMission(list, DRAFT.list);
    const features = read?.ok === true ? read.value.features : [];
    const assertions = readContract(contract ?? '');
    const problems: Problem[] = [];
    if (read === null) problems.push({ code: 'init-backlog-missing', params: { file: DRAFT.list } });
    else if (!read.ok) problems.push(...listProblems(read.failure));
    else if (features.length === 0) problems.push({ code: 'init-backlog-empty', params: { file: DRAFT.list } });
    if (contract === null || assertions.assertions.length === 0)
      problems.push({ code: 'plan-contract-missing', params: { file: DRAFT.contract } });
    problems.push(...contractProblems(assertions));
    if (features.length > 0) problems.push(...featureProblems(features, assertions));
    if (strays.length > 0)
      problems.push({
        code: 'out-of-scope',
        params: { count: strays.length, file: strays[0] ?? '', scope: `${DRAFT.list}, ${DRAFT.contract}` },
        ids: strays.slice(0, MOST_NAMED),
      });
    return { problems, features: features.length, assertions: assertions.assertions.length };
  },
});

const MOST_NAMED = 20;

const contractProblems = ({ again, unreadable, assertions }: Contract): Problem[] => [
  ...again.map((id): Problem => {
    const line = assertions.findLast((one) => one.id === id)?.line ?? 0;
    return { code: 'plan-contract-invalid', params: { file: DRAFT.contract, id, line, why: 'assertion-repeated' } };
  }),
  ...unreadable.map(({ id, line }): Problem => ({
    code: 'plan-contract-invalid',
    params: { file: DRAFT.contract, id, line, why: 'assertion-empty' },
  })),
];

function featureProblems(features: readonly MissionFeature[], contract: Contract): Problem[] {
  const problems: Problem[] = [];
  const { unresolved, unclaimed, empty } = fitOf(features, contract);
  problems.push(
    ...unresolved.map(({ claim, feature }): Problem => ({
      code: 'plan-claim-unresolved',
      params: { claim, item: feature },
    })),
    ...unclaimed.map((claim): Problem => ({ code: 'plan-assertion-unclaimed', params: { claim } })),
  );
  const without = features.filter(({ test_file: file }) => (file ?? null) === null).map(({ id }) => id);
  if (empty.length > 0) problems.push({ code: 'plan-without-claims', params: {}, ids: empty });
  if (without.length > 0) problems.push({ code: 'plan-without-test', params: {}, ids: without });
  const begun = features.filter(({ status, attempts }) => status !== 'pending' || attempts > 0).map(({ id }) => id);
  if (begun.length > 0) problems.push({ code: 'init-feature-passing', params: { count: begun.length }, ids: begun });
  for (const field of ['skipped', 'override', 'failing'] as const) {
    const ids = features.filter((feature) => feature[field]).map(({ id }) => id);
    if (ids.length > 0) problems.push({ code: 'decision-forged', params: { field, count: ids.length }, ids });
  }
  return problems;
}

/** The drafts take their place. */
export const planFiles = defineEdit({
  id: 'mission.plan',
  input: z.object({}),
  async texts({ view }) {
    const [list, contract] = [await view.read(DRAFT.list), await view.read(DRAFT.contract)];
    if (list === null || contract === null)
      return err(failure('backlog-missing', { file: DRAFT.list }, { at: { file: DRAFT.list } }));
    return ok({ [LIST]: list, [CONTRACT]: contract });
  },
});

/** The contract of the mission as it is committed. */
export const contractOf = async ({ view }: ReadContext): Promise<Contract> =>
  readContract((view.hasGit ? await view.readAt('HEAD', CONTRACT) : null) ?? (await view.read(CONTRACT)) ?? '');
