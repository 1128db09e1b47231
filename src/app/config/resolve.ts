// From a target to its resolved configuration: find, read, check, fill in. The one entry of this folder.
import { basename, resolve } from 'node:path';
import type { Config } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { resolveAgents } from './agents.ts';
import { folderFiles, type TargetFiles } from './files.ts';
import { findConfig } from './find.ts';
import { laterIn } from './later.ts';
import { notSupported, shown, type Mistake } from './mistake.ts';
import { readTree, type Tree } from './read.ts';
import { checkRules, tidyPath } from './rules.ts';
import { packageName } from './runner.ts';
import { configSchema, type Written } from './schema.ts';
import { oneSpelling, type Twice } from './spelling.ts';
import { resolveTesting, type Inferred } from './testing.ts';

export type Resolution = {
  readonly config: Config;
  /** Written keys that do not act yet; to be said aloud once. */
  readonly inert: readonly string[];
  /** Values nobody wrote that were worked out from the target; to be shown. */
  readonly inferred: readonly Inferred[];
  /** What is missing before work can start; commands that only look do without. */
  readonly needed: readonly Failure[];
};

export type ResolveOptions = {
  /** Another file than the target's own, absolute or relative to the root; null: the target's own. */
  readonly configFile?: string | null;
  /** Where defaults are worked out from; the work tree if not given. */
  readonly files?: TargetFiles;
};

/** Resolves the configuration of the target in folder `root`. Errors: those of `findConfig`, and `config-invalid` with one cause per mistake. */
export async function resolveConfig(root: string, options: ResolveOptions = {}): Promise<Result<Resolution>> {
  const found = findConfig(root, options.configFile ?? null);
  if (!found.ok) return found;
  return resolveText(root, found.value, options.files ?? folderFiles(root));
}

/** The same from a text at hand, for a configuration that is not in the work tree. Null: defaults only. */
export async function resolveText(
  root: string,
  source: { readonly file: string; readonly text: string } | null,
  files: TargetFiles,
): Promise<Result<Resolution>> {
  if (source === null) return checked(root, null, {}, [], files, null);
  const tree = readTree(source.file, source.text);
  if (!tree.ok)
    return err(
      failure('config-invalid', { file: source.file, count: 1 }, { at: { file: source.file }, causes: [tree.failure] }),
    );
  const twice: Twice[] = [];
  const written = oneSpelling(configSchema, tree.value.value ?? {}, twice);
  return checked(root, source.file, written, twice, files, tree.value);
}

async function checked(
  root: string,
  file: string | null,
  written: unknown,
  twice: readonly Twice[],
  files: TargetFiles,
  tree: Tree | null,
): Promise<Result<Resolution>> {
  const later = laterIn(written);
  const parsed = configSchema.safeParse(written);
  const mistakes: Mistake[] = [];
  if (!parsed.success || twice.length > 0) {
    const { explain, explainTwice } = await import('./explain.ts');
    mistakes.push(...twice.map(explainTwice), ...explain(parsed.error?.issues ?? [], written));
  }
  const wrong = mistakes.map(({ path }) => path.join('.'));
  for (const { row, value } of later)
    // A value that is wrong in itself says nothing about what the person wanted.
    if (row.otherwise === 'refused' && !wrong.some((key) => key === row.key || key.startsWith(`${row.key}.`)))
      mistakes.push(
        notSupported(
          row.key.split('.'),
          value,
          row.today.map((one) => shown(one, [])).join(' | ') || 'nothing',
          row.part,
        ),
      );
  const resolved = parsed.success ? fill(root, file, parsed.data, files, mistakes) : null;
  if (mistakes.length > 0 || resolved === null) return err(invalidConfig(file ?? '', mistakes, tree));
  return ok({
    config: resolved.config,
    inert: later.filter(({ row }) => row.otherwise === 'inert').map(({ row }) => row.key),
    inferred: resolved.inferred,
    needed: resolved.needed.map((mistake) => placed(file ?? '.harness.yaml', mistake, tree)),
  });
}

/** All mistakes of a file in the order in which they stand in it, one for each key. */
function invalidConfig(file: string, mistakes: readonly Mistake[], tree: Tree | null): Failure {
  const causes = mistakes
    .map((mistake) => placed(file, mistake, tree))
    .filter((cause, i, all) => all.findIndex((other) => other.at?.key === cause.at?.key) === i)
    .sort((a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0));
  return failure('config-invalid', { file, count: causes.length }, { at: { file }, causes });
}

function placed(file: string, { reason, path, point, params }: Mistake, tree: Tree | null): Failure {
  return failure(reason, params, { at: { file, ...tree?.place(path, point), key: path.join('.') } });
}

function fill(
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
    environment: {
      init: script('environment.init', w.environment.init, 'init.sh'),
      reset: script('environment.reset', w.environment.reset, 'reset.sh'),
      healthCheck: w.environment.health_check ?? null,
      stop: w.environment.stop ?? null,
      timeoutMinutes: w.environment.timeout_minutes,
    },
    testing,
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
    context: {
      windowTokens: w.context.window_tokens,
      warnThreshold: w.context.warn_threshold,
      forceThreshold: w.context.force_threshold,
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
      maxFeaturesPerSession: w.verification.max_features_per_session,
      fixTurns: w.verification.fix_turns,
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
    sandbox: { level: w.sandbox.level === 'none' ? 'none' : 'auto' }, // the levels between are refused above
    push: { remote: w.push.remote },
    paths: {
      features: tidyPath(w.paths.features),
      progress: tidyPath(w.paths.progress),
      stateDir: tidyPath(w.paths.state_dir),
    },
    compatibility: { onOlderState: w.compatibility.on_older_state, onNewerState: w.compatibility.on_newer_state },
    source: file,
  };
  return { config, inferred: [...fromTests, ...inferred], needed };
}
