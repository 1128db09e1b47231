// Step 1 of a workflow (reference 004, Setup): from a task to a session that the machine can go on with. Two writes of state.json with the
// folders, the branch and two questions between them; whoever died anywhere is taken up by the same command.
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Bug } from '../../model/bug.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { languageOf } from '../../model/spoken.ts';
import { detected } from '../../playbooks/workflow/project/detect.ts';
import { STYLE_OF_STEP } from '../../playbooks/workflow/table/resume.ts';
import { judgeDocsPath, judgePathIn } from '../../playbooks/workflow/paths/paths.ts';
import { newState, partialState } from '../../playbooks/workflow/file/setup.ts';
import { docsPathOf, slugOf } from '../../playbooks/workflow/file/slug.ts';
import { NO_LIMIT, resolved, type StateFile } from '../../playbooks/workflow/file/state.ts';
import type { Lane } from '../../loop/lane.ts';
import { cleanTree, ownBranch } from './branch.ts';
import { choices, type Asks, type Choices } from './choices.ts';
import { projectFacts } from './project.ts';
import { makeOwnRepository } from '../../repos/own-repository.ts';
import { clearSession, fileOf, type Found } from './session.ts';
import type { Target } from '../target.ts';
import type { Wanted } from './wanted.ts';

export type SetUpAsk = {
  readonly wanted: Wanted;
  readonly found: Found;
  /** What an unfinished set-up wrote: it is gone on with. */
  readonly known: StateFile | null;
  /** The session that is there goes first. */
  readonly isRestart: boolean;
  /** ISO 639-1: of whoever writes what says nothing. */
  readonly likely: string;
};
export type SetUp = {
  readonly file: StateFile;
  /** Soft questions that nobody was asked. */
  readonly assumed: Choices['assumed'];
  /** The branch that somebody else's work is on; null: it was free. */
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

/** `speak`: from here on the person is spoken to in this language. Under the lock. */
export async function setUp(target: Target, lane: Lane, ask: SetUpAsk, asks: Asks): Promise<Result<SetUp>> {
  const known = ask.known === null ? await fromTask(target, ask) : await fromUnfinished(target, ask.known);
  if (!known.ok) return known;
  const { docs_path: docs, slug, has_git: isUnderGit } = known.value;
  const before = fileOf(ask.found);
  const old = before === null || !ask.found.facts.isDocsPathValid ? [] : [resolved(before).docs_path];
  const clean = isUnderGit ? await cleanTree(target, [docs, ...old]) : ok(null);
  if (!clean.ok) return clean;
  if (ask.isRestart) {
    const cleared = await clearSession(target, 'workflow-restarted');
    if (!cleared.ok) return cleared;
    // Without git what the given-up session changed is where the new one begins.
    const begun = await makeOwnRepository(lane.git);
    if (!begun.ok) return begun;
  }
  const state = join(target.root, target.config.paths.backlog);
  const write = (file: StateFile): void => target.io.replace(state, `${JSON.stringify(file, null, 2)}\n`);
  if (ask.known === null) write(partialState(known.value));
  for (const folder of ['.harness/planner', '.harness/generator', docs])
    mkdirSync(join(target.root, folder), { recursive: true });
  const branch = isUnderGit ? await ownBranch(lane.git, slug, ask.known !== null) : ok(null);
  if (!branch.ok) return branch;
  await asks.speak(known.value.user_lang);
  const chosen = await choices(ask.wanted, asks);
  const { scope } = ask.wanted;
  const fresh = newState(known.value, {
    mode: chosen.mode,
    run_style: ask.wanted.step === null ? 'auto' : STYLE_OF_STEP[ask.wanted.step],
    model_config: chosen.models,
    repo_name: basename(target.root),
    repo_path: target.root,
    scope: scope ?? NO_LIMIT,
    ...detected(await projectFacts(target), {
      lint_cmd: ask.wanted.lintCmd,
      type_check_cmd: ask.wanted.typeCheckCmd,
    }),
    updated_at: target.clock.iso(),
  });
  const { maxFiles, maxRounds } = ask.wanted;
  const file: StateFile = {
    ...fresh,
    ...(branch.value === null ? {} : { branch: branch.value }),
    ...(maxFiles === null ? {} : { max_files: maxFiles }),
    ...(maxRounds === null ? {} : { max_rounds: maxRounds }),
  };
  write(file);
  lane.tell({ type: 'workflow-set-up', level: 'important', data: { task: known.value.task, branch: branch.value } });
  for (const [question, answer] of Object.entries(chosen.assumed))
    lane.tell({ type: 'workflow-assumed', level: 'important', data: { question, answer } });
  const isTaken = branch.value !== null && branch.value !== fresh.branch;
  return ok({ file, assumed: chosen.assumed, taken: isTaken ? (fresh.branch ?? null) : null });
}

async function fromTask(target: Target, { wanted, likely }: SetUpAsk): Promise<Result<Known>> {
  const { task, outputDir } = wanted;
  if (task === null) throw new Bug('a set-up without a task');
  const base = outputDir === null ? ok(null) : await outputBase(target, outputDir);
  if (!base.ok) return base;
  const slug = slugOf(task);
  const docs = await usable(target, docsPathOf(slug, base.value));
  if (!docs.ok) return docs;
  return ok({
    task,
    cli_flags: { verifier_model: wanted.verifier, output_dir: base.value },
    user_lang: (await languageOf(task, likely)) ?? likely,
    has_git: target.hasGit,
    docs_path: docs.value,
    slug,
    created_at: target.clock.iso(),
  });
}

async function fromUnfinished(target: Target, file: StateFile): Promise<Result<Known>> {
  const { task, cli_flags, user_lang, docs_path, created_at } = resolved(file);
  const docs = await usable(target, docs_path);
  if (!docs.ok) return docs;
  const slug = file.slug ?? slugOf(task);
  return ok({ task, cli_flags, user_lang, has_git: file.has_git ?? target.hasGit, docs_path, slug, created_at });
}

/** As it will be used, without its last slash. */
export async function outputBase({ world }: Target, path: string): Promise<Result<string>> {
  const verdict = await judgePathIn(world, path, { kind: 'output-dir', docsPath: null, isInScope: () => true });
  if (verdict.isAllowed) return ok(verdict.path);
  const { rule, part } = verdict;
  return err(
    failure('output-dir-refused', { path: JSON.stringify(path), rule: `path-${rule}`, part: partOf(part, path) }),
  );
}

/** The folder of a session as it stands in state.json. */
export async function usable(target: Target, docs: string): Promise<Result<string>> {
  const verdict = await judgeDocsPath(target.world, docs);
  if (verdict.isAllowed) return ok(docs);
  const { rule, part } = verdict;
  return err(failure('workflow-docs-path', { path: docs, rule: `path-${rule}`, part: partOf(part, docs) }));
}

/** Said only where it is less than the whole. */
const partOf = (part: string, path: string): string => (part === path || part === path.replace(/\/$/, '') ? '' : part);
