// A landing that would change files which a user is changing in their work tree waits for them: nothing else stops, and nothing is lost.
import type { MessageQueue } from '../../engine/message-queue.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { CommitOutcome } from '../../model/landing-action.ts';
import { filesNamed } from '../../model/failure.ts';
import { escalation } from '../../model/gate.ts';
import { takeListEdit } from '../list-edits.ts';
import type { RunContext } from '../run-context.ts';
import { asks } from './ask.ts';

type Ask = ActionOf<Actions, 'commit'>;

/** Asks the user each time the files are still in the way; a commit of no item is refused at once. */
export const waitingForUser = (
  context: RunContext,
  commits: Performer<Ask, CommitOutcome>,
): Performer<Ask, CommitOutcome> => ({
  ...commits,
  async perform(ask, action) {
    for (let n = 1; ; n += 1) {
      const made = await commits.perform(ask, action);
      const refused = 'refused' in made ? made.refused : null;
      if (refused?.code !== 'landing-in-the-way' || ask.item === null) return made;
      const params = { item: ask.item, ...filesNamed(refused.ids ?? []) };
      const question = escalation('landing-in-the-way', `in-the-way-${n}`, ask.item, { params, problems: [refused] });
      const answer = await asks(context).perform(question, action);
      if (!('option' in answer)) return answer;
      if (answer.option !== 'retry') return made;
    }
  },
});

/** How often a person may save the list during one landing. */
const MOST_LISTS = 5;

/** A person's edit of the list is taken at the next boundary between items, and holds no landing up. */
export const takingLists = (
  context: RunContext,
  messages: MessageQueue,
  commits: Performer<Ask, CommitOutcome>,
): Performer<Ask, CommitOutcome> => ({
  ...commits,
  async perform(ask, action) {
    for (let n = 0; ; n += 1) {
      const made = await commits.perform(ask, action);
      const refused = 'refused' in made ? made.refused : null;
      const isList = refused?.ids?.every((path) => path === context.config.paths.backlog) === true;
      if (refused?.code !== 'landing-in-the-way' || !isList || n >= MOST_LISTS) return made;
      const taken = await takeListEdit(context, messages);
      if (!taken.ok) return { blocked: taken.failure };
      if (taken.value === 'unfit') return made;
    }
  },
});
