// The configuration as the code reads it: nothing optional that has a default, camelCase, units in the names.
// What a person may write, with defaults and errors, is src/app/config/schema.ts.
import type { GatePolicy } from './gate.ts';
import type { EventLevel } from './event.ts';
import type { WindowRule } from './quota.ts';
import type { ToolSettings } from './tools.ts';

export type PlaybookName = 'features' | 'delivery' | 'mission' | 'tasks' | 'workflow';
export const PROVIDERS = ['claude', 'codex', 'acp', 'scripted', 'replay'] as const;
export type ProviderName = (typeof PROVIDERS)[number];
/** Models by how strong they are, as a workflow asks for them (reference 004, Model Selection). Claude Code knows them; to other agents `models.<name>` says them. */
export const MODEL_NAMES = ['haiku', 'sonnet', 'opus'] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

/** off: no small faults are tried unless a proof needs them · warn: few noticed are told · require: they send the work back */
export const MUTATION_RULES = ['off', 'warn', 'require'] as const;
export type MutationRule = (typeof MUTATION_RULES)[number];

/** A target has at most one of these, in its root. */
export const CONFIG_FILES = ['.harness.yaml', 'harness.config.json', 'harness.config.ts'] as const;

export type AgentConfig = {
  readonly provider: ProviderName;
  readonly model: string | null;
  /** acp, codex and scripted: the program and its arguments, started in the lane's folder. */
  readonly command: readonly string[];
  readonly env: { readonly [name: string]: string };
  /** scripted: the scenario file, repository-relative or absolute. */
  readonly scenario: string | null;
};

export type Config = {
  readonly playbook: { readonly backlog: PlaybookName; readonly machine: PlaybookName };
  readonly project: { readonly name: string };
  readonly agents: {
    readonly default: AgentConfig;
    readonly roles: { readonly [role: string]: AgentConfig };
    /** Who goes on, in this order, where the provider of a role's own agent can take no more. */
    readonly fallback: readonly AgentConfig[];
  };
  readonly quota: {
    /** Shares of a provider's window, 0 to 1: a session begins only below the first, and wraps up at the second. */
    readonly beginBelow: number;
    readonly wrapUpAt: number;
    /** Of providers that do not say how much is used. */
    readonly windows: readonly (WindowRule & { readonly provider: ProviderName })[];
  };
  readonly isolation: 'in-place' | 'worktree';
  readonly dirtyTree: 'refuse' | 'stash';
  /** What becomes of a session that a crash cut: undone, or proved and gone on with, by all checks or by the reference's letter. */
  readonly recovery: 'restore' | 'checked' | 'literal';
  readonly environment: {
    readonly init: string | null;
    readonly reset: string | null;
    readonly healthCheck: string | null;
    readonly stop: string | null;
    readonly timeoutMinutes: number;
  };
  readonly testing: {
    /** The name of a test runner of src/verify/runners. */
    readonly runner: string;
    /** `{test_file}` is replaced by the item's test file, quoted for the shell. */
    readonly feature: string | null;
    readonly full: string | null;
    readonly sanity: {
      readonly health: string | null;
      readonly lint: string | null;
      readonly typeCheck: string | null;
      readonly quick: string | null;
    };
    readonly timeoutMinutes: number;
  };
  /** What this call asks of a workflow, by the command line alone; null: the session's own. */
  readonly workflow: {
    readonly step: 'plan' | 'generate' | 'verify' | 'evaluate' | null;
    readonly style: 'auto' | 'phase' | 'step' | null;
  };
  readonly costs: {
    readonly perSessionUsd: number | null;
    readonly perFeatureUsd: number | null;
    readonly totalProjectUsd: number | null;
    readonly prices: {
      readonly [model: string]: { readonly input: number; readonly output: number; readonly cached: number };
    };
  };
  /** By role, and what is meant by a model name. */
  readonly models: { readonly [role: string]: string };
  readonly context: {
    readonly windowTokens: number;
    readonly warnThreshold: number;
    readonly forceThreshold: number;
    readonly wipPrefix: string;
  };
  readonly progress: {
    readonly checkIntervalTokens: number;
    readonly stuckWarning: string;
    readonly forceStopAfterStuckChecks: number;
    readonly maxRepeatedErrors: number;
  };
  readonly session: {
    readonly timeoutMinutes: number;
    readonly timeoutWarningMinutes: number;
    readonly idleSeconds: number;
    /** An agent that prints more than this is stopped; bytes of text and tool output together. */
    readonly maxOutputBytes: number;
    readonly wipPrefix: string;
  };
  readonly quality: {
    readonly lintCommand: string | null;
    readonly maxFileLines: number;
    readonly cleanupInterval: number;
  };
  readonly verification: {
    readonly regressionCheck: boolean;
    readonly maxFeaturesPerSession: number;
    /** What the agent showed of its tests is compared with what was observed. */
    readonly requireEvidence: boolean;
    /** How often a failed verification goes back into the same session before the rollback. */
    readonly fixTurns: number;
    /** How often a test that held before and fails is run again, on each tree; 0: never. */
    readonly flakyReruns: number;
    /** Of how many runs the first baseline is made. */
    readonly baselineRuns: number;
    readonly mutation: MutationRule;
    /** Of the small faults tried in changed lines, the share that the item's test must notice: 0 to 1. */
    readonly minKilled: number;
  };
  readonly features: {
    readonly maxVerificationSteps: number;
    readonly maxStuckSessions: number;
    readonly requireTestFile: boolean;
  };
  readonly preflight: {
    readonly workingDirectory: boolean;
    readonly harnessFiles: boolean;
    readonly gitState: boolean;
    readonly environment: boolean;
    readonly baselineTests: boolean;
    readonly budget: boolean;
    readonly autoReset: boolean;
    readonly maxResetAttempts: number;
  };
  readonly sandbox: {
    readonly level: 'auto' | 'bwrap' | 'srt' | 'pidns' | 'none';
    /** Of checks. Environment scripts have it open. */
    readonly network: 'closed' | 'open';
    /** Where the programs of agents run, at a level that has a box for them. */
    readonly agents: 'inside' | 'outside';
    /** What agents may write beside the work tree: absolute, or `~/` and below. */
    readonly agentFolders: readonly string[];
  };
  /** By subject of the question: what is done where nobody answers. A subject that is here is asked about. */
  readonly gates: { readonly policies: { readonly [subject: string]: GatePolicy } };
  readonly tools: ToolSettings;
  readonly push: { readonly remote: string | null };
  readonly paths: { readonly backlog: string; readonly progress: string; readonly stateDir: string };
  readonly logging: {
    readonly level: EventLevel;
    /** No line is kept longer, but for critical ones. */
    readonly retentionDays: number;
    /** Prefixes in what an agent prints are read; tool calls stand in for them; a session without any is noted. */
    readonly structured: boolean;
    readonly fallback: boolean;
    readonly warnMissing: boolean;
  };
  readonly compatibility: {
    readonly onOlderState: 'migrate' | 'abort';
    readonly onNewerState: 'abort' | 'warn';
    readonly backupBeforeMigrate: boolean;
  };
  /** The file this came from, repository-relative; null: defaults only. */
  readonly source: string | null;
};
