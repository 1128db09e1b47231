// How a feature of a mission differs from other items that go through one session (session/item/machine.ts): a worker builds it, and others judge
// it before it lands.
//
//   prepare ─▶ work ─▶ decide ─▶ close ─▶ ended
//
// prepare: an architect where an assertion is unclear, a debugger after several failures · work: the worker, or several one after the other with a
// judge among those that hold, and the proof of the harness · decide:
// validator, crosscheck, ui-qa, smoke test, documenter · close: the landing, and features from the issues that were found.
import { editCall, openingSay } from '../../engine/definitions.ts';
import type { Drivable } from '../../engine/drivable.ts';
import { changeItem } from '../../engine/list-edits.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { blame } from '../session/blame.ts';
import type { EndingHooks } from '../session/ending-hooks.ts';
import { defineItemMachine } from '../session/item/machine.ts';
import { followIfProposing, landedAt, proposingOf } from '../session/proposing.ts';
import { sessionMachine } from '../session/stages.ts';
import { before } from './before.ts';
import { worker } from './briefs.ts';
import { convert } from './convert.ts';
import { accept } from './edits.ts';
import { workerNotes } from './notes.ts';
import { compare } from './judge.ts';
import { review } from './review.ts';
import { files, item } from './surveys.ts';
import { unclearIn } from './unclear.ts';

/** A list of another playbook gets only that the item landed. */
const hooksFor = (config: Config): EndingHooks => ({
  role: () => 'worker',
  claim: 'command',
  claimedIn: () => [],
  accepting: ({ facts, endedAt }, { playbook: { backlog, machine } }) =>
    backlog === machine
      ? editCall(accept, { item: facts.id, attempts: facts.attempt })
      : editCall(changeItem, { item: facts.id, change: landedAt(config, endedAt), base: null }),
  logging: () => null,
  notes: ({ facts, text }, result) => workerNotes(facts, text, result),
  ...proposingOf(config),
  blame,
});

export const missionMachine = defineItemMachine({
  name: 'mission',
  version: 1,
  prefix: 'mission.',
  surveys: { item, files },
  async before(run, ready, config) {
    await followIfProposing(run, ready.facts.id, config);
    return before(run, ready, config);
  },
  undecided: (text, { id }) => unclearIn(text, 'worker', id),
  opening: ({ facts: { id, attempt, partial, failed }, firstTask: first }) =>
    openingSay(worker, { item: id, attempt, partial, failed, first }),
  competitors: ({ mission }) => mission.competitors,
  compare,
  review,
  // What was unclear is the architect's, before the session: the contract is clear now, or stays as it is.
  stillWrong: (failed) => failed.filter(({ code }) => code !== 'review-unclear'),
  hooks: hooksFor,
  async landed(run, closing, config) {
    if (config.playbook.backlog === config.playbook.machine) await convert(run.scope('convert'), closing, config);
    return {};
  },
});

export const missionItem = (input: ItemInput): Drivable<Actions> => sessionMachine(missionMachine(input));
