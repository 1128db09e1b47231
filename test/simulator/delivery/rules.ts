// The rules of a delivery, at the act that can break them and between two runs. None believes what the machine says of itself: they go by what is on the
// remote, what roles said of which tree, and what people answered.
import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { openGates } from '../../../src/gates/store.ts';
import { quickIo } from '../../support/quick-io.ts';
import { InvariantViolation } from '../invariant-violation.ts';
import type { Kind } from '../kind.ts';
import type { Mission } from '../mission.ts';
import { changedBetween, idOf, type Commit, type Tree } from '../repository.ts';
import { baseOf, dependenciesOf, IDS, isTrue, mergedFile, planFile, remoteOf, type SimulatedPull } from './desk.ts';

export const judgedTree = (item: string, tree: Tree): string => `${item} ${idOf(tree)}`;
/** What a plan changes: a newer base below it is proved and looked at before the merge, and not reviewed again. */
export function judgedChange(item: string, base: Tree, tree: Tree): string {
  const changed = changedBetween(base, tree).map((path) => [path, tree.get(path) ?? null]);
  return `${item} ${JSON.stringify(changed)}`;
}

/** Whether a person let the findings of this plan pass. */
function isLetPass({ privateDir, time }: Mission, item: string): boolean {
  const all = openGates({ dir: join(privateDir, 'gates'), io: quickIo(), clock: time.clock }).list({ open: false });
  return (
    all.ok &&
    all.value.some(
      ({ gate, closed }) =>
        gate.subject === 'delivery-review' &&
        gate.item === item &&
        closed?.how === 'answered' &&
        closed.option === 'merge',
    )
  );
}

/** A merge is done. */
export function merges(mission: Mission, { item, sha, label }: SimulatedPull, commit: Commit): void {
  const { ledger, repo } = mission;
  const remote = remoteOf(mission);
  const must = (isSo: boolean, how: string): void => {
    if (!isSo)
      mission.violation ??= new InvariantViolation(
        'what is merged was proved, reviewed and checked',
        `${item}: ${how}`,
      );
  };
  const head = repo.commits.get(sha)!;
  must(isTrue(commit.tree, item), 'its test fails');
  must(remote.checks.get(sha) === 'passed', `its checks are ${remote.checks.get(sha)}`);
  must(label === 'ready-to-merge', 'it has no label');
  must(remote.ready.has(judgedTree(item, head.tree)), 'no merge-checker let it pass');
  const change = judgedChange(item, repo.commits.get(head.parent ?? '')?.tree ?? new Map(), head.tree);
  must(remote.reviewed.has(change) || isLetPass(mission, item), 'no reviewer let it pass');
  for (const other of dependenciesOf(item)) must(isFree(mission, other), `${other} is not merged`);
  if (ledger.landed.some((one) => one.item === item))
    mission.violation ??= new InvariantViolation('nothing lands twice', `plan ${item}`);
  const session = Number(head.trailers['Harness-Session']);
  ledger.landed.push({ item, session, commit: commit.id });
}

const isMerged = (mission: Mission, item: string): boolean =>
  remoteOf(mission).pulls.some((one) => one.item === item && one.state === 'merged');
type Listed = { readonly id: string; readonly skipped?: { readonly unblock: boolean }; readonly override?: object };
function listed({ root }: Mission): readonly Listed[] {
  const file = join(root, '.harness', 'plans.json');
  if (!existsSync(file)) return [];
  return (JSON.parse(readFileSync(file, 'utf8')) as { plans: readonly Listed[] }).plans;
}
const isFree = (mission: Mission, item: string): boolean =>
  isMerged(mission, item) || listed(mission).some(({ id, skipped }) => id === item && skipped?.unblock === true);

/** Whatever ended the run. */
export const afterLife: Kind['afterLife'] = (mission, ended) => {
  const { pulls, moves } = remoteOf(mission);
  const broken = (rule: string, how: string): InvariantViolation => new InvariantViolation(rule, how);
  for (const id of IDS) {
    const own = pulls.filter(({ item }) => item === id);
    if (own.length > 1) throw broken('a plan has one pull request', `${id} has ${own.length}`);
    const moved = moves.get(id) ?? 0;
    if (moved > (isMerged(mission, id) ? 1 : 0))
      throw broken('a plan file is moved once, after the merge', `${id}: ${moved}`);
  }
  if (ended.end === 'verdict' && ended.reason === 'nothing-left') nothingIsLeft(mission);
};

/** Everything that can be merged is, and the rest has a reason: a person skipped it, or what it waits for. */
function nothingIsLeft(mission: Mission): void {
  const { tree } = baseOf(mission);
  const walls = new Set(listed(mission).flatMap(({ id, skipped, override }) => ((skipped ?? override) ? [id] : [])));
  for (const id of IDS) {
    const isHere = tree.has(mergedFile(id)) && !tree.has(planFile(id));
    if (isMerged(mission, id) !== isHere)
      throw new InvariantViolation('a plan file is moved once, after the merge', `${id} at the end`);
    if (isHere) continue;
    const reason = [id, ...allBefore(id)].find((one) => walls.has(one));
    if (reason === undefined)
      throw new InvariantViolation('all that can be merged is', `${id} is not, without a reason`);
  }
}

const allBefore = (id: string): readonly string[] => dependenciesOf(id).flatMap((one) => [one, ...allBefore(one)]);
