// Set-up of a workflow: from a task to a session that the machine can work on. state.json is written twice, with the folders, the branch and two
// questions in between; a set-up that was interrupted anywhere is continued by the same command.
import { Bug } from '../../../model/bug.ts';
import { dirtyTree, failure } from '../../../model/failure.ts';
import { err, ok, type Result } from '../../../model/result.ts';
import { languageOf } from '../../../model/spoken.ts';
import type { StartEffects, StartHost, StartUser } from '../../../engine/start.ts';
import { newState, partialState, NO_LIMIT, resolved, type StateFile, MODES, type Mode } from '../file/state.ts';
import { branchOf, docsPathOf, taskSlugOf } from '../file/slug.ts';
import { judgeDocsPath, judgePathIn } from '../paths/paths.ts';
import { detected, tablesOf, type ProjectFacts } from '../project/detect.ts';
import { STYLE_OF_STEP } from '../table/resume.ts';
import type { StartInput } from './options.ts';
import { fileOf, removeSession, type FoundSession } from './session.ts';
import {
  chosenModels,
  MODEL_RETRIES,
  PRESETS,
  RECOMMENDED_PRESET,
  type ModelChoice,
  type ModelConfig,
} from '../sessions/models.ts';

export type Choices = {
  readonly mode: Mode;
  readonly models: ModelConfig;
  readonly assumed: { readonly [question: string]: string };
};

export const RECOMMENDED_MODE: Mode = 'standard';
/** In the order in which they are shown. */
const SHOWN_MODES: readonly Mode[] = [RECOMMENDED_MODE, ...MODES.filter((mode) => mode !== RECOMMENDED_MODE)];

/** Mode and models: from the command line, else the user's answer, else the recommendation, which is then recorded as such. */
export async function choices(input: StartInput, user: StartUser): Promise<Choices> {
  const mode = input.mode ?? (await askMode(user));
  const models = input.models === null ? await askModels(input, user) : chosenModels(input.models, input.verifier);
  const config = models ?? chosenModels(RECOMMENDED_PRESET, input.verifier);
  if (!config.ok) throw new Bug(`models that were checked: ${config.wrong.join(', ')}`);
  return {
    mode: mode ?? RECOMMENDED_MODE,
    models: config.config,
    assumed: {
      ...(mode === null ? { mode: RECOMMENDED_MODE } : {}),
      ...(models === null ? { models: RECOMMENDED_PRESET } : {}),
    },
  };
}

/** null: the user cannot be asked. */
async function askMode(user: StartUser): Promise<Mode | null> {
  if (!user.canBeAsked) return null;
  const params = { recommended: RECOMMENDED_MODE };
  const answer = await user.choose({ key: 'workflow.mode', choices: SHOWN_MODES, params });
  return MODES.find((mode) => mode === answer) ?? RECOMMENDED_MODE;
}

/** null: the user cannot be asked, or gave too many answers that are not understood. */
async function askModels({ verifier }: StartInput, user: StartUser): Promise<ModelChoice | null> {
  if (!user.canBeAsked) return null;
  const params = { recommended: RECOMMENDED_PRESET };
  const question = { key: 'workflow.models', choices: Object.keys(PRESETS), params, other: true } as const;
  for (let asked = 0; asked <= MODEL_RETRIES; asked += 1) {
    const choice = chosenModels((await user.choose(question)) ?? RECOMMENDED_PRESET, verifier);
    if (choice.ok) return choice;
    if (asked < MODEL_RETRIES)
      user.say('workflow.models-wrong', { wrong: choice.wrong.join(', '), allowed: choice.allowed.join(', ') });
  }
  return null;
}

export type SetUpInput = {
  readonly input: StartInput;
  readonly found: FoundSession;
  /** What an interrupted set-up wrote: it is continued. */
  readonly known: StateFile | null;
  /** The session that is there is removed first. */
  readonly isRestart: boolean;
};
export type SetUp = {
  readonly file: StateFile;
  /** Questions answered with the recommendation, because the user cannot be asked. */
  readonly assumed: Choices['assumed'];
  /** The branch that has other work; null: the branch of the task's name was free. */
  readonly taken: string | null;
};
type Known = Required<Pick<StateFile, 'task'>> & {
  readonly cli_flags: Parameters<typeof partialState>[0]['cli_flags'];
  readonly user_lang: string;
  readonly has_git: boolean;
  readonly docs_path: string;
  readonly slug: string;
  readonly created_at: string;
};

export async function setUp(host: StartHost, effects: StartEffects, ask: SetUpInput): Promise<Result<SetUp>> {
  const { input, found } = ask;
  const known = ask.known === null ? await fromTask(host, effects, input) : await fromUnfinished(host, ask.known);
  if (!known.ok) return known;
  const { docs_path: docs, slug, has_git: isUnderGit } = known.value;
  const before = fileOf(found);
  const old = before === null || !found.facts.isDocsPathValid ? [] : [resolved(before).docs_path];
  const clean = isUnderGit ? await cleanTree(host, [docs, ...old]) : ok(null);
  if (!clean.ok) return clean;
  if (ask.isRestart) {
    const removed = await removeSession(host, effects, 'workflow-restarted');
    if (!removed.ok) return removed;
    // Without git the new session starts from what the old one changed.
    const started = await effects.startOwnHistory();
    if (!started.ok) return started;
  }
  const write = (file: StateFile): void =>
    effects.replace(host.config.paths.backlog, `${JSON.stringify(file, null, 2)}\n`);
  if (ask.known === null) write(partialState(known.value));
  for (const folder of ['.harness/planner', '.harness/generator', docs]) effects.makeFolder(folder);
  // With `land: branch` each run has a branch of its own, and that of the user stays checked out.
  const isOwn = host.config.land === 'branch';
  const branch =
    isUnderGit && !isOwn ? await effects.switchToOwnBranch(branchOf(slug), ask.known !== null) : ok(isOwn ? '' : null);
  if (!branch.ok) return branch;
  await host.user.speak(known.value.user_lang);
  const chosen = await choices(input, host.user);
  const fresh = newState(known.value, {
    mode: chosen.mode,
    run_style: input.step === null ? 'auto' : STYLE_OF_STEP[input.step],
    model_config: chosen.models,
    repo_name: host.root.slice(host.root.lastIndexOf('/') + 1),
    repo_path: host.root,
    scope: input.scope ?? NO_LIMIT,
    ...detected(await projectFacts(host), { lint_cmd: input.lintCmd, type_check_cmd: input.typeCheckCmd }),
    updated_at: effects.now(),
  });
  const { maxFiles, maxRounds } = input;
  const file: StateFile = {
    ...fresh,
    ...(branch.value === null ? {} : { branch: branch.value }),
    ...(maxFiles === null ? {} : { max_files: maxFiles }),
    ...(maxRounds === null ? {} : { max_rounds: maxRounds }),
  };
  write(file);
  effects.report('workflow-set-up', { task: known.value.task, branch: branch.value });
  for (const [question, answer] of Object.entries(chosen.assumed))
    effects.report('workflow-assumed', { question, answer });
  const isTaken = branch.value !== null && branch.value !== fresh.branch;
  return ok({ file, assumed: chosen.assumed, taken: isTaken ? (fresh.branch ?? null) : null });
}

async function fromTask(
  host: StartHost,
  effects: StartEffects,
  { task, outputDir, verifier }: StartInput,
): Promise<Result<Known>> {
  if (task === null) throw new Bug('a set-up without a task');
  const base = outputDir === null ? ok(null) : await outputBase(host, outputDir);
  if (!base.ok) return base;
  const slug = taskSlugOf(task);
  const docs = await usableDocsPath(host, docsPathOf(slug, base.value));
  if (!docs.ok) return docs;
  const { language } = host.user;
  return ok({
    task,
    cli_flags: { verifier_model: verifier, output_dir: base.value },
    user_lang: (await languageOf(task, language)) ?? language,
    has_git: host.hasGit,
    docs_path: docs.value,
    slug,
    created_at: effects.now(),
  });
}

async function fromUnfinished(host: StartHost, file: StateFile): Promise<Result<Known>> {
  const { task, cli_flags, user_lang, docs_path, created_at } = resolved(file);
  const docs = await usableDocsPath(host, docs_path);
  if (!docs.ok) return docs;
  const slug = file.slug ?? taskSlugOf(task);
  return ok({ task, cli_flags, user_lang, has_git: file.has_git ?? host.hasGit, docs_path, slug, created_at });
}

/** On a branch, no merge or the like under way, nothing uncommitted except in `folders`: what an earlier phase left for this task. */
async function cleanTree({ view }: StartHost, folders: readonly string[]): Promise<Result<null>> {
  const { branch, dirty, operation } = await view.head();
  if (operation !== null) return err(failure('git-operation-open', { operation }));
  if (branch === null) return err(failure('detached-head'));
  const others = dirty.filter((path) => !folders.some((folder) => path.startsWith(folder)));
  return others.length > 0 ? err(dirtyTree(others)) : ok(null);
}

async function projectFacts({ view, rootNames }: StartHost): Promise<ProjectFacts> {
  const text = async (name: string): Promise<string | null> =>
    (await view.stat(name))?.kind === 'file' ? view.read(name) : null;
  const pyproject = await text('pyproject.toml');
  return {
    files: rootNames(),
    packageJson: parsedOrNull(await text('package.json')),
    pyproject: pyproject === null ? null : tablesOf(pyproject),
  };
}

/** A package.json that cannot be read names no commands; those of its language apply. */
function parsedOrNull(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}

/** As it will be used, without its last slash. */
export async function outputBase({ view }: StartHost, path: string): Promise<Result<string>> {
  const verdict = await judgePathIn(view, path, { kind: 'output-dir', docsPath: null, isInScope: () => true });
  if (verdict.isAllowed) return ok(verdict.path);
  const { rule, part } = verdict;
  return err(
    failure('output-dir-refused', { path: JSON.stringify(path), rule: `path-${rule}`, part: partOf(part, path) }),
  );
}

/** The folder of a session, as state.json has it. */
export async function usableDocsPath({ view }: StartHost, docs: string): Promise<Result<string>> {
  const verdict = await judgeDocsPath(view, docs);
  if (verdict.isAllowed) return ok(docs);
  const { rule, part } = verdict;
  return err(failure('workflow-docs-path', { path: docs, rule: `path-${rule}`, part: partOf(part, docs) }));
}

/** Shown only where it is not the whole path. */
const partOf = (part: string, path: string): string => (part === path || part === path.replace(/\/$/, '') ? '' : part);
