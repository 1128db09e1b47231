// state.json as set-up writes it: first what is known before the user is asked anything, then the whole file. Fields keep the documented order.
import { branchOf } from './slug.ts';
import type { StateFile, WorkflowState } from './state.ts';

type Known = Pick<WorkflowState, 'task' | 'cli_flags' | 'user_lang' | 'docs_path' | 'created_at'> & {
  readonly has_git: boolean;
  readonly slug: string;
};

/** Written as soon as docs_path is known, so that a crash before mode and models are chosen loses nothing of it. */
export function partialState(known: Known): StateFile {
  const { task, cli_flags, user_lang, has_git, created_at, docs_path, slug } = known;
  return { version: '2.0', task, cli_flags, user_lang, has_git, created_at, docs_path, slug };
}

type Chosen = Pick<
  WorkflowState,
  'mode' | 'run_style' | 'model_config' | 'repo_name' | 'repo_path' | 'scope' | 'lang' | 'updated_at'
> &
  Pick<WorkflowState, 'build_cmd' | 'test_cmd' | 'lint_cmd' | 'type_check_cmd'>;

/** The file that every session starts with. */
export function newState(known: Known, chosen: Chosen): StateFile {
  const { task, cli_flags, user_lang, has_git, slug, docs_path, created_at } = known;
  const { mode, run_style, model_config, repo_name, repo_path, scope, lang, updated_at } = chosen;
  const { build_cmd, test_cmd, lint_cmd, type_check_cmd } = chosen;
  const layers = { layer1_result: null, layer1_retries: 0, layer2_result: null, layer2_retries: 0 };
  return {
    version: '2.0',
    task,
    mode,
    run_style,
    model_config,
    cli_flags,
    user_lang,
    has_git,
    repo_name,
    repo_path,
    phase: 'plan_ready',
    round: 1,
    max_rounds: 3,
    max_files: 20,
    scope,
    branch: branchOf(slug),
    lang,
    build_cmd,
    test_cmd,
    lint_cmd,
    type_check_cmd,
    verify: { ...layers, todo_blocking: false, autofix_attempted: false },
    autofix: null,
    docs_path,
    conventions: null,
    created_at,
    updated_at,
  };
}
