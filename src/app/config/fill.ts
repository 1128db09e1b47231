// A checked configuration → the one the code reads: values that depend on other keys or on the target.
import { basename, resolve } from 'node:path';
import type { Config, WrittenConfig } from '../../model/config.ts';
import { tidyPath } from '../../model/config/paths.ts';
import type { TargetFiles } from '../../model/target-files.ts';
import { resolveAgents, type AgentChoice } from './agents.ts';
import { packageName } from './files.ts';
import type { ConfigMistake } from './mistake.ts';
import { defaultsOf, listPath, logPath } from '../../playbooks/registry.ts';
import { checkRules } from './rules.ts';
import { resolveTesting, type Inferred } from './testing.ts';

export type Filled = {
  readonly config: Config;
  readonly inferred: readonly Inferred[];
  readonly needed: readonly ConfigMistake[];
};

/** What is wrong only between keys is added to `mistakes`; then the result must not be used. */
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
  mistakes.push(...checkRules(written));
  const config: Config = {
    playbook,
    project: { name: project.name ?? packageName(files) ?? (basename(resolve(root)) || 'project') },
    ...resolveAgents({ agents, models }, choice, mistakes),
    isolation,
    dirtyTree,
    recovery: recovery ?? standard.recovery,
    environment: {
      init: script('environment.init', init, standard.initScript),
      reset: script('environment.reset', reset, 'reset.sh'),
      ...scripts,
    },
    ...rest,
    testing,
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
