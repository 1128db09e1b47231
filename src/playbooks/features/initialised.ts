// What an initializer made, checked by the harness itself: every mistake as a problem that can be sent back to the agent.
import { z } from 'zod';
import { defineSurvey } from '../../engine/definitions.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import type { RepositoryView } from '../../model/repository-view.ts';
import { scriptState } from '../session/scripts.ts';
import { listProblems } from '../session/session-zero.ts';
import { DEFAULT_SIZE_RULES, sizeFlags } from './granularity.ts';
import { readFeatures } from './read.ts';
import type { Feature } from './schema.ts';

/** A file of this name is a lint configuration. */
const LINT_FILES = [
  'ruff.toml',
  '.ruff.toml',
  '.flake8',
  '.pylintrc',
  'pylintrc',
  'eslint.config.js',
  'eslint.config.mjs',
  'eslint.config.cjs',
  'eslint.config.ts',
  'eslint.config.mts',
  '.eslintrc',
  '.eslintrc.js',
  '.eslintrc.cjs',
  '.eslintrc.json',
  '.eslintrc.yml',
  '.eslintrc.yaml',
  'biome.json',
  'biome.jsonc',
  '.oxlintrc.json',
  'oxlint.config.ts',
  'deno.json',
  'deno.jsonc',
  '.jshintrc',
  '.golangci.yml',
  '.golangci.yaml',
  '.golangci.toml',
  '.golangci.json',
  'clippy.toml',
  '.clippy.toml',
  '.rubocop.yml',
  '.shellcheckrc',
  '.swiftlint.yml',
  'phpcs.xml',
  'phpcs.xml.dist',
  'checkstyle.xml',
  '.clang-tidy',
  '.editorconfig-checker.json',
  '.credo.exs',
  'analysis_options.yaml',
  '.scalafix.conf',
  'detekt.yml',
] as const;

/** A file with other settings too, and the part of it that is a lint configuration. */
const LINT_SECTIONS: readonly (readonly [string, RegExp])[] = [
  ['pyproject.toml', /^\s*\[tool\.(?:ruff|flake8|pylint|pycodestyle)\b/m],
  ['setup.cfg', /^\s*\[(?:flake8|pylint|pycodestyle)\b/m],
  ['tox.ini', /^\s*\[(?:flake8|pycodestyle)\b/m],
  ['package.json', /"(?:eslintConfig|xo|standard)"\s*:/],
  ['Cargo.toml', /^\s*\[(?:workspace\.)?lints\b/m],
];

export async function hasLintConfig(world: RepositoryView): Promise<boolean> {
  for (const file of LINT_FILES) if ((await world.stat(file))?.kind === 'file') return true;
  for (const [file, section] of LINT_SECTIONS) if (section.test((await world.read(file)) ?? '')) return true;
  return false;
}

const STATS_AT_ONCE = 32;

/** A missing progress log or line in .gitignore is not a mistake: the harness writes them itself. */
export const initialised = defineSurvey({
  id: 'features.initialised',
  input: z.object({}),
  facts: z.object({
    problems: problemsSchema,
    /** Each feature with the test that must fail until it is done. */
    features: z.array(z.object({ id: z.string(), testFile: z.string().nullable() })).readonly(),
  }),
  async read({ view, config }) {
    const { backlog } = config.paths;
    const { maxVerificationSteps: maxSteps, requireTestFile } = config.features;
    const problems: Problem[] = [];
    const text = await view.read(backlog);
    const read = text === null ? null : readFeatures(text, backlog, { requireTestFile });
    if (read === null) problems.push({ code: 'init-backlog-missing', params: { file: backlog } });
    else if (!read.ok) problems.push(...listProblems(read.failure));
    const features = read?.ok === true ? read.value.features : [];
    if (read?.ok === true && features.length === 0)
      problems.push({ code: 'init-backlog-empty', params: { file: backlog } });
    for (const f of features)
      for (const { flag, weight, params } of sizeFlags(
        { ...f, size_accepted: false },
        { ...DEFAULT_SIZE_RULES, maxSteps },
      ))
        if (weight === 'split')
          problems.push({ code: 'init-feature-too-large', params: { item: String(f.id), flag, ...params } });
    problems.push(...decisions(features), ...(await missingTests(view, features)));
    for (const command of [config.environment.init ?? './init.sh', config.environment.reset ?? './reset.sh']) {
      const { is, path } = await scriptState(view, command);
      if (is === 'missing') problems.push({ code: 'init-script-missing', params: { file: path } });
      if (is === 'not-executable') problems.push({ code: 'init-script-not-executable', params: { file: path } });
    }
    // A lint command of the configuration counts as a lint configuration.
    const lint = config.quality.lintCommand ?? config.testing.sanity.lint;
    if (lint === null && !(await hasLintConfig(view))) problems.push({ code: 'init-lint-config-missing', params: {} });
    return { problems, features: features.map((f) => ({ id: String(f.id), testFile: f.test_file ?? null })) };
  },
});

/** No feature may pass yet, and no decision that only a user takes may be there. */
function decisions(features: readonly Feature[]): Problem[] {
  const found: Problem[] = [];
  const passing = features.filter((f) => f.passes).map((f) => String(f.id));
  if (passing.length > 0) {
    found.push({ code: 'init-feature-passing', params: { count: passing.length }, ids: passing });
  }
  for (const field of ['skipped', 'override', 'size_accepted', 'failing'] as const) {
    const ids = features.filter((f) => f[field]).map((f) => String(f.id));
    if (ids.length > 0) found.push({ code: 'decision-forged', params: { field, count: ids.length }, ids });
  }
  return found;
}

async function missingTests(view: RepositoryView, features: readonly Feature[]): Promise<Problem[]> {
  const users = new Map<string, string[]>();
  for (const f of features) {
    if (typeof f.test_file !== 'string') continue;
    const ids = users.get(f.test_file);
    if (ids === undefined) users.set(f.test_file, [String(f.id)]);
    else ids.push(String(f.id));
  }
  const files = [...users.keys()];
  const problems: Problem[] = [];
  for (let at = 0; at < files.length; at += STATS_AT_ONCE) {
    const some = files.slice(at, at + STATS_AT_ONCE);
    const stats = await Promise.all(some.map((file) => view.stat(file)));
    for (const [place, file] of some.entries()) {
      if (stats[place]?.kind === 'file') continue;
      problems.push({ code: 'init-test-missing', params: { file }, ids: users.get(file) ?? [] });
    }
  }
  return problems;
}

/** Whether a .gitignore names the folder on a line of its own. */
export function ignores(gitignore: string | null, folder: string): boolean {
  const forms = new Set([folder, `${folder}/`, `/${folder}`, `/${folder}/`, `${folder}/*`, `${folder}/**`]);
  return (gitignore ?? '').split(/\r?\n/).some((line) => forms.has(line.trim()));
}
