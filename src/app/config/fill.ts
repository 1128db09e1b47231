// A checked configuration → the one the code reads: camelCase, defaults that depend on other keys or on the target.
import { basename, resolve } from 'node:path';
import type { Config } from '../../model/config.ts';
import { resolveAgents } from './agents.ts';
import type { TargetFiles } from '../../model/target-files.ts';
import type { Mistake } from './mistake.ts';
import { backlogPath, progressPath, tidyPath } from './paths.ts';
import { checkRules } from './rules.ts';
import { durationMs } from '../../model/duration.ts';
import { packageName } from './files.ts';
import type { Written } from './schema.ts';
import { resolveTools } from './tools.ts';
import { resolveTesting, type Inferred } from './testing.ts';

/** What is wrong only between keys is added to `mistakes`; then the result must not be used. */
export function fill(
  root: string,
  file: string | null,
  w: Written,
  files: TargetFiles,
  mistakes: Mistake[],
): { config: Config; inferred: readonly Inferred[]; needed: readonly Mistake[] } {
  const inferred: Inferred[] = [];
  const script = (key: string, written: string | null | undefined, name: string): string | null => {
    if (written !== undefined || !files.has(name)) return written ?? null;
    inferred.push({ key, value: `./${name}`, from: name });
    return `./${name}`;
  };
  const { testing, inferred: fromTests, needed } = resolveTesting(w.testing, files);
  const playbook = typeof w.playbook === 'string' ? { backlog: w.playbook, machine: w.playbook } : w.playbook;
  const warning = w.session.timeout_warning_minutes ?? Math.min(50, (w.session.timeout_minutes * 5) / 6);
  mistakes.push(...checkRules(w));
  const config: Config = {
    playbook,
    project: { name: w.project.name ?? packageName(files) ?? (basename(resolve(root)) || 'project') },
    ...resolveAgents(w, mistakes),
    isolation: w.isolation,
    dirtyTree: w.dirty_tree,
    recovery: w.recovery ?? (playbook.machine === 'tasks' ? 'checked' : 'restore'),
    environment: {
      init: script(
        'environment.init',
        w.environment.init,
        playbook.machine === 'tasks' ? 'harness-init.sh' : 'init.sh',
      ),
      reset: script('environment.reset', w.environment.reset, 'reset.sh'),
      healthCheck: w.environment.health_check ?? null,
      stop: w.environment.stop ?? null,
      timeoutMinutes: w.environment.timeout_minutes,
    },
    testing,
    workflow: { step: null, style: null },
    costs: {
      perSessionUsd: w.costs.per_session_usd,
      perFeatureUsd: w.costs.per_feature_usd,
      totalProjectUsd: w.costs.total_project_usd,
      prices: Object.fromEntries(
        Object.entries(w.costs.prices).map(([model, price]) => [
          model,
          { ...price, cached: price.cached ?? price.input },
        ]),
      ),
    },
    quota: {
      beginBelow: w.quota.begin_below,
      wrapUpAt: w.quota.wrap_up_at,
      windows: w.quota.windows,
    },
    context: {
      windowTokens: w.context.window_tokens,
      warnThreshold: w.context.warn_threshold,
      forceThreshold: w.context.force_threshold,
      wipPrefix: w.context.on_limit.commit_message_prefix,
    },
    progress: {
      checkIntervalTokens: w.progress.check_interval_tokens,
      stuckWarning: w.progress.stuck_warning,
      forceStopAfterStuckChecks: w.progress.force_stop_after_stuck_checks,
      maxRepeatedErrors: w.progress.max_repeated_errors,
    },
    session: {
      timeoutMinutes: w.session.timeout_minutes,
      timeoutWarningMinutes: warning,
      idleSeconds: w.session.idle_seconds,
      maxOutputBytes: w.session.max_output_bytes,
      wipPrefix: w.session.on_timeout.message_prefix,
    },
    quality: {
      lintCommand: w.quality.lint_command ?? null,
      maxFileLines: w.quality.max_file_lines,
      cleanupInterval: w.quality.cleanup_interval,
    },
    verification: {
      regressionCheck: w.verification.regression_check,
      requireEvidence: w.verification.require_evidence,
      maxFeaturesPerSession: w.verification.max_features_per_session,
      fixTurns: w.verification.fix_turns,
      flakyReruns: w.verification.flaky_reruns,
      baselineRuns: w.verification.baseline_runs,
      mutation: w.verification.mutation,
      minKilled: w.verification.min_killed,
    },
    features: {
      maxVerificationSteps: w.features.max_verification_steps,
      maxStuckSessions: w.features.max_stuck_sessions,
      requireTestFile: w.features.require_test_file,
    },
    preflight: {
      workingDirectory: w.preflight.checks.working_directory,
      harnessFiles: w.preflight.checks.harness_files,
      gitState: w.preflight.checks.git_state,
      environment: w.preflight.checks.environment,
      baselineTests: w.preflight.checks.baseline_tests,
      budget: w.preflight.checks.budget,
      autoReset: w.preflight.on_failure.auto_reset,
      maxResetAttempts: w.preflight.on_failure.max_reset_attempts,
    },
    sandbox: {
      level: w.sandbox.level,
      network: w.sandbox.network,
      agents: w.sandbox.agents,
      agentFolders: w.sandbox.agent_folders,
    },
    gates: {
      policies: Object.fromEntries(
        Object.entries(w.gates.policies).map(([subject, { answer, after }]) => [
          subject,
          { answer: answer === 'wait' ? null : answer, afterMs: after === undefined ? 0 : durationMs(after) },
        ]),
      ),
    },
    tools: resolveTools(w.tools),
    push: { remote: w.push.remote },
    paths: {
      backlog: backlogPath(playbook.backlog, w.paths.features),
      progress: progressPath(playbook, w.paths.progress, w.paths.state_dir),
      stateDir: tidyPath(w.paths.state_dir),
    },
    logging: {
      level: w.logging.level,
      retentionDays: w.logging.retention_days,
      structured: w.logging.structured_agent_output,
      fallback: w.logging.fallback_tracking,
      warnMissing: w.logging.warn_on_missing_prefixes,
    },
    compatibility: {
      onOlderState: w.compatibility.on_older_state,
      onNewerState: w.compatibility.on_newer_state,
      backupBeforeMigrate: w.compatibility.backup_before_migrate,
    },
    source: file,
  };
  // A task brings the command that proves it.
  const isMissing = playbook.backlog === 'features' ? needed : [];
  return { config, inferred: [...fromTests, ...inferred], needed: isMissing };
}
