// What really happened in a mission, kept beside the harness and never read by it: who wrote what, what it cost, what landed.
// Rules that can be broken by a single act are checked at that act; the others in rules.ts.
import { measuresOf, raisedTo, type Raise, type BudgetScope } from '../../src/model/budget.ts';
import type { Config } from '../../src/model/config.ts';
import { InvariantViolation } from './invariant-violation.ts';
import { headOf, history, type Repository, type Tree, type Wip } from './repository.ts';

/** Money in ten-thousandths of a dollar: sums are exact. */
export const UNIT = 10_000;
type Spent = {
  readonly item: string;
  units: number;
  /** Its last report. */
  last: number;
  /** Of turns whose wrapper died before any process could report it. */ unheard: number;
};

export type Ledger = {
  readonly spent: Map<number, Spent>;
  /** Sessions that are not closed yet. */
  readonly open: Set<number>;
  /** Session → token of the action that began it. */
  readonly owners: Map<number, string>;
  readonly turns: Map<number, number>;
  readonly landed: { readonly item: string; readonly session: number; readonly commit: string }[];
  /** Paths of files that agents wrote, each once and with a text of its own. */
  readonly written: Set<string>;
  /** Items a person vouched for without proof. */
  readonly vouched: Set<string>;
  raised: readonly Raise[];
  workedMs: number;
  runs: number;
  deaths: number;
  questions: number;
  /** The largest report of any agent. */
  largest: number;
  /** Agents at work at the same time. */
  most: number;
  readonly ends: Map<string, number>;
  readonly acts: Map<string, number>;
};

export const emptyLedger = (): Ledger => ({
  spent: new Map(),
  open: new Set(),
  owners: new Map(),
  turns: new Map(),
  landed: [],
  written: new Set(),
  vouched: new Set(),
  raised: [],
  workedMs: 0,
  runs: 0,
  deaths: 0,
  questions: 0,
  largest: 0,
  most: 0,
  ends: new Map(),
  acts: new Map(),
});

export const count = (counts: Map<string, number>, name: string, more = 1): void =>
  void counts.set(name, (counts.get(name) ?? 0) + more);

const sum = (all: Iterable<Spent>): number => {
  let units = 0;
  for (const one of all) units += one.units - one.unheard;
  return units;
};

/**
 * A budget is not to be exceeded by more than one report of each who is at work: before each one, there was money left. `lanes`: others have shares
 * of the project's, which none of them exceeds by more than one report.
 */
export function paysFor(
  ledger: Ledger,
  { config, lanes }: { readonly config: Config; readonly lanes: number },
  { session, item, units }: { readonly session: number; readonly item: string; readonly units: number },
): void {
  ledger.largest = Math.max(ledger.largest, units);
  ledger.largest = Math.max(ledger.largest, units);
  const mine = ledger.spent.get(session) ?? { item, units: 0, last: 0, unheard: 0 };
  // Those beside it may each have had one report too many.
  const all = [...ledger.spent].map(([number, one]) =>
    number !== session && ledger.open.has(number) ? { ...one, units: one.units - one.last } : one,
  );
  const before: { readonly [S in BudgetScope]: number } = {
    session: mine.units - mine.unheard,
    feature: sum(all.filter((one) => one.item === item)),
    project: sum(all),
  };
  for (const measure of measuresOf(config).filter(({ unit }) => unit === 'usd')) {
    const { scope } = measure;
    const limit = raisedTo(measure, ledger.raised, item);
    // Sessions of no item are of several lanes: what a crash cut in one of them is not known to the others before it continues.
    if (lanes > 1 && scope === 'feature' && item === '') continue;
    const beside = scope === 'project' && lanes > 1 ? lanes * ledger.largest : 0;
    if (before[scope] > Math.round(limit * UNIT) + beside)
      throw new InvariantViolation(
        'a budget is never exceeded by more than one report',
        `session ${session} reports ${units / UNIT} more, with ${before[scope] / UNIT} of ${limit} (${scope}) spent`,
      );
  }
  ledger.spent.set(session, { ...mine, units: mine.units + units, last: units });
}

/** An agent begins a turn. `work`: what it works on; `most`: how many may be at work side by side. */
export function beginsTurn(
  ledger: Ledger,
  { session, owner, work }: { readonly session: number; readonly owner: string; readonly work: string },
  { working, most }: { readonly working: ReadonlySet<string>; readonly most: number },
): void {
  if (working.has(work) || working.size >= most)
    throw new InvariantViolation(
      'nothing is worked on twice at once',
      `session ${session} begins, and ${[...working].join()} is at work`,
    );
  ledger.most = Math.max(ledger.most, working.size + 1);
  const known = ledger.owners.get(session);
  if (known !== undefined && known !== owner)
    throw new InvariantViolation('a number is one session', `session ${session} of ${known} is also that of ${owner}`);
  ledger.owners.set(session, owner);
  ledger.open.add(session);
  const turns = (ledger.turns.get(session) ?? 0) + 1;
  ledger.turns.set(session, turns);
  if (turns > 90) throw new InvariantViolation('a session has an end', `session ${session} is in turn ${turns}`);
}

/** Everything any tree has that can still be reached. */
export function kept(repo: Repository): ReadonlySet<string> {
  const paths = new Set(repo.work.keys());
  const add = (tree: Tree): void => tree.forEach((_, path) => paths.add(path));
  for (const { tree } of history(repo)) add(tree);
  for (const { tree } of repo.attempts.values()) add(tree);
  for (const wip of repo.wips.values()) for (let one: Wip | null = wip; one !== null; one = one.before) add(one.tree);
  for (const { tree } of repo.parked.values()) add(tree);
  for (const one of repo.beside.values()) {
    add(one.work);
    for (const { tree } of history(one)) add(tree);
  }
  // What parallel sessions strayed to has no attempt of its own: a checkpoint was made of it.
  repo.refs.forEach(({ tree }, ref) => /^refs\/(?:harness\/checkpoints|heads)\//.test(ref) && add(tree));
  add(headOf(repo).tree);
  return paths;
}
