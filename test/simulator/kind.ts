// What makes one mission another kind than the next: the list, the agents and what they do, what commands find, the rules.
import type { Playbook } from '../../src/engine/playbook.ts';
import type { Performers } from '../../src/engine/types.ts';
import type { Actions, CheckAsk, CheckSpec, SessionAsk } from '../../src/model/action.ts';
import type { Config } from '../../src/model/config.ts';
import type { HarnessEvent } from '../../src/model/event.ts';
import type { RunContext } from '../../src/loop/run-context.ts';
import type { ListChange } from '../../src/loop/run-file.ts';
import type { CheckResult, Problem, Verdict } from '../../src/model/verdict.ts';
import type { configOf } from '../support/config.ts';
import type { Dice } from './chance.ts';
import type { Hands } from './behaviours.ts';
import type { Ended, ProcessRun } from './process-run.ts';
import type { Mission } from './mission.ts';
import type { Commit, Tree } from './repository.ts';

/** By what its agents do how often, for a whole mission: what is rare in one is the rule in another, so that the far ends are reached. */
export type Moods = { readonly [mood: string]: { readonly [behaviour: string]: number } };
export type ForgeAction = 'find-pull' | 'propose' | 'ci' | 'merge-pull' | 'move-file' | 'follow-base';
export type Found = {
  readonly result: CheckResult;
  readonly problems: readonly Problem[];
  readonly regressions: readonly string[];
  readonly tests: Verdict['tests'];
  readonly passing: readonly string[] | null;
};
export type Landing = {
  readonly commit: Commit;
  readonly item: string;
  readonly session: number;
  readonly isProved: boolean;
};

export type Kind = {
  readonly name: string;
  readonly playbook: Pick<Playbook, 'backlog' | 'machine'>;
  /** Whose prompts its sessions begin with. */
  readonly roles: readonly (readonly [of: 'features' | 'tasks' | 'workflow' | 'mission' | 'delivery', role: string])[];
  readonly config: Parameters<typeof configOf>[0];
  readonly branch: string;
  readonly moods: Moods;
  /** How many agents may be at work side by side; no two of them on the same. */
  readonly mostAtOnce: number;
  /** How long a mission lasts. */
  readonly hours: number;
  /** About how many sessions one item takes. */
  readonly sessionsEach: number;
  /** After how many durable calls, and how many minutes, a run may die at the latest. */
  readonly longest: { readonly calls: number; readonly minutes: number };
  /** In what share of runs the harness dies at a durable call, and at a moment of time; left out: a quarter each. */
  readonly dies?: number;
  files(dice: Dice): { readonly [path: string]: string };
  /** What is on the disk before the first run. */
  begin?(mission: Mission, dice: Dice): void;
  /** What the command line of one run says beside the configuration. */
  called?(dice: Dice): Partial<Config>;
  workOn(ask: SessionAsk): string;
  /** A file that an agent writes on its way; null: none. */
  note(ask: SessionAsk, n: number): string | null;
  /** Its last word; left out: something. */
  perform(behaviour: string, hands: Hands): Promise<string | void>;
  look(check: CheckSpec, at: { readonly tree: Tree; readonly known: readonly string[]; readonly luck: number }): Found;
  /** Whether what it finds in a tree is what is claimed of it; throws an InvariantViolation. */
  lands(mission: Mission, landing: Landing): void;
  checked?(mission: Mission, ask: CheckAsk, verdict: Verdict): void;
  /** A file of its own that the harness writes. */
  written?(mission: Mission, path: string, text: string): void;
  watching?(all: Performers<Actions>, processRun: ProcessRun): Performers<Actions>;
  /** The commit whose history has what landed; left out: HEAD. */
  newest?(mission: Mission): string;
  /** Where its code is reviewed; left out: nowhere. */
  forge?(lane: RunContext, processRun: ProcessRun): Pick<Performers<Actions>, ForgeAction>;
  /** A change of the list that a person asks for; null: there is nothing to be changed. */
  letter?(mission: Mission, dice: Dice): Omit<ListChange, 'id'> | null;
  /** What a person does in their own work tree while a run lasts. */
  beside?(mission: Mission, dice: Dice): void;
  /** Of each event of the run. */
  notified?(mission: Mission, event: Omit<HarnessEvent, 'ts'>): void;
  /** What a person does with their own hands while a question waits. */
  meddle?(mission: Mission, dice: Dice): void;
  afterLife(mission: Mission, ended: Ended): void;
  atEnd(mission: Mission): void;
};
