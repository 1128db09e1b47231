// How a plan differs from other items that go through one session (session/item/machine.ts): it lands as a pull request.
//
//   prepare ─▶ work ─▶ decide ─▶ close ─▶ ended
//
// prepare: the branch follows the base branch of the remote · work: implement, and the proof of the harness · decide: review ↔ fix · close: prepare-pr,
// the pull request, its checks, merge-readiness, the merge, and the plan file moved.
import { openingSay, readFacts } from '../../engine/definitions.ts';
import type { Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { Actions } from '../../model/action.ts';
import { blame } from '../session/blame.ts';
import type { EndingHooks } from '../session/endings.ts';
import { defineItemMachine } from '../session/item/machine.ts';
import { sessionMachine } from '../session/stages.ts';
import { implementer } from './briefs.ts';
import { deliver } from './deliver.ts';
import { refresh } from './index-step.ts';
import { migrate } from './merged.ts';
import { branchOf } from './paths.ts';
import { review } from './review.ts';
import { askAboutTrouble } from './trouble.ts';
import { editedPlans, files, item } from './surveys.ts';

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
  async before(run, ready) {
    const { id } = ready.facts;
    await run.do('follow', { kind: 'follow-base', item: id });
    if (await migrate(run.scope('merged'), id)) {
      await refresh(run);
      return { result: 'skipped', reason: 'delivery-merged' };
    }
    return askAboutTrouble(run.scope('trouble'), ready);
  },
  opening: ({ facts: { id, attempt, partial, failed }, firstTask: first }) =>
    openingSay(implementer, { item: id, attempt, partial, failed, first }),
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
