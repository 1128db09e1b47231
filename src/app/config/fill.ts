// Completes a checked configuration: values that depend on other keys or on the target, and rules between keys.
import { basename, resolve } from 'node:path';
import type { Config, WrittenConfig } from '../../model/config.ts';
import { tidyPath } from '../../model/config/paths.ts';
import type { TargetFiles } from '../../model/target-files.ts';
import { resolveAgents, type AgentChoice } from './agents.ts';
import { packageName } from './files.ts';
import { type ConfigMistake, dotted, invalid, missing, type Path } from './mistake.ts';
import { defaultsOf, listPath, logPath, PLAYBOOKS } from '../../playbooks/registry.ts';
import { resolveTesting, type Inferred } from './testing.ts';
import { entryOf } from '../../model/entry.ts';
import { SUBJECTS, type GateSubject } from '../../model/gate.ts';

export type Filled = {
  readonly config: Config;
  readonly inferred: readonly Inferred[];
  readonly needed: readonly ConfigMistake[];
};

/** Adds mistakes between keys to `mistakes`; if there are any, the result must not be used. */
export function fill(
  root: string,
  file: string | null,
  written: WrittenConfig,
  files: TargetFiles,
  mistakes: ConfigMistake[],
  choice?: AgentChoice,
): Filled {
  const { playbook, project, agents, models, isolation, dirtyTree, recovery, environment, ...rest } = written;
  const { backlog, machine } = playbook;
  const standard = defaultsOf(machine).machine;
  const { testing, inferred: fromTests, needed } = resolveTesting(rest.testing, files);
  const inferred: Inferred[] = [];
  const script = (key: string, line: string | null | undefined, name: string): string | null => {
    if (line !== undefined || !files.has(name)) return line ?? null;
    inferred.push({ key, value: `./${name}`, from: name });
    return `./${name}`;
  };
  const { init, reset, ...scripts } = environment;
  const { features, progress, stateDir } = rest.paths;
  const isBeside =
    rest.lanes > 1 ||
    rest.useWorktrees ||
    rest.branchIsolation.enabled ||
    rest.land !== 'commit' ||
    standard.isolation === 'worktree';
  mistakes.push(...checkRules(written));
  const config: Config = {
    playbook,
    project: { name: project.name ?? packageName(files) ?? (basename(resolve(root)) || 'project') },
    ...resolveAgents({ agents, models }, choice, mistakes),
    isolation: isolation ?? (isBeside ? 'worktree' : 'in-place'),
    dirtyTree,
    recovery: recovery ?? standard.recovery,
    environment: {
      init: script('environment.init', init, standard.initScript),
      reset: script('environment.reset', reset, 'reset.sh'),
      ...scripts,
    },
    ...rest,
    testing,
    github: issuesOf(written),
    runOptions: {},
    paths: {
      backlog: listPath(backlog, features),
      progress: logPath(playbook, progress, stateDir),
      stateDir: tidyPath(stateDir),
    },
    source: file,
  };
  const isNeeded = defaultsOf(backlog).list.needsTestCommand;
  return { config, inferred: [...fromTests, ...inferred], needed: isNeeded ? needed : [] };
}

/** A playbook with one task has no items that an issue could mirror. */
function issuesOf({ github, project, backlog, playbook }: WrittenConfig): Config['github'] {
  const { isGiven, syncMode, repo, ...rest } = github;
  const isWanted = isGiven || project.githubRepo !== undefined || backlog === 'github';
  const isList = defaultsOf(playbook.machine).oneTask === undefined;
  return { ...rest, mirrors: isList && isWanted && syncMode === 'mirror', repo: repo ?? project.githubRepo ?? null };
}

function checkRules(written: WrittenConfig): readonly ConfigMistake[] {
  const { session, context, quota, paths, gates, lanes, isolation, playbook, land, forge } = written;
  return [
    ...(lanes > 1 && defaultsOf(playbook.machine).oneTask !== undefined
      ? [invalid(['lanes'], lanes, '1 with a playbook that has one task')]
      : []),
    ...(isolation === 'in-place' && (lanes > 1 || land !== 'commit')
      ? [invalid(['isolation'], isolation, `worktree where ${lanes > 1 ? 'lanes is above 1' : `land is ${land}`}`)]
      : []),
    ...(land === 'branch' && defaultsOf(playbook.machine).list.derive !== undefined
      ? [invalid(['land'], land, 'commit with a playbook whose plans are merged by pull requests')]
      : []),
    ...(land === 'pull-request' && (forge.kind === 'none' || defaultsOf(playbook.machine).oneTask !== undefined)
      ? [
          invalid(
            ['land'],
            land,
            forge.kind === 'none' ? 'commit where forge.kind is none' : 'commit with a playbook that has one task',
          ),
        ]
      : []),
    ...below(
      ['session', 'timeout_warning_minutes'],
      session.timeoutWarningMinutes,
      ['session', 'timeout_minutes'],
      session.timeoutMinutes,
    ),
    ...below(
      ['context', 'warn_threshold'],
      context.warnThreshold,
      ['context', 'force_threshold'],
      context.forceThreshold,
    ),
    ...below(['quota', 'begin_below'], quota.beginBelow, ['quota', 'wrap_up_at'], quota.wrapUpAt),
    ...(tidyPath(paths.features) === tidyPath(paths.progress)
      ? [invalid(['paths', 'progress'], paths.progress, 'another file than paths.features')]
      : []),
    ...policyMistakes(gates),
  ];
}

const below = (path: Path, value: number, other: Path, limit: number): readonly ConfigMistake[] =>
  value < limit ? [] : [invalid(path, value, `< ${limit} (${dotted(other)})`)];

const subjects: { readonly [subject: string]: GateSubject } = Object.assign(
  {},
  SUBJECTS,
  ...PLAYBOOKS.map(({ gates }) => gates),
);

/** Rejects an unknown gate, an unknown option, and an option that asserts that the user looked. */
function policyMistakes({ policies }: WrittenConfig['gates']): readonly ConfigMistake[] {
  return Object.entries(policies).flatMap(([name, { answer, afterMs }]) => {
    const path = ['gates', 'policies', name];
    const subject = entryOf(subjects, name);
    if (subject === undefined) return [invalid(path, name, Object.keys(subjects).join(' | '))];
    const { options, never } = subject;
    const allowed = ['wait', ...options.filter((id) => !never.includes(id))];
    if (!allowed.includes(answer ?? 'wait')) return [invalid([...path, 'answer'], answer, allowed.join(' | '))];
    return answer !== null && afterMs === 0 ? [missing([...path, 'after'], '90s, 30m, 4h, 2d')] : [];
  });
}
