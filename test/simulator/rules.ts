// The rules that hold between runs and at the end of a mission, one small function each; what a single act can break is in
// ledger.ts. Each reads the durable state as another program would.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLines } from '../../src/engine/journal.ts';
import { openGates } from '../../src/gates/store.ts';
import { readCosts, type Costs } from '../../src/loop/records/costs.ts';
import { MOST_RESTS } from '../../src/model/retry.ts';
import { readSessionState, type SessionStateFile } from '../../src/playbooks/session/session-state.ts';
import { quickIo } from '../support/quick-io.ts';
import { InvariantViolation } from './invariant-violation.ts';
import { kept, UNIT } from './ledger.ts';
import type { Ended } from './process-run.ts';
import type { Mission } from './mission.ts';
import { history } from './repository.ts';

const DAY = 24 * 3_600_000;

/** Of rests the last is followed by a question: that one more is counted, but never waited for. */
const MOST_TRIES = Math.max(MOST_RESTS, 8);

/** Up to a fifth is added to each, so that many who wait do not come back at once. */
export function waitIsBounded({ time }: Mission, { until, attempt, of }: { readonly [key: string]: unknown }): void {
  const left = Date.parse(String(until)) - time.clock.now();
  if (!(left <= 1.2 * DAY)) throw new InvariantViolation('every wait ends', `it waits until ${String(until)}`);
  if (Number(attempt) > Math.min(Number(of), MOST_TRIES))
    throw new InvariantViolation('tries are bounded', `try ${String(attempt)} of ${String(of)}`);
}

type State = {
  readonly costs: Costs | null;
  readonly state: SessionStateFile | null;
  readonly records: readonly SessionRecord[];
};
type SessionRecord = {
  readonly session_id: number;
  readonly cost_usd: number | null;
  readonly tokens_used: { readonly input: number };
  readonly result: string;
  readonly attempt: string | null;
};

/** Everything that decides after a crash can be read. */
function stateIsLegible({ privateDir, stateDir, time }: Mission): State {
  const wrong = (file: string, why: unknown): InvariantViolation =>
    new InvariantViolation('state is legible', `${file}: ${JSON.stringify(why)}`);
  const textOf = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null);
  const names = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);
  for (const folder of ['.', 'items', 'procedures'])
    for (const name of names(join(privateDir, folder)).filter(
      (one) => one.endsWith('.jsonl') && one !== 'reports.jsonl',
    )) {
      const read = readLines(textOf(join(privateDir, folder, name)) ?? '');
      if (!read.ok) throw wrong(name, `line ${read.failure}`);
    }
  const stateFile = join(stateDir, 'session_state.json');
  const stateText = textOf(stateFile);
  const state = stateText === null ? null : readSessionState(stateText, stateFile);
  if (state !== null && !state.ok) throw wrong(stateFile, state.failure);
  const costsFile = join(privateDir, 'costs.yaml');
  const costs = readCosts(textOf(costsFile), costsFile);
  if (!costs.ok) throw wrong(costsFile, costs.failure);
  const gates = openGates({ dir: join(privateDir, 'gates'), io: quickIo(), clock: time.clock }).list({ open: false });
  if (!gates.ok) throw wrong('gates', gates.failure);
  const records = names(join(stateDir, 'sessions')).flatMap((name) => {
    const text = textOf(join(stateDir, 'sessions', name, 'session.json'));
    return text === null ? [] : [JSON.parse(text) as SessionRecord];
  });
  return { costs: costs.value, state: state?.value ?? null, records };
}

/** While a session is open its files are an agent's to damage: the window puts them back when the next run begins. */
export function holdBetweenRuns(mission: Mission, ended: Ended): void {
  if (mission.violation) throw mission.violation;
  nothingLandedIsLost(mission);
  if (mission.working.size > 0) throw new InvariantViolation('agents end with their run', [...mission.working].join());
  mission.kind.afterLife(mission, ended);
  if (ended.end === 'died' || ended.end === 'stopped') return;
  const state = stateIsLegible(mission);
  stuckIsBounded(mission, state);
  costsAreTrue(mission, state);
  // Where the run stopped in the middle of an item, the next one continues its sessions.
  if (ended.end === 'verdict' && ended.verdict !== 'blocked') noCostIsLost(mission, state);
  rejectedIsKept(mission, state);
}

export function holdAtTheEnd(mission: Mission): void {
  if (mission.violation) throw mission.violation;
  nothingLandedIsLost(mission);
  nothingWrittenIsLost(mission);
  mission.kind.atEnd(mission);
}

function stuckIsBounded({ config }: Mission, { state }: State): void {
  // Each session counts once, and a person is asked when it comes to so many; one that was cut for its budget counts too.
  const most = config.features.maxStuckSessions + 1;
  if ((state?.stuck_count ?? 0) > most)
    throw new InvariantViolation('being stuck is bounded', `${state?.stuck_count} sessions`);
}

/** Each session's cost is what its agents reported, once; the sum is the sum. */
function costsAreTrue({ ledger }: Mission, { costs, records }: State): void {
  const rule = 'costs recorded are costs spent';
  let sum = 0;
  const ended = new Set(records.map(({ session_id }) => session_id));
  // Its item waits for an answer: it is counted, and its record comes with its end.
  const waiting = (costs?.counted ?? []).filter(({ session_id }) => !ended.has(session_id));
  for (const { session_id, cost_usd } of [...records, ...waiting]) {
    const spent = ledger.spent.get(session_id);
    const units = (spent?.units ?? 0) - (spent?.unheard ?? 0);
    sum += units;
    if (Math.round((cost_usd ?? 0) * UNIT) !== units)
      throw new InvariantViolation(rule, `session ${session_id} cost ${units / UNIT}, and ${cost_usd} is recorded`);
  }
  const recorded = Math.round((costs?.cumulative.total_cost_usd ?? 0) * UNIT);
  const sessions = costs?.cumulative.total_sessions ?? 0;
  // Some are put away before they could say a word.
  const spoken = records.filter(({ tokens_used: { input } }) => input > 0).length;
  if (recorded !== sum || sessions < spoken || sessions > records.length + waiting.length)
    throw new InvariantViolation(
      rule,
      `${records.length} sessions cost ${sum / UNIT}; recorded are ${sessions} with ${recorded / UNIT}`,
    );
}

/** Also of sessions that a pause or a crash cut. */
function noCostIsLost({ ledger }: Mission, { costs, records }: State): void {
  const known = new Set([...records, ...(costs?.counted ?? [])].map(({ session_id }) => session_id));
  for (const [session, { units, unheard }] of ledger.spent)
    if (units > unheard && !known.has(session))
      throw new InvariantViolation(
        'no cost is lost',
        `session ${session} cost ${(units - unheard) / UNIT}, and has no record`,
      );
}

function rejectedIsKept({ repo }: Mission, { records }: State): void {
  const refs = new Set([...repo.attempts.values()].map(({ ref }) => ref).concat([...repo.refs.keys()]));
  for (const { session_id, result, attempt } of records)
    if (result === 'failed' && attempt !== null && !refs.has(attempt))
      throw new InvariantViolation('rejected work is kept', `session ${session_id}: ${attempt} is not there`);
}

function nothingLandedIsLost(mission: Mission): void {
  const { repo, ledger, kind } = mission;
  const reached = new Set([...history(repo, kind.newest?.(mission))].map(({ id }) => id));
  for (const { item, session, commit } of ledger.landed)
    if (!reached.has(commit))
      throw new InvariantViolation('nothing that landed is lost', `#${item} of session ${session}`);
}

/** What an agent wrote is in the history, in the work tree, or kept as an attempt. */
function nothingWrittenIsLost({ repo, ledger }: Mission): void {
  const there = kept(repo);
  for (const path of ledger.written)
    if (!there.has(path)) throw new InvariantViolation('nothing written is lost', path);
}
