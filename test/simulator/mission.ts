// One mission: a repository, its people and agents, drawn from a seed; one run of the harness after another until everything
// is done, no person answers, or its hours are over.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quickFolder } from '../support/quick-folder.ts';
import type { MonitorRules } from '../../src/agents/monitor/rules.ts';
import type { Capabilities } from '../../src/agents/port.ts';
import type { Performers } from '../../src/engine/types.ts';
import type { Actions } from '../../src/model/action.ts';
import type { Config } from '../../src/model/config.ts';
import type { LaneTrees } from '../../src/loop/run-context.ts';
import type { RunMode } from '../../src/model/run.ts';
import type { InvariantViolation } from './invariant-violation.ts';
import { diceOf, type Dice } from './chance.ts';
import { drawAgents, drawConfig, drawKind, drawMode } from './draw.ts';
import type { Kind } from './kind.ts';
import { emptyLedger, count, type Ledger } from './ledger.ts';
import { runOnce, type Ended, type ProcessRun } from './process-run.ts';
import { peopleOf, type People } from './people.ts';
import { repositoryOf, type Repository, type Tree } from './repository.ts';
import { holdAtTheEnd, holdBetweenRuns } from './rules.ts';
import { virtualTime, type VirtualTime } from './time.ts';
import { markPath } from '../../src/repos/records.ts';

/** A rule of the product that is broken on purpose: the mission must not come through. */
export type Mutant = {
  readonly rules?: (rules: MonitorRules) => MonitorRules;
  readonly performers?: (all: Performers<Actions>, processRun: ProcessRun) => Performers<Actions>;
  readonly takesAnyTree?: boolean;
  /** What others landed meanwhile is not looked at. */
  readonly landsUnproved?: boolean;
  /** What a dead run's agents wrote over the harness's own files is taken for a person's. */
  readonly believesAgents?: boolean;
  readonly lanes?: (lanes: LaneTrees) => LaneTrees;
  /** Appends to files of this name are lost with the run. */
  readonly forgets?: RegExp;
};
export type Agents = {
  readonly inject: Capabilities['inject'];
  /** How it says what it costs: with each request, or as a total so far. */
  readonly tells: 'reports' | 'totals';
  readonly obeys: number;
  readonly outageLasts: number;
  next(): string;
};
export type Mission = {
  readonly seed: number;
  readonly kind: Kind;
  readonly root: string;
  readonly stateDir: string;
  readonly privateDir: string;
  readonly config: Config;
  readonly mode: RunMode;
  readonly isUnattended: boolean;
  readonly isAlone: boolean;
  /** Several items at the same time, in work trees beside the user's. */
  readonly areLanes: boolean;
  readonly repo: Repository;
  /** Trees that checks looked at, by id. */
  readonly trees: Map<string, Tree>;
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly agents: Agents;
  readonly people: People;
  readonly ledger: Ledger;
  /** What agents work on this very moment. */
  readonly working: Set<string>;
  readonly mutant: Mutant;
  /** What an agent left running, to strike once the checks have looked. */
  later: (() => void) | null;
  /** What happened last: shown where a rule is broken. */
  readonly told: string[];
  /** The first rule that was broken, wherever it came to be seen. */
  violation: InvariantViolation | null;
};
/** What is not drawn. */
export type Played = {
  readonly kind: Kind;
  readonly mode?: Partial<RunMode>;
  readonly config?: Partial<Config>;
  readonly areLanes?: true;
};
export type Report = {
  readonly seed: number;
  readonly kind: string;
  readonly hours: number;
  readonly workedHours: number;
  readonly jumps: number;
  readonly ledger: Ledger;
};

const HOUR = 3_600_000;
const BEGIN = Date.parse('2040-01-01T08:00:00.000Z');
const MOST_RUNS = 60;
const MOST_TOLD = 25;

/** Throws an InvariantViolation where a rule does not hold. */
export async function playMission(
  seed: number,
  { hours, mutant = {}, as }: { hours?: number; mutant?: Mutant; as?: Played } = {},
): Promise<Report> {
  const told: string[] = [];
  const top = quickFolder('harness-mission-');
  try {
    const mission = begin(seed, top, mutant, told, as);
    await play(mission, BEGIN + (hours ?? mission.kind.hours) * HOUR);
    const { time, ledger } = mission;
    const hoursPlayed = { hours: time.passedMs() / HOUR, workedHours: ledger.workedMs / HOUR };
    return { seed, kind: mission.kind.name, ...hoursPlayed, jumps: time.jumps(), ledger };
  } catch (error) {
    if (error instanceof Error) error.stack = `${error.stack ?? error.message}\n${told.slice(-MOST_TOLD).join('\n')}`;
    throw error;
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

function begin(seed: number, root: string, mutant: Mutant, told: string[], as?: Played): Mission {
  const dice = diceOf(seed, 'mission');
  const time = virtualTime(BEGIN);
  const stateDir = join(root, '.harness');
  const privateDir = join(root, '.git', 'harness');
  mkdirSync(stateDir);
  mkdirSync(privateDir, { recursive: true });
  // As every run of the product leaves it: copies for people decide nothing.
  writeFileSync(markPath(privateDir), '{"schema":1}\n');
  const mode = { ...drawMode(dice), ...as?.mode };
  const drawn = drawKind(seed, dice);
  const kind = as?.kind ?? drawn;
  const list = diceOf(seed, 'backlog');
  const repo = repositoryOf(kind.files(list), time.clock.iso(), kind.branch);
  const mission: Mission = {
    seed,
    kind,
    root,
    stateDir,
    privateDir,
    config: { ...drawConfig(dice, kind), ...as?.config },
    mode,
    isUnattended: mode.untilDone && dice.happens(0.5),
    isAlone: diceOf(seed, 'alone').happens(0.3),
    areLanes: as?.areLanes === true,
    repo,
    trees: new Map(),
    time,
    dice: diceOf(seed, 'agents'),
    agents: drawAgents(seed, kind.moods),
    people: peopleOf(diceOf(seed, 'people')),
    ledger: emptyLedger(),
    working: new Set(),
    mutant,
    later: null,
    told,
    violation: null,
  };
  kind.begin?.(mission, list);
  return mission;
}

async function play(mission: Mission, until: number): Promise<void> {
  const { time, ledger, people } = mission;
  const own = time.own();
  const look = (): void => {
    if (mission.violation) throw mission.violation;
  };
  const pass = (ms: number): Promise<void> =>
    time.until(own.sleep(Math.min(ms, Math.max(0, until - time.clock.now())), new AbortController().signal), look);
  for (;;) {
    ledger.runs += 1;
    if (ledger.runs > MOST_RUNS) return holdAtTheEnd(mission);
    const ended: Ended = await runOnce(mission, until, look);
    count(ledger.ends, ended.end === 'verdict' ? `${ended.verdict}: ${ended.reason}` : ended.end);
    holdBetweenRuns(mission, ended);
    const next = people.after(mission, ended);
    if (next === null || time.clock.now() >= until) return holdAtTheEnd(mission);
    await pass(next);
    if (time.clock.now() >= until) return holdAtTheEnd(mission);
  }
}
