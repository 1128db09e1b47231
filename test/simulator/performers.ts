// Who performs what in a simulated run: the product's own performers wherever they touch nothing outside, and beside them
// what git, tests and proofs do, on the repository in memory. Each recognises by its token what it has done.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageQueue } from '../../src/engine/message-queue.ts';
import type { ActionOf, Performer, Performers } from '../../src/engine/types.ts';
import type { RunContext } from '../../src/loop/run-context.ts';
import { alone, landingAlone } from '../../src/loop/performers/alone.ts';
import { waitingForUser } from '../../src/loop/performers/in-the-way.ts';
import { numbers } from '../../src/loop/performers/number.ts';
import { asks } from '../../src/loop/performers/ask.ts';
import { choosesAgents } from '../../src/loop/performers/choose-agent.ts';
import { items } from '../../src/loop/performers/item.ts';
import { looks } from '../../src/loop/performers/park.ts';
import { procedures, surveys } from '../../src/loop/performers/procedure.ts';
import { publishes } from '../../src/loop/performers/remote.ts';
import { memories } from '../../src/loop/performers/remember.ts';
import { givesTurns } from '../../src/loop/performers/landing-turn.ts';
import { repeatable } from '../../src/loop/performers/repeatable.ts';
import { waits } from '../../src/loop/performers/wait.ts';
import { readCosts } from '../../src/loop/records/costs.ts';
import type { Actions } from '../../src/model/action.ts';
import { ok } from '../../src/model/result.ts';
import { simulatedChecks, simulatedStrengths } from './checks.ts';
import { simulatedCommits, simulatedUnwinds } from './commits.ts';
import { simulatedTidies, simulatedWrites } from './files.ts';
import { placeIn } from './lanes.ts';
import type { ProcessRun } from './process-run.ts';
import {
  simulatedCheckpoints,
  simulatedPatches,
  simulatedRestores,
  simulatedRollbacks,
  simulatedStashes,
} from './snapshots.ts';
import {
  checkpointOnto,
  hasAgentCommits,
  simulatedBrings,
  simulatedParks,
  simulatedTakesTurns,
  simulatedUnparks,
} from './parked.ts';
import { simulatedDropsWip, simulatedKeepsWip, simulatedTakesWip } from './wips.ts';
import { beforeTurn, simulatedAbandons, simulatedCloses, simulatedTurns } from './turns.ts';

export type A<K extends keyof Actions> = Performer<ActionOf<Actions, K>, Actions[K][1]>;

/** Most simulated missions have no pull requests. */
const noForge = {
  perform: async () => Promise.reject(new Error('no forge is simulated')),
  probe: repeatable,
};

export function simulatedPerformers(
  lane: RunContext,
  processRun: ProcessRun,
  messages: MessageQueue,
): Performers<Actions> {
  const { mission } = processRun;
  const { kind, mutant } = mission;
  const inLane = (context: RunContext): Performers<Actions> =>
    context === lane
      ? all
      : simulatedPerformers(context, { ...processRun, mission: processRun.besideOf(context.lane) }, messages);
  const own: Performers<Actions> = {
    survey: surveys(lane, messages),
    ask: asks(lane),
    wait: waits(lane),
    publish: publishes(lane),
    write: alone(lane, simulatedWrites(lane, processRun)),
    remember: remembering(lane, processRun),
    procedure: procedures(lane, () => all),
    item: waiting(items(lane, inLane, messages), lane, processRun),
    // No program is looked for: real time would pass, and no agent is installed.
    'choose-agent': choosesAgents(lane, () => Promise.resolve(ok(null))),
    number: numbers(lane),
    session: simulatedTurns(lane, processRun),
    close: simulatedCloses(lane, processRun),
    abandon: simulatedAbandons(lane, processRun),
    check: simulatedChecks(lane, processRun),
    strength: simulatedStrengths(lane, processRun),
    pages: { perform: async () => ({ problems: [], text: '# /', folder: '' }), probe: repeatable },
    checkpoint: simulatedCheckpoints(lane, processRun),
    rollback: simulatedRollbacks(lane, processRun),
    restore: simulatedRestores(lane, processRun),
    tidy: simulatedTidies(lane, processRun),
    'keep-wip': simulatedKeepsWip(lane, processRun),
    'drop-wip': simulatedDropsWip(lane, processRun),
    'take-turn': simulatedTakesTurns(lane, processRun),
    'give-turn': givesTurns(lane),
    bring: simulatedBrings(lane, processRun),
    look: looks(lane),
    park: simulatedParks(lane, processRun),
    unpark: simulatedUnparks(lane, processRun),
    ...(kind.forge?.(lane, processRun) ?? {
      propose: noForge,
      'find-pull': noForge,
      ci: noForge,
      'merge-pull': noForge,
      'move-file': noForge,
      'follow-base': noForge,
    }),
    'add-files': noForge,
    site: { perform: async () => Promise.reject(new Error('no site is simulated')), probe: repeatable },
    commit: waitingForUser(lane, landingAlone(lane, simulatedCommits(lane, processRun))),
    push: { perform: async () => ({ pushed: false, remote: null, failure: null }), probe: repeatable },
    merge: { perform: async () => Promise.reject(new Error('no remote is simulated')), probe: repeatable },
    'take-wip': simulatedTakesWip(lane, processRun),
    'take-tree': { perform: async () => Promise.reject(new Error('no competition is simulated')), probe: repeatable },
    unwind: simulatedUnwinds(lane, processRun),
    patch: simulatedPatches(lane, processRun),
    stash: simulatedStashes(lane, processRun),
  };
  const changed = mutant.performers?.(own, processRun) ?? own;
  const watched = kind.watching?.(changed, processRun) ?? changed;
  const all = lane.lanes === null ? watched : processRun.scheduled(watched);
  return all;
}

/** What the agent of a waiting item committed is taken off the branch. */
const waiting = (real: A<'item'>, lane: RunContext, processRun: ProcessRun): A<'item'> => ({
  ...real,
  async perform(ask, context) {
    const done = await real.perform(ask, context);
    const { repo } = (await placeIn(lane, processRun, ask.lane, ask.item)).mission;
    const folder = lane.sessions.pointer(ask.session)?.folder;
    const before = 'gate' in done && done.gate !== null && folder !== undefined ? beforeTurn(repo, folder, 1) : null;
    if (before === null) return done;
    if (repo.user === null) repo.head = checkpointOnto(repo, before).head;
    else if (hasAgentCommits(repo)) repo.head = before.head;
    return done;
  },
});

/** What a person allowed on top counts for the rule about budgets from the moment it is written. */
const remembering = (lane: RunContext, { mission: { ledger, privateDir } }: ProcessRun): A<'remember'> => {
  const real = memories(lane);
  return {
    ...real,
    async perform(ask, context) {
      // Which objects of git a verdict rests on is of no matter here.
      if (ask.what === 'review') return { file: join(privateDir, 'review.json') };
      const done = await real.perform(ask, context);
      const file = join(privateDir, 'costs.yaml');
      const costs = ask.what === 'budget' ? readCosts(readFileSync(file, 'utf8'), file) : null;
      if (costs?.ok === true) ledger.raised = costs.value?.raised ?? [];
      return done;
    },
  };
};
