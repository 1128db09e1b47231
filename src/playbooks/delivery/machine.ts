// How a plan differs from other items that go through one session (session/item/machine.ts): it lands as a pull request.
//
//   prepare ─▶ work ─▶ decide ─▶ close ─▶ ended
//
// prepare: the branch follows the base branch of the remote · work: implement, and the proof of the harness, which is the preflight of a plan that is
// continued · decide: review ↔ fix · close: prepare-pr, the pull request, its checks, merge-readiness, the merge, and the plan file moved.
// A run may end after each phase (phases.ts): the next one continues there.
import { openingSay, readFacts } from '../../engine/definitions.ts';
import type { Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { Actions } from '../../model/action.ts';
import { failure } from '../../model/failure.ts';
import { blame } from '../session/blame.ts';
import type { EndingHooks } from '../session/ending-hooks.ts';
import { defineItemMachine } from '../session/item/machine.ts';
import { sessionMachine } from '../session/stages.ts';
import { askUser } from './ask-user.ts';
import { implementer } from './briefs.ts';
import { deliver } from './deliver.ts';
import { e2eMissing } from './e2e.ts';
import { atPhase, refresh } from './index-step.ts';
import { migrate } from './merged.ts';
import { needIn } from './needs.ts';
import { branchOf } from './paths.ts';
import { askedPhase, nextPhase, onBase, phaseBefore, readReached } from './phases.ts';
import { review } from './review.ts';
import { askAboutTrouble } from './trouble.ts';
import { editedPlans, files, item } from './surveys.ts';
import { readyForUi } from './ui-review.ts';

const hooks: EndingHooks = {
  role: () => 'implementer',
  claim: 'command',
  claimedIn: () => [],
  // Whether a plan is done, its folder says.
  accepting: () => null,
  logging: () => null,
  proposes: { branch: ({ id }) => branchOf(id), deliver },
  blame,
};

export const deliveryMachine = defineItemMachine({
  name: 'delivery',
  version: 1,
  prefix: 'delivery.',
  surveys: { item, files },
  async before(run, ready, config) {
    const { facts, session } = ready;
    const { id, partial } = facts;
    const { commit } = await run.do('follow', { kind: 'follow-base', item: id });
    if (await migrate(run.scope('merged'), id, id)) {
      await refresh(run);
      return { result: 'skipped', reason: 'delivery-merged' };
    }
    const trouble = await askAboutTrouble(run.scope('trouble'), ready);
    if (trouble !== null) return trouble;
    const reached = onBase(readReached(partial?.reached), commit);
    const asked = askedPhase(config);
    const first = asked === null ? null : phaseBefore(asked, reached);
    if (first !== null) {
      const why = failure('delivery-phase-first', { item: id, phase: String(asked), first });
      return { result: 'blocked', reason: why.reason, failure: why };
    }
    const early = await e2eMissing(run, id, config);
    if (early !== null) return { result: 'blocked', reason: early.reason, failure: early };
    await readyForUi(run.scope('pages'), session, config);
    const phase = asked ?? nextPhase(reached);
    await atPhase(run, id, { phase, reached: reached?.at ?? null });
    return null;
  },
  opening: ({ facts: { id, attempt, partial, failed }, firstTask: first }) =>
    openingSay(implementer, { item: id, attempt, partial, failed, first }),
  isWorked({ partial }, config) {
    const asked = askedPhase(config);
    if (readReached(partial?.reached) === null || asked === 'implement') return 'no';
    return asked === null ? 'yes' : 'only';
  },
  needIn,
  answered: (run, { facts }, need) => askUser(run, { facts, role: 'implementer', need }),
  async claimed(step, { checkpoint }) {
    const { paths } = await readFacts(step, editedPlans, { since: checkpoint.commit });
    const [path] = paths;
    return path === undefined ? [] : [{ code: 'harness-file-edited', params: { file: path }, ids: [...paths] }];
  },
  review,
  hooks: () => hooks,
  async landed(run) {
    await refresh(run);
    return {};
  },
});

export const deliveryItem = (input: ItemInput): Drivable<Actions> => sessionMachine(deliveryMachine(input));
