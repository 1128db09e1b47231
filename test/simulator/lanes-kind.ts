// Missions of several lanes: agents of different items write one file, or make what holds only alone; a person commits and edits in their own work
// tree meanwhile. Nothing of it may be lost, and no item is overtaken twice in a row.
import { FEATURES, TASKS } from './backlog-kind.ts';
import { InvariantViolation } from './invariant-violation.ts';
import type { Hands } from './behaviours.ts';
import type { Kind } from './kind.ts';
import { aloneOf, itemsIn, isTrue, othersAlone } from './list.ts';
import { MISSION } from './mission-kind.ts';
import { playMission, type Mission, type Mutant, type Report } from './mission.ts';
import { count } from './ledger.ts';
import { addCommit, headOf, history, withFiles, type Repository } from './repository.ts';

const MINUTE = 60_000;
const SHARED = 'src/shared.txt';

type Person = {
  readonly commits: string[];
  /** Not committed: path → text. */
  readonly edits: Map<string, string>;
  /** Items that the last session lost to others, with the newest commit of a person then. */
  readonly overtaken: Map<string, string | undefined>;
  files: number;
};
const persons = new WeakMap<Repository, Person>();
function personOf({ repo }: Mission): Person {
  const known = persons.get(repo) ?? { commits: [], edits: new Map(), overtaken: new Map(), files: 0 };
  persons.set(repo, known);
  return known;
}

/** What a lane has in common with others. */
function meets({ mission: { repo, ledger }, ask, dice, write }: Hands): void {
  const item = ask.item ?? '';
  const isAlone = othersAlone(repo.work, item).length === 0;
  if (!isAlone && repo.work.has(aloneOf(item))) write({ [aloneOf(item)]: null });
  else if (isAlone && dice.happens(0.15)) {
    count(ledger.acts, 'alone');
    write({ [aloneOf(item)]: 'only this one\n' });
  }
  if (dice.happens(0.3)) {
    count(ledger.acts, 'shared');
    write({ [SHARED]: `made by ${item}, session ${ask.session}\n` });
  }
}

const meeting = (kind: Kind): Kind => ({
  ...kind,
  name: `${kind.name} in lanes`,
  mostAtOnce: 4,
  // Sessions of no item, such as a curator's, may be beside each other.
  workOn: ({ item, session }) => item ?? `session ${session}`,
  longest: { calls: 2_000, minutes: 240 },
  dies: 0.4,
  async perform(behaviour, hands) {
    const isWorker = hands.ask.role === undefined || !['validator', 'crosscheck'].includes(hands.ask.role);
    if (isWorker && behaviour === 'honest' && !hands.isCut()) meets(hands);
    return kind.perform(behaviour, hands);
  },
  beside,
  notified,
  afterLife(mission, end) {
    kind.afterLife(mission, end);
    personIsRespected(mission);
  },
  atEnd(mission) {
    kind.atEnd(mission);
    personIsRespected(mission);
    nothingIsLeft(mission);
  },
});

function beside(mission: Mission, dice: Parameters<NonNullable<Kind['beside']>>[1]): void {
  const { repo, time, ledger } = mission;
  const person = personOf(mission);
  const commit = (path: string, text: string): void => {
    const at = time.clock.iso();
    const made = addCommit(repo, {
      tree: withFiles(headOf(repo).tree, { [path]: text }),
      subject: 'mine',
      at,
      trailers: {},
    });
    repo.work = withFiles(repo.work, { [path]: text });
    person.commits.push(made.id);
    person.edits.delete(path);
    count(ledger.acts, 'a person commits');
  };
  const path = dice.happens(0.4) ? SHARED : `mine/${(person.files += 1)}.txt`;
  if (person.edits.has(path)) return;
  const text = `mine, ${(person.files += 1)}\n`;
  if (dice.happens(0.5)) return commit(path, text);
  repo.work = withFiles(repo.work, { [path]: text });
  person.edits.set(path, text);
  count(ledger.acts, 'a person edits');
  // People survive every crash.
  time.own().alarm(dice.between(5, 90) * MINUTE, () => person.edits.get(path) === text && commit(path, text));
}

function personIsRespected(mission: Mission): void {
  const { repo } = mission;
  const { commits, edits } = personOf(mission);
  const rule = 'nothing of a person is lost';
  const reached = new Set([...history(repo)].map(({ id }) => id));
  for (const id of commits) if (!reached.has(id)) throw new InvariantViolation(rule, `their commit ${id}`);
  for (const [path, text] of edits)
    if (repo.work.get(path) !== text) throw new InvariantViolation(rule, `their edit of ${path}`);
}

/** An item that lost a session to others is next, and lands before them, unless it waits for an answer: the others do not. */
const notified: NonNullable<Kind['notified']> = (mission, { type, item = '', data }) => {
  const { commits, overtaken } = personOf(mission);
  if (type === 'gate-opened') overtaken.delete(item);
  if (type !== 'item-ended') return;
  const { ledger } = mission;
  const isOvertaken = data?.['reason'] === 'overtaken';
  if (isOvertaken) count(ledger.acts, 'overtaken');
  const isAgain = isOvertaken && overtaken.has(item) && overtaken.get(item) === commits.at(-1);
  if (isAgain) mission.violation ??= new InvariantViolation('an item is overtaken once', `#${item}`);
  if (isOvertaken) overtaken.set(item, commits.at(-1));
  else overtaken.delete(item);
};

/** Everything has landed: no work waits, and no work tree has any. */
function nothingIsLeft({ repo, ledger }: Mission): void {
  const rule = 'nothing is left';
  const isDone = itemsIn(headOf(repo).tree).every(({ passes }) => passes);
  if (!isDone || !ledger.ends.has('done: nothing-left')) return;
  if (repo.parked.size > 0) throw new InvariantViolation(rule, `${repo.parked.size} items are parked`);
  for (const { id } of itemsIn(headOf(repo).tree))
    if (repo.wips.has(String(id)) && isTrue(headOf(repo).tree, String(id)))
      throw new InvariantViolation(rule, `work in progress of #${id}`);
}

/** A list of each machine that works on several items. */
const IN_LANES: readonly Kind[] = [FEATURES, TASKS, MISSION].map(meeting);
export const playLanes = (seed: number, how: { readonly mutant?: Mutant } = {}): Promise<Report> =>
  playMission(seed, {
    ...how,
    as: { kind: IN_LANES[seed % IN_LANES.length]!, areLanes: true, mode: { untilDone: true } },
  });
