// A repository in memory with one workflow under way: where its documents are, what its state.json says at first, and when its work is done.
import { newState, MODES, type StateFile } from '../../../src/playbooks/workflow/file/state.ts';
import type { Dice } from '../chance.ts';
import type { Tree } from '../repository.ts';
import { RUN_STYLES } from '../../../src/playbooks/workflow/file/run-options.ts';

export const ITEM = 'do-the-work';
export const BRANCH = `harness/${ITEM}`;
export const DOCS = `docs/harness/${ITEM}/`;
export const STATE = '.harness/state.json';
export const SPEC = `${DOCS}spec.md`;
export const REPORT = `${DOCS}qa_report.md`;
export const WORK = 'src/work.txt';
export const DONE = 'works\n';
/** It can be built, and no more. */
export const ALMOST = 'almost\n';
export const BROKEN = 'broken\n';

export const isBuilt = (tree: Tree): boolean => tree.get(WORK) !== BROKEN;
export const isDone = (tree: Tree): boolean => tree.get(WORK) === DONE;

export const FILES: { readonly [path: string]: string } = {
  '.harness.yaml': 'playbook: workflow\n',
  '.gitignore': '.harness/\n',
  'README.md': 'A shop\n',
  'init.sh': '#!/bin/sh\n',
  'reset.sh': '#!/bin/sh\n',
};

const BEGAN = '2040-01-01T08:00:00.000Z';

/** What set-up leaves. */
export function drawState(dice: Dice): StateFile {
  const known = {
    task: 'Do the work',
    cli_flags: { verifier_model: null, output_dir: null },
    user_lang: 'en',
    docs_path: DOCS,
    created_at: BEGAN,
    has_git: true,
    slug: ITEM,
  } as const;
  const state = newState(known, {
    mode: dice.oneOf(MODES),
    run_style: dice.happens(0.5) ? 'auto' : dice.oneOf(RUN_STYLES),
    model_config: { preset: 'default', executor: null, advisor: null, evaluator: null, verifier: 'haiku' },
    repo_name: 'shop',
    repo_path: '.',
    scope: dice.happens(0.3) ? 'src/' : '(no limit)',
    lang: 'unknown',
    build_cmd: dice.happens(0.5) ? 'build' : null,
    test_cmd: dice.happens(0.9) ? 'test' : null,
    lint_cmd: null,
    type_check_cmd: null,
    updated_at: BEGAN,
  });
  return {
    ...state,
    max_rounds: dice.between(1, 3),
    max_files: dice.between(8, 20),
    conventions: dice.happens(0.6) ? 'skipped' : null,
  };
}
