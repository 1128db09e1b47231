// The landings of one item on the current branch, or on that of a run, oldest first, and their commits on another base.
import type { FoundLanding } from '../../verify/chain.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { EVIDENCE_TRAILER } from '../../repos/message.ts';
import type { Git, ObjectId } from '../../repos/git.ts';
import { readHead } from '../../repos/head.ts';
import { messageOf, pickOnto } from '../../repos/pick.ts';
import { readObjects } from '../../repos/objects.ts';
import { isWithin } from '../../repos/remote.ts';
import { readLandedFacts, type LandedFacts } from '../evidence/landed-facts.ts';
import { landingsIn } from '../evidence/landings.ts';

/** On a commit that is not the landing itself, instead of its evidence: that is of another tree. */
export const PICKED = 'Harness-Picked';

/** `more`: another commit whose history counts, such as that of a run's branch. */
export async function landingsOfItem(
  git: Git,
  item: string,
  more: ObjectId | null = null,
): Promise<Result<readonly FoundLanding[]>> {
  const head = await readHead(git);
  if (!head.ok) return head;
  const tips = [head.value.commit, more].filter((tip) => tip !== null);
  const all = await landingsIn(git);
  if (!all.ok) return all;
  const own: FoundLanding[] = [];
  for (const landing of all.value.here) {
    if (landing.trailers['Harness-Item'] !== item) continue;
    for (const tip of tips) {
      const isHere = await isWithin(git, landing.commit, tip);
      if (!isHere.ok) return isHere;
      if (!isHere.value) continue;
      own.push(landing);
      break;
    }
  }
  return own.length === 0 ? err(failure('pr-not-landed', { item })) : ok(own.reverse());
}

/** What the repository says of each. */
export async function factsOf(
  git: Git,
  item: string,
  landings: readonly FoundLanding[],
): Promise<readonly { readonly landing: FoundLanding; readonly facts: LandedFacts }[]> {
  const noted = landings.map(({ commit, trailers }) => ({
    item,
    session: Number(trailers['Harness-Session'] ?? 0),
    run: trailers['Harness-Run'] ?? '',
    commit,
  }));
  const facts = await readLandedFacts(git, noted);
  return landings.flatMap((landing, n) => {
    const own = facts[n];
    return own === undefined ? [] : [{ landing, facts: own }];
  });
}

export type Placed = { readonly landing: ObjectId; readonly commit: ObjectId };

/**
 * The landings one after the other on a base; those whose work is there already are left out. A landing that fits exactly is itself, with its
 * evidence. Fails with `pr-conflict`.
 */
export async function placeOn(
  git: Git,
  ask: {
    readonly item: string;
    readonly landings: readonly FoundLanding[];
    readonly base: ObjectId;
    readonly baseBranch: string;
    /** The progress log. */
    readonly growing: string;
  },
): Promise<Result<readonly Placed[]>> {
  const placed: Placed[] = [];
  let onto = ask.base;
  for (const { commit: landing, parents } of ask.landings) {
    if (parents[0] === onto) {
      placed.push({ landing, commit: landing });
      onto = landing;
      continue;
    }
    const message = await messageOf(git, landing);
    if (!message.ok) return message;
    const text = pickedMessage(message.value, landing);
    const picked = await pickOnto(git, { commit: landing, onto, message: text, growing: ask.growing });
    if (!picked.ok) return picked;
    if ('conflicts' in picked.value) {
      const files = picked.value.conflicts;
      return err(
        failure('pr-conflict', {
          item: ask.item,
          commit: landing.slice(0, 12),
          branch: ask.baseBranch,
          files: files.slice(0, 10).join(', '),
          count: files.length,
        }),
      );
    }
    const trees = await readObjects(git, [`${onto}^{tree}`, `${picked.value.commit}^{tree}`]);
    if (!trees.ok) return trees;
    if (trees.value[0]?.id === trees.value[1]?.id) continue;
    placed.push({ landing, commit: picked.value.commit });
    onto = picked.value.commit;
  }
  return ok(placed);
}

/** The message of the landing, that names it instead of its evidence and of the intent that made it. */
export function pickedMessage(message: string, landing: ObjectId): string {
  const lines = message
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith(`${EVIDENCE_TRAILER}: `) && !line.startsWith('Harness-Token: '));
  return `${lines.join('\n')}\n${PICKED}: ${landing}\n`;
}
