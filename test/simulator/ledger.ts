// What really happened in a mission, kept beside the harness and never read by it: who wrote what, what it cost, what landed.
// Rules that can be broken by a single act are checked at that act; the others in rules.ts.
import { limitsFor, type Raise, type Scope } from '../../src/model/budget.ts';
import type { Config } from '../../src/model/config.ts';
import { Breach } from './breach.ts';
import { headOf, history, type Commit, type Repository, type Tree } from './repository.ts';

/** Money in ten-thousandths of a dollar: sums are exact. */
export const UNIT = 10_000;
type Spent = {
  readonly item: string;
  units: number;
  /** Of turns whose wrapper died with everybody who could have told. */ unheard: number;
};

export type Ledger = {
  readonly spent: Map<number, Spent>;
  /** Session → token of the action that began it. */
  readonly owners: Map<number, string>;
  readonly turns: Map<number, number>;
  readonly landed: { readonly item: string; readonly session: number; readonly commit: string }[];
  /** Paths of files that agents wrote, each once and with a text that is nobody else's. */
  readonly written: Set<string>;
  /** Items a person vouched for without proof. */
  readonly vouched: Set<string>;
  raised: readonly Raise[];
  workedMs: number;
  lives: number;
  deaths: number;
  questions: number;
  readonly ends: Map<string, number>;
  readonly acts: Map<string, number>;
};

export const emptyLedger = (): Ledger => ({
  spent: new Map(),
  owners: new Map(),
  turns: new Map(),
  landed: [],
  written: new Set(),
  vouched: new Set(),
  raised: [],
  workedMs: 0,
  lives: 0,
  deaths: 0,
  questions: 0,
  ends: new Map(),
  acts: new Map(),
});

export const count = (counts: Map<string, number>, name: string, more = 1): void =>
  void counts.set(name, (counts.get(name) ?? 0) + more);

/** The test of an item passes exactly where its work is done. */
export const isTrue = (tree: Tree, item: string): boolean => tree.get(workOf(item)) === DONE;
export const workOf = (item: string): string => `src/f${item}.txt`;
export const DONE = 'works\n';

export type Item = {
  readonly id: number;
  readonly passes: boolean;
  readonly skipped?: unknown;
  readonly failing?: unknown;
};
export const itemsIn = (tree: Tree): readonly Item[] =>
  (JSON.parse(tree.get('features.json') ?? '{"features":[]}') as { features: readonly Item[] }).features;

const sum = (all: Iterable<Spent>): number => {
  let units = 0;
  for (const one of all) units += one.units - one.unheard;
  return units;
};

/** A budget is not to be exceeded by more than one report: before each one, there was money left. */
export function paysFor(ledger: Ledger, { costs }: Config, session: number, item: string, units: number): void {
  const mine = ledger.spent.get(session) ?? { item, units: 0, unheard: 0 };
  const limits = limitsFor(costs, ledger.raised, item);
  const all = [...ledger.spent.values()];
  const before: { readonly [S in Scope]: number } = {
    session: mine.units - mine.unheard,
    feature: sum(all.filter((one) => one.item === item)),
    project: sum(all),
  };
  for (const scope of ['session', 'feature', 'project'] as const) {
    const limit = limits[scope];
    if (limit !== null && before[scope] > Math.round(limit * UNIT))
      throw new Breach(
        'a budget is never exceeded by more than one report',
        `session ${session} reports ${units / UNIT} more, with ${before[scope] / UNIT} of ${limit} (${scope}) spent`,
      );
  }
  ledger.spent.set(session, { ...mine, units: mine.units + units });
}

/** An agent begins a turn. */
export function beginsTurn(ledger: Ledger, session: number, owner: string, working: ReadonlySet<string>): void {
  if (working.size > 0)
    throw new Breach(
      'nothing is worked on twice at once',
      `session ${session} begins, and ${[...working].join()} is at work`,
    );
  const known = ledger.owners.get(session);
  if (known !== undefined && known !== owner)
    throw new Breach('a number is one session', `session ${session} of ${known} is also that of ${owner}`);
  ledger.owners.set(session, owner);
  const turns = (ledger.turns.get(session) ?? 0) + 1;
  ledger.turns.set(session, turns);
  if (turns > 90) throw new Breach('a session has an end', `session ${session} is in turn ${turns}`);
}

/** Something was accepted: what it claims is true, and was not so before. */
export function lands(ledger: Ledger, repo: Repository, commit: Commit, item: string, session: number): void {
  const rule = 'what lands is true';
  const say = (how: string): Breach => new Breach(rule, `#${item}, session ${session}: ${how}`);
  const before = new Map(itemsIn(repo.commits.get(commit.parent ?? '')?.tree ?? new Map()).map((one) => [one.id, one]));
  for (const one of itemsIn(commit.tree)) {
    const isIt = String(one.id) === item;
    const was = before.get(one.id)?.passes === true;
    if (isIt && !one.passes) throw say('it is not marked as done');
    if (isIt && was) throw new Breach('nothing lands twice', `#${item}, session ${session}`);
    if (!isIt && one.passes && !was) throw say(`#${one.id} is marked as done with it`);
    if (one.passes && !isTrue(commit.tree, String(one.id)) && !ledger.vouched.has(String(one.id)))
      throw say(`the test of #${one.id} fails in what was accepted`);
  }
  if (ledger.landed.some((one) => one.session === session))
    throw new Breach('nothing lands twice', `session ${session} lands again, with #${item}`);
  ledger.landed.push({ item, session, commit: commit.id });
}

/** Everything any tree has that can still be reached. */
export function kept(repo: Repository): ReadonlySet<string> {
  const paths = new Set(repo.work.keys());
  const add = (tree: Tree): void => tree.forEach((_, path) => paths.add(path));
  for (const { tree } of history(repo)) add(tree);
  for (const { tree } of repo.attempts.values()) add(tree);
  add(headOf(repo).tree);
  return paths;
}
