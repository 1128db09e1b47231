// The two writes of state.json before the first phase (reference 004, Step 1.7 and 1.11), in the order of the reference's fields.
import { branchOf } from './slug.ts';
import type { StateFile, WorkflowState } from './state.ts';

type Known = Pick<WorkflowState, 'task' | 'cli_flags' | 'user_lang' | 'docs_path' | 'created_at'> & {
  readonly has_git: boolean;
  readonly slug: string;
};

/** As soon as docs_path is known: a crash before mode and model are chosen loses nothing of it. */
export const partialState = (known: Known): StateFile => ({
  version: '2.0',
  task: known.task,
  cli_flags: known.cli_flags,
  user_lang: known.user_lang,
  has_git: known.has_git,
  created_at: known.created_at,
  docs_path: known.docs_path,
  slug: known.slug,
});

type Chosen = Pick<
  WorkflowState,
  | 'mode'
  | 'run_style'
  | 'model_config'
  | 'repo_name'
  | 'repo_path'
  | 'scope'
  | 'lang'
  | 'build_cmd'
  | 'test_cmd'
  | 'lint_cmd'
  | 'type_check_cmd'
  | 'updated_at'
>;

/** What every session begins with. `autofix_attempted` is counted for the whole session and never set back. */
export const newState = (known: Known, chosen: Chosen): StateFile => ({
  version: '2.0',
  task: known.task,
  mode: chosen.mode,
  run_style: chosen.run_style,
  model_config: chosen.model_config,
  cli_flags: known.cli_flags,
  user_lang: known.user_lang,
  has_git: known.has_git,
  repo_name: chosen.repo_name,
  repo_path: chosen.repo_path,
  phase: 'plan_ready',
  round: 1,
  max_rounds: 3,
  max_files: 20,
  scope: chosen.scope,
  branch: branchOf(known.slug),
  lang: chosen.lang,
  build_cmd: chosen.build_cmd,
  test_cmd: chosen.test_cmd,
  lint_cmd: chosen.lint_cmd,
  type_check_cmd: chosen.type_check_cmd,
  verify: {
    layer1_result: null,
    layer1_retries: 0,
    layer2_result: null,
    layer2_retries: 0,
    todo_blocking: false,
    autofix_attempted: false,
  },
  autofix: null,
  docs_path: known.docs_path,
  conventions: null,
  created_at: known.created_at,
  updated_at: chosen.updated_at,
});
