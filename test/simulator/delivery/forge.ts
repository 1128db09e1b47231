// A forge in memory: what the performers of a delivery do there, on the repository of the mission. Each finds what it has done; each may be cut before
// or after its effect, and the forge may not answer.
import { isTreeHeld } from '../../../src/loop/held-tree.ts';
import { repeatable } from '../../../src/loop/performers/repeatable.ts';
import type { RunContext } from '../../../src/loop/run-context.ts';
import type { Blocked } from '../../../src/engine/types.ts';
import { branchOf } from '../../../src/playbooks/delivery/paths.ts';
import { failure } from '../../../src/model/failure.ts';
import { count } from '../ledger.ts';
import type { Kind } from '../kind.ts';
import type { Mission } from '../mission.ts';
import type { ProcessRun } from '../process-run.ts';
import { withFiles } from '../repository.ts';
import { baseOf, commitOnBase, mergeOf, personCommits, planFile, remoteOf, type SimulatedPull } from './desk.ts';
import { merges } from './rules.ts';

/** Its limits are used up for longer than an adapter waits, or it is down. */
function outage(mission: Mission): Blocked | null {
  if (!remoteOf(mission).dice.happens(0.015)) return null;
  count(mission.ledger.acts, 'forge unreachable');
  return { blocked: failure('forge-unreachable', { host: 'origin', words: 'rate limit' }) };
}

const pullOf = (mission: Mission, item: string): SimulatedPull | undefined =>
  remoteOf(mission).pulls.find((one) => one.item === item);

/** One check of five has not ended at first; one of seven fails. */
function checkOf(mission: Mission, sha: string): 'pending' | 'passed' | 'failed' {
  const { checks, asked, dice } = remoteOf(mission);
  const times = (asked.get(sha) ?? 0) + 1;
  asked.set(sha, times);
  if (!checks.has(sha) && times < 4 && dice.happens(0.4)) return 'pending';
  const state = checks.get(sha) ?? (dice.happens(0.15) ? 'failed' : 'passed');
  checks.set(sha, state);
  count(mission.ledger.acts, `checks ${state}`);
  return state;
}

export const forge: NonNullable<Kind['forge']> = (lane: RunContext, { mission }: ProcessRun) => {
  const { repo, ledger } = mission;
  return {
    propose: {
      async perform({ item, commit }) {
        const down = outage(mission);
        if (down !== null) return down;
        const known = pullOf(mission, item);
        if (known?.state === 'merged' && known.sha === commit)
          return { number: known.number, url: `#${known.number}`, isMerged: true };
        await lane.io.effect('forge push', async () => {
          const open = pullOf(mission, item);
          if (open?.state === 'open') open.sha = commit;
        });
        await lane.io.effect('forge open', async () => {
          const { pulls } = remoteOf(mission);
          if (pulls.some((one) => one.item === item && one.state === 'open')) return;
          pulls.push({ number: pulls.length + 1, item, state: 'open', sha: commit, label: null, merge: null });
        });
        const { number } = remoteOf(mission).pulls.findLast((one) => one.item === item)!;
        return { number, url: `#${number}`, isMerged: false };
      },
      probe: repeatable,
    },
    'find-pull': {
      async perform({ branch }) {
        const down = outage(mission);
        if (down !== null) return down;
        const known = remoteOf(mission).pulls.findLast(({ item }) => branchOf(item) === branch);
        return known === undefined ? { state: 'none' } : { state: known.state, head: known.sha };
      },
      probe: repeatable,
    },
    ci: {
      async perform({ commit }) {
        const down = outage(mission);
        if (down !== null) return down;
        const { dice } = remoteOf(mission);
        if (dice.happens(0.15)) personCommits(mission);
        const state = checkOf(mission, commit);
        return { state, checks: [{ name: 'ci', state, summary: state }], mayCome: true };
      },
      probe: repeatable,
    },
    'merge-pull': {
      async perform({ number, head, label }) {
        const down = outage(mission);
        if (down !== null) return down;
        const pull = remoteOf(mission).pulls.find((one) => one.number === number)!;
        await lane.io.effect('forge label', async () => void (pull.label = label));
        if (pull.sha !== head)
          return { commit: null, failure: failure('forge-head-moved', { number, expected: head, found: pull.sha }) };
        if (pull.state === 'merged') return { commit: pull.merge ?? '', failure: null };
        const tree = mergeOf(mission, head);
        if (tree === null) {
          count(ledger.acts, 'merge refused');
          return { commit: null, failure: failure('forge-not-mergeable', { number, words: 'conflict' }) };
        }
        await lane.io.effect('forge merge', async () => {
          const of = repo.commits.get(head)!;
          const commit = commitOnBase(mission, `merge #${number}`, tree, of.trailers);
          Object.assign(pull, { state: 'merged', merge: commit.id });
          merges(mission, pull, commit);
        });
        return { commit: pull.merge ?? '', failure: null };
      },
      probe: repeatable,
    },
    'move-file': {
      async perform({ item, from, to, subject }) {
        const down = outage(mission);
        if (down !== null) return down;
        const { tree } = baseOf(mission);
        const text = tree.get(from);
        if (text === undefined) return { commit: null };
        let made = '';
        await lane.io.effect('forge move', async () => {
          made = commitOnBase(mission, subject, withFiles(tree, { [from]: null, [to]: text })).id;
          const { moves } = remoteOf(mission);
          if (from === planFile(item)) moves.set(item, (moves.get(item) ?? 0) + 1);
        });
        return { commit: made };
      },
      probe: repeatable,
    },
    'follow-base': {
      async perform({ item }) {
        const down = outage(mission);
        if (down !== null) return down;
        if (item === null && isTreeHeld(lane.workspaceDir)) return { commit: remoteOf(mission).base };
        await lane.io.effect('git follow', async () => {
          repo.head = remoteOf(mission).base;
          repo.work = baseOf(mission).tree;
        });
        return { commit: repo.head };
      },
      probe: repeatable,
    },
  };
};
