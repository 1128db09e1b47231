// Every kind of action with who performs it. The one place where the kinds meet.
import type { MessageQueue } from '../../engine/message-queue.ts';
import type { Performers } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { RunContext } from '../run-context.ts';
import { abandons } from './abandon.ts';
import { asks } from './ask.ts';
import { checks } from './check.ts';
import { checkpoints, restores, rollbacks } from './checkpoint.ts';
import { choosesAgents } from './choose-agent.ts';
import { commits, stashes } from './commit.ts';
import { items } from './item.ts';
import { patches } from './patch.ts';
import { procedures } from './procedure.ts';
import { publishes } from './publish.ts';
import { memories } from './remember.ts';
import { merges, pushes } from './remote.ts';
import { closes, turns } from './session.ts';
import { strengths } from './strength.ts';
import { surveys } from './survey.ts';
import { tidies } from './tidy.ts';
import { unwinds } from './unwind.ts';
import { waits } from './wait.ts';
import { writes } from './write.ts';

export function performersOf(lane: RunContext, messages: MessageQueue): Performers<Actions> {
  const all: Performers<Actions> = {
    survey: surveys(lane),
    check: checks(lane),
    strength: strengths(lane),
    'choose-agent': choosesAgents(lane),
    session: turns(lane),
    close: closes(lane),
    abandon: abandons(lane),
    checkpoint: checkpoints(lane),
    rollback: rollbacks(lane),
    tidy: tidies(lane),
    restore: restores(lane),
    commit: commits(lane),
    push: pushes(lane),
    merge: merges(lane),
    unwind: unwinds(lane),
    patch: patches(lane),
    stash: stashes(lane),
    ask: asks(lane),
    wait: waits(lane),
    publish: publishes(lane),
    write: writes(lane),
    remember: memories(lane),
    procedure: procedures(lane, () => all),
    item: items(lane, () => all, messages),
  };
  return all;
}
