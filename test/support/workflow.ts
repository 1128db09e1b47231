// state.json files of the workflow playbook for tests.
import type { BriefContext } from '../../src/engine/definitions.ts';
import type { Config } from '../../src/model/config.ts';
import type { RepositoryView } from '../../src/model/repository-view.ts';
import { backlog } from '../../src/playbooks/workflow/backlog.ts';
import {
  newState,
  type Phase,
  type StateFile,
  type V1File,
  type V1Phase,
} from '../../src/playbooks/workflow/file/state.ts';
import type { StartFacts } from '../../src/playbooks/workflow/table/resume.ts';
import { configOf } from './config.ts';
import { sentence } from './read-context.ts';

/** The context of surveys, briefs and edits. */
export const contextOf = (view: RepositoryView, config: Config = configOf()): BriefContext => ({
  view,
  backlog,
  config,
  sentence,
});

export const THEN = '2026-01-01T00:00:00Z';
export const NOW = '2026-11-22T10:00:00Z';

/** All documents of a session exist. */
export const THERE: StartFacts = {
  spec: true,
  changes: true,
  verifyReport: true,
  report: true,
  conventions: true,
  patch: true,
  hasGit: true,
  isDocsPathValid: true,
};

/** A complete file, in a phase. */
export const stateIn = (phase: Phase, more: Partial<StateFile> = {}): StateFile => ({
  version: '2.0',
  task: 'Fix the login',
  mode: 'standard',
  run_style: 'auto',
  model_config: { preset: 'balanced', executor: 'sonnet', advisor: 'opus', evaluator: 'opus', verifier: 'haiku' },
  cli_flags: { verifier_model: null, output_dir: null },
  user_lang: 'en',
  has_git: true,
  repo_name: 'shop',
  repo_path: '.',
  phase,
  round: 1,
  max_rounds: 3,
  max_files: 20,
  scope: '(no limit)',
  branch: 'harness/fix-the-login',
  lang: 'typescript',
  build_cmd: 'npm run build',
  test_cmd: 'npm test',
  lint_cmd: null,
  type_check_cmd: null,
  autofix: null,
  docs_path: 'docs/harness/fix-the-login/',
  conventions: 'skipped',
  created_at: THEN,
  updated_at: THEN,
  ...more,
  verify: {
    layer1_result: null,
    layer1_retries: 0,
    layer2_result: null,
    layer2_retries: 0,
    todo_blocking: false,
    autofix_attempted: false,
    ...more.verify,
  },
});

export const SORT_BRANCH = 'harness/sort-the-list';
export const SORT_DOCS = 'docs/harness/sort-the-list/';
/** As set-up leaves it, of a small task in mode single. */
export const sortTheList = (file: string, more: Partial<StateFile> = {}): StateFile => ({
  ...newState(
    {
      task: 'Sort the list',
      cli_flags: { verifier_model: null, output_dir: null },
      user_lang: 'en',
      docs_path: SORT_DOCS,
      created_at: THEN,
      has_git: true,
      slug: 'sort-the-list',
    },
    {
      mode: 'single',
      run_style: 'auto',
      model_config: { preset: 'default', executor: null, advisor: null, evaluator: null, verifier: 'haiku' },
      repo_name: 'shop',
      repo_path: '.',
      scope: '(no limit)',
      lang: 'unknown',
      build_cmd: null,
      test_cmd: `grep -qx sorted ${file}`,
      lint_cmd: null,
      type_check_cmd: null,
      updated_at: THEN,
    },
  ),
  conventions: 'skipped',
  ...more,
});

export const autofix = (
  applied: 'proposed' | 'applied' | 'rejected' | 'stopped',
): NonNullable<StateFile['autofix']> => ({
  last_patch_path: '.harness/generator/auto_fix_patch.md',
  applied,
  triggered_at: THEN,
});

export const v1In = (phase: V1Phase, more: Partial<V1File> = {}): V1File => ({
  task: 'Fix the login',
  mode: 'single',
  has_git: true,
  phase,
  round: 1,
  max_rounds: 3,
  verify: { layer1_result: null, layer1_retries: 0 },
  ...more,
});
