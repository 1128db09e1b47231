// Every action of a machine or procedure, as data: kind → request, outcome. Playbooks return actions; performers in src/loop/
// perform them through the module that owns the effect.
import { z } from 'zod';
import type { Checkpoint, CheckpointAsk } from './checkpoint.ts';
import { failureSchema, paramsSchema, type Failure } from './failure.ts';
import type { GateAnswer, GateAsk } from './gate.ts';
import type { ItemId } from './item.ts';
import type * as landing from './landing-action.ts';
import type { MutationRule } from './config.ts';
import type { LookAsk, LookOutcome, ParkAsk, ParkOutcome, UnparkAsk, UnparkOutcome } from './waiting-item.ts';
import type { ChooseAgentAsk, ChooseAgentOutcome } from './choose-agent.ts';
import type { PagesAsk, PagesOutcome } from './pages.ts';
import type { SiteAsk, SiteOutcome } from './site.ts';
import type * as forge from './forge-action.ts';
import type { PushAsk, PushOutcome } from './push.ts';
import type { EditCall, RememberAsk, RememberOutcome } from './remember.ts';
import { proofSummarySchema } from './proof.ts';
import type { Reason } from './reasons.ts';
import type { Unseen } from './tools.ts';
import { usageSchema, type Usage } from './usage.ts';
import { problemsSchema, type Problem, type Verdict } from './verdict.ts';
import type { WaitAsk, WaitOutcome } from './wait.ts';

/**
 * Reads facts from the repository by the survey of this id (src/engine/definitions.ts). Repeatable at any time. Inputs and facts are plain
 * data; the definition gives them their types.
 */
export type SurveyAsk = { readonly survey: string; readonly input: unknown };
export type SurveyFacts = { readonly facts: unknown };

/** One command run in the box. */
export type CheckSpec = {
  readonly name: string;
  readonly command: string;
  /** The name of a test runner of src/verify/runners; null: only the exit code counts. */
  readonly runner: string | null;
  /** A pass needs at least one executed test: an empty suite proves nothing. */
  readonly needsTests: boolean;
  readonly timeoutMs: number;
  /** must: decides the verdict · warn: is only reported · environment: must, and runs with the network of the host */
  readonly weight: 'must' | 'warn' | 'environment';
  /** Passing ids are compared with the recorded baseline instead of the exit code (pending stubs keep a suite red). */
  readonly against: 'baseline' | null;
  /** The tree or commit before the work: what the command reports there as well is no problem of the work. Left out: everything is. */
  readonly since?: string;
};
/** Checks run in order and end at the first that decides against the work. */
export type CheckAsk = {
  readonly purpose: string;
  readonly session: number | null;
  readonly checks: readonly CheckSpec[];
  /** Other trees of the session that no `git gc` may take away, such as the work by itself; left out: there are none. */
  readonly beside?: readonly string[];
  /** The tree to check; left out: the work of the session, as it is in the work tree. */
  readonly tree?: string;
  /** The other checks run as well, so that all problems are reported at once. Left out: they do not. */
  readonly goesOn?: true;
  /** Where its only check passed on these very files before, in the same environment, it is not run again. Left out: it is. */
  readonly once?: true;
  /** A command that cannot be started is a fault of the machine: the action is blocked. Left out: it is one of the work. */
  readonly mustStart?: true;
  /** What the checks left in these folders is copied. Left out: it is removed with the workspace. */
  readonly keeps?: ArtifactsAsk;
};
/** `into`: a folder of the harness, repository-relative, whose content is replaced. */
export type ArtifactsAsk = { readonly folders: readonly string[]; readonly into: string };

/**
 * Whether the item's test really proves the item, and whether the old tests are as strong as before. Asked once the checks pass.
 * Everything runs in temporary copies; the work tree is not touched.
 */
export type StrengthAsk = {
  readonly item: ItemId | null;
  readonly session: number;
  /** The tree or commit where the work on the item began. */
  readonly since: string;
  /** The tree that passed the checks. */
  readonly tree: string;
  readonly testFile: string | null;
  /** Old test files that the item may change, so that no user has to approve it; left out: none. */
  readonly opens?: readonly string[];
  /** exempt: cleanup and documents have no test that could fail before. */
  readonly itemKind: 'code' | 'exempt';
  readonly feature: CheckSpec | null;
  readonly full: CheckSpec | null;
  /** Duration of these checks on the verified tree. */
  readonly tookMs: { readonly feature: number; readonly full: number };
  /** Paths that are judged elsewhere: backlog and log. */
  readonly passedBy: readonly string[];
  /** Paths of the scripts that start and reset the environment. */
  readonly scripts: readonly string[];
  readonly rules: { readonly mutation: MutationRule; /** A share, 0 to 1. */ readonly minKilled: number };
  /**
   * What was proved of the same work on an older commit, and the trees of both commits. Without a doubt it is the outcome now, where the newer
   * commits change nothing that a test or the work rests on (src/verify/strength/earlier.ts).
   */
  readonly earlier?: { readonly from: string; readonly to: string; readonly outcome: StrengthOutcome };
};
/** One command that was run as a proof, and its result. */
export const proofSchema = z.object({
  proof: z.enum(['red', 'canary', 'mutation', 'frozen', 'hidden']),
  came: z.enum(['held', 'failed', 'not-possible']),
  command: z.string(),
  ms: z.number(),
  params: paramsSchema,
});
export type Proof = z.output<typeof proofSchema>;
export const strengthOutcomeSchema = z.object({
  /** They reject the work. */
  problems: problemsSchema,
  /** A user must decide. */
  doubts: problemsSchema,
  warnings: problemsSchema,
  proofs: z.array(proofSchema).readonly(),
  /** Folder with commands, outputs, reports, hashes, and strength.json. */
  evidence: z.string(),
});
export type StrengthOutcome = z.output<typeof strengthOutcomeSchema>;

/** The prompt of a turn. `open`: the role's prompt and a brief; `problems`: findings are returned to the session. */
export type Say =
  | { readonly kind: 'open'; readonly brief: string; readonly input: unknown }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[]; readonly note: string }
  /** The last turn was interrupted by something outside the work: continue. */
  | { readonly kind: 'again'; readonly why: Reason };
export type SessionAsk = {
  readonly role: string;
  /** Which agent of the role: 0 is its own, the others are `agents.fallback` in their order. Left out: 0. */
  readonly agent?: number;
  /** A model for this session instead of its role's, by the provider's name; null or left out: the role's. */
  readonly model?: string | null;
  /** Session number, as in `.harness/sessions/<n>/`. Turns of one session share one process. */
  readonly session: number;
  /** The numbers of all sessions running in parallel, this one included. Left out: only this one runs. */
  readonly beside?: readonly number[];
  readonly turn: number;
  readonly attempt: number;
  readonly item: ItemId | null;
  readonly title: string;
  readonly say: Say;
  /** The provider's own id of this session, to reopen it after a crash; null for a first turn. */
  readonly resume: string | null;
  /** A file that must exist afterwards; '' for none. */
  readonly output: string;
  /** Other files of the state folder that it is asked to write, or folders, which end in a slash; left out: none. */
  readonly writes?: readonly string[];
  /** What it must not see, because it judges without it; left out: it may see everything, and all of git. */
  readonly unseen?: Unseen;
  /** Its first turn begins with the work in progress of the item in the work tree. Left out: with the tip of the branch. */
  readonly continues?: true;
};
export const TURN_ENDS = [
  'end-turn',
  'wall-limit',
  'idle-limit',
  'output-limit',
  'context-limit',
  'stuck',
  'budget-limit',
  'quota-limit',
  'aborted',
  'agent-failed',
] as const;
export type TurnEnd = (typeof TURN_ENDS)[number];
/** Why an agent was asked to stop working and write a handover note. */
export type WrapUp = 'context-limit' | 'stuck' | 'budget-limit' | 'quota-limit';
export type TurnOutcome = {
  readonly end: TurnEnd;
  /** Set exactly when `end` is `agent-failed`. */
  readonly failure: Failure | null;
  /** The end of the agent's text, at most 4,000 characters, secrets masked. */
  readonly text: string;
  /** The start of a longer text, at most 1,000 characters; left out: `text` is all of it. */
  readonly head?: string;
  readonly resume: string | null;
  readonly usage: Usage;
  readonly toolCalls: number;
  readonly ms: number;
  /** Why it was asked to wrap up before the turn ended; null: it was not. */
  readonly wrapUp: WrapUp | null;
  /** `none`: the agent reports what it does, and ran no test in the session so far. Left out: it ran one, or that is unknown. */
  readonly ownTests?: 'none';
};
/** The number of a session that the loop gave none: of a role that works on the same item as another. No other session gets it. */
export type NumberAsk = { readonly item: ItemId | null };
export type NumberOutcome = { readonly session: number };
/** Ends the process of a session and closes its tamper guard. Idempotent. */
export type CloseAsk = { readonly session: number };
export type CloseOutcome = { readonly usage: Usage; readonly tampering: readonly Problem[] };

/** Ends a session that an earlier process left open and that no position refers to any more. Idempotent. */
export type AbandonAsk = {
  readonly session: number;
  readonly item: ItemId | null;
  /** Open sessions with higher numbers are ended as well. Left out: they are not. */
  readonly andLater?: true;
};
/** How an item ends if only the abandoned session of an earlier process was handled, which is no session of this run. */
export const SESSION_ABANDONED = 'session-abandoned';
/** `attempt`: the private ref that keeps its work, of several sessions that of the first; null: there was no work. */
export type AbandonOutcome = { readonly isAbandoned: boolean; readonly attempt: string | null };

/** Resets to a checkpoint; the current state is kept as an attempt first. */
export type RollbackAsk = {
  readonly checkpoint: Checkpoint;
  readonly item: ItemId | null;
  readonly session: number;
  readonly why: string;
};
export type RollbackOutcome = { readonly attempt: string | null; readonly head: string };

/**
 * Applies a unified diff to the work tree, as a whole or not at all. Every path in its headers was approved before; a diff that would
 * change any other path is refused.
 */
export type PatchAsk = { readonly checkpoint: Checkpoint; readonly diff: string; readonly paths: readonly string[] };
export type PatchOutcome = {
  readonly applied: boolean;
  /** git's message if it does not apply. */ readonly why: string;
};

/** Removes files and folders that the harness made; repository-relative. `keep`: files in them that stay. */
export type TidyAsk = { readonly paths: readonly string[]; readonly keep: readonly string[] };
export type TidyOutcome = { readonly removed: number };

/** Restores single files from a checkpoint: a reverted claim, before the session continues. */
export type RestoreAsk = { readonly checkpoint: Checkpoint; readonly paths: readonly string[] };

/** Stashes the user's uncommitted work before a run, if configured (`dirty_tree: stash`). */
export type StashAsk = { readonly session: number };
export type StashOutcome = { readonly stash: string | null };

/** Merges commits of a remote branch into the work tree, so that checks run on both; no ref moves. */
export type MergeAsk = {
  /** Taken with `mine` as HEAD. */
  readonly checkpoint: Checkpoint;
  readonly mine: string;
  readonly theirs: string;
};
export type MergeOutcome =
  /** `count`: number of merged commits. */
  | { readonly tree: string; readonly subject: string; readonly count: number; readonly failure: null }
  /** `isTouched`: the work tree differs from the checkpoint. */
  | { readonly tree: null; readonly failure: Failure; readonly isTouched: boolean };

/** Reverts the provisional commits of an item, made by an older version, in the work tree; no ref moves. */
export type UnwindAsk = {
  readonly checkpoint: Checkpoint;
  readonly item: ItemId;
  /** Files that stay as they are: they are shared by all items. */
  readonly keep: readonly string[];
  /** Whether a suite can prove that everything else passes without it; if not, nothing is changed. */
  readonly isProvable: boolean;
};
export type UnwindOutcome =
  /** `count`: number of reverted commits. */
  | { readonly tree: string; readonly count: number; readonly failure: null }
  /** `isTouched`: the work tree differs from the checkpoint. */
  | { readonly tree: null; readonly failure: Failure; readonly isTouched: boolean };

/** Publishes that an item landed: the extension point for a mirror (GitHub issues). It has no consumer yet. */
export type PublishAsk = { readonly event: 'landed'; readonly item: ItemId; readonly commit: string };

/**
 * Writes the playbook's own files that no commit carries: the texts of an edit, then whole lines of its log, each with its time. The text
 * before is kept in a copy (`.bak`) first.
 */
export type WriteAsk = { readonly edit: EditCall | null; readonly lines: readonly string[] };
/** Paths that changed. */
export type WriteOutcome = { readonly written: readonly string[] };

/** Performs the procedure of this id (src/engine/definitions.ts) step by step. */
export type ProcedureAsk = { readonly procedure: string; readonly input: unknown };
export type ProcedureOutcome = { readonly output: unknown };

export type ItemAsk = {
  readonly item: ItemId;
  readonly lane: number;
  readonly session: number;
  /** The token of the action that began it: it continues with the same journal. Left out: it begins. */
  readonly resumes?: string;
  /** Others were faster and are in conflict with it: they land after it now. */
  readonly landsFirst?: true;
};
export const ITEM_RESULTS = [
  'paused',
  'landed',
  'unproved',
  'partial',
  'failed',
  'rejected',
  'gate',
  'blocked',
  'skipped',
  'aborted',
] as const;
export type ItemResult = (typeof ITEM_RESULTS)[number];
export const itemOutcomeSchema = z.object({
  result: z.enum(ITEM_RESULTS),
  /** Kebab-case; the catalogue has the sentence. */
  reason: z.string(),
  failure: failureSchema.nullable(),
  problems: problemsSchema,
  commit: z.string().nullable(),
  evidence: z.string().nullable(),
  usage: usageSchema,
  /** The question that it waits at; null: it has ended. */
  gate: z.string().nullable(),
  /** Of an item that waits: the token that it continues with. */
  resumes: z.string().optional(),
  /** Of work that landed. */
  proof: proofSummarySchema.optional(),
});
export type ItemOutcome = z.output<typeof itemOutcomeSchema>;

export type Actions = {
  survey: readonly [SurveyAsk, SurveyFacts];
  check: readonly [CheckAsk, Verdict];
  strength: readonly [StrengthAsk, StrengthOutcome];
  pages: readonly [PagesAsk, PagesOutcome];
  site: readonly [SiteAsk, SiteOutcome];
  'choose-agent': readonly [ChooseAgentAsk, ChooseAgentOutcome];
  number: readonly [NumberAsk, NumberOutcome];
  session: readonly [SessionAsk, TurnOutcome];
  close: readonly [CloseAsk, CloseOutcome];
  abandon: readonly [AbandonAsk, AbandonOutcome];
  checkpoint: readonly [CheckpointAsk, Checkpoint];
  rollback: readonly [RollbackAsk, RollbackOutcome];
  'keep-wip': readonly [landing.KeepWipAsk, landing.KeepWipOutcome];
  'drop-wip': readonly [landing.DropWipAsk, landing.DropWipOutcome];
  'take-turn': readonly [landing.TakeTurnAsk, landing.TakeTurnOutcome];
  'give-turn': readonly [landing.GiveTurnAsk, { readonly has: false }];
  bring: readonly [landing.BringAsk, landing.BringOutcome];
  'take-tree': readonly [landing.TakeTreeAsk, landing.TakeTreeOutcome];
  'take-wip': readonly [landing.TakeWipAsk, landing.TakeWipOutcome];
  commit: readonly [landing.CommitAsk, landing.CommitOutcome];
  tidy: readonly [TidyAsk, TidyOutcome];
  restore: readonly [RestoreAsk, { readonly restored: readonly string[] }];
  stash: readonly [StashAsk, StashOutcome];
  push: readonly [PushAsk, PushOutcome];
  merge: readonly [MergeAsk, MergeOutcome];
  unwind: readonly [UnwindAsk, UnwindOutcome];
  patch: readonly [PatchAsk, PatchOutcome];
  wait: readonly [WaitAsk, WaitOutcome];
  propose: readonly [forge.ProposePullAsk, forge.ProposePullOutcome];
  'find-pull': readonly [forge.FindPullAsk, forge.FindPullOutcome];
  ci: readonly [forge.CiAsk, forge.CiOutcome];
  'merge-pull': readonly [forge.MergePullAsk, forge.MergePullOutcome];
  'move-file': readonly [forge.MoveFileAsk, forge.MoveFileOutcome];
  'add-files': readonly [forge.AddFilesAsk, forge.AddFilesOutcome];
  'follow-base': readonly [forge.FollowBaseAsk, forge.FollowBaseOutcome];
  publish: readonly [PublishAsk, { readonly told: number }];
  ask: readonly [GateAsk, GateAnswer];
  write: readonly [WriteAsk, WriteOutcome];
  remember: readonly [RememberAsk, RememberOutcome];
  procedure: readonly [ProcedureAsk, ProcedureOutcome];
  item: readonly [ItemAsk, ItemOutcome];
  look: readonly [LookAsk, LookOutcome];
  park: readonly [ParkAsk, ParkOutcome];
  unpark: readonly [UnparkAsk, UnparkOutcome];
};
