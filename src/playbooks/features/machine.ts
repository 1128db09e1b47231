// How a feature differs from other items that go through one session (session/item/machine.ts): the agent claims it in the list, a user verifies
// what no test can show, and a cleanup is due after some landings.
import { openingSay, readFacts } from '../../engine/definitions.ts';
import type { Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { Actions } from '../../model/action.ts';
import { defineItemMachine } from '../session/item/machine.ts';
import { followIfProposing } from '../session/proposing.ts';
import { sessionMachine } from '../session/stages.ts';
import { coding, orientationOf } from './briefs.ts';
import { hooksFor } from './ending-hooks.ts';
import { byHand } from './manual.ts';
import { claim, cleanupDue, files, item } from './surveys.ts';

export const featuresMachine = defineItemMachine({
  name: 'features',
  version: 3,
  prefix: '',
  surveys: { item, files },
  async before(run, { facts }, config) {
    await followIfProposing(run, facts.id, config);
    return null;
  },
  opening: (ready) => openingSay(coding, orientationOf(ready)),
  async claimed(step, { checkpoint, item: id }) {
    const { problems } = await readFacts(step, claim, { before: checkpoint.ref, item: id });
    return problems;
  },
  showsTests: true,
  byHand,
  hooks: hooksFor,
  async landed(run) {
    const { isDue } = await readFacts(run, cleanupDue, {});
    return { isCleanupDue: isDue };
  },
});

export const featuresItem = (input: ItemInput): Drivable<Actions> => sessionMachine(featuresMachine(input));
