// Every kind of action with who performs it. The one place where the kinds meet.
import type { MessageQueue } from '../../engine/message-queue.ts';
import type { Performers } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { RunContext } from '../run-context.ts';
import { abandons } from './abandon.ts';
import { alone, landingAlone } from './alone.ts';
import { asks } from './ask.ts';
import { brings } from './bring.ts';
import { checks } from './check.ts';
import { checkpoints, restores, rollbacks } from './checkpoint.ts';
import { choosesAgents } from './choose-agent.ts';
import { commits, stashes } from './commit.ts';
import { addsFiles, findsPulls, followsBase, mergesPulls, movesFiles, proposes, readsCi } from './forge.ts';
import { takingLists, waitingForUser } from './in-the-way.ts';
import { items } from './item.ts';
import { givesTurns, takesTurns } from './landing-turn.ts';
import { looksAtPages } from './pages.ts';
import { looks, parks, unparks } from './park.ts';
import { mirrored } from './mirrored.ts';
import { numbers } from './number.ts';
import { patches, tidies, unwinds } from './work-tree.ts';
import { procedures, surveys } from './procedure.ts';
import { publishes, merges, pushes } from './remote.ts';
import { dropsWip, keepsWip, takesWip } from './wip.ts';
import { memories } from './remember.ts';
import { closes } from './close-session.ts';
import { turns } from './session.ts';
import { capturesSites } from './site.ts';
import { strengths } from './strength.ts';
import { takesTrees } from './take-tree.ts';
import { waits } from './wait.ts';
import { writes } from './write.ts';

/** Those of the items of a lane are made for its work tree. */
export function performersOf(context: RunContext, messages: MessageQueue): Performers<Actions> {
  const inLane = (lane: RunContext): Performers<Actions> => (lane === context ? all : performersOf(lane, messages));
  const all: Performers<Actions> = {
    survey: surveys(context, messages),
    check: checks(context),
    strength: strengths(context),
    pages: looksAtPages(context),
    site: capturesSites(context),
    'choose-agent': choosesAgents(context),
    number: numbers(context),
    session: turns(context),
    close: closes(context),
    abandon: abandons(context),
    checkpoint: checkpoints(context),
    rollback: rollbacks(context),
    tidy: tidies(context),
    restore: restores(context),
    'keep-wip': keepsWip(context),
    'drop-wip': dropsWip(context),
    'take-turn': takesTurns(context),
    'give-turn': givesTurns(context),
    bring: brings(context),
    'take-tree': takesTrees(context),
    'take-wip': takesWip(context),
    commit: waitingForUser(context, landingAlone(context, takingLists(context, messages, commits(context)))),
    push: pushes(context),
    merge: merges(context),
    unwind: unwinds(context),
    patch: patches(context),
    stash: stashes(context),
    ask: asks(context),
    wait: waits(context),
    propose: proposes(context),
    'find-pull': findsPulls(context),
    ci: readsCi(context),
    'merge-pull': mergesPulls(context),
    'move-file': movesFiles(context),
    'add-files': addsFiles(context),
    'follow-base': followsBase(context),
    publish: publishes(context),
    write: alone(context, writes(context)),
    remember: memories(context),
    procedure: procedures(context, () => all),
    item: mirrored(context, items(context, inLane, messages)),
    look: looks(context),
    park: parks(context),
    unpark: unparks(context),
  };
  return all;
}
