// Does a project have a lint configuration that a linter would find?
import type { RepositoryView } from '../../model/repository-view.ts';

/** A file of this name is one. */
const FILES = [
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

/** A file that holds other things too, and what in it is one. */
const SECTIONS: readonly (readonly [string, RegExp])[] = [
  ['pyproject.toml', /^\s*\[tool\.(?:ruff|flake8|pylint|pycodestyle)\b/m],
  ['setup.cfg', /^\s*\[(?:flake8|pylint|pycodestyle)\b/m],
  ['tox.ini', /^\s*\[(?:flake8|pycodestyle)\b/m],
  ['package.json', /"(?:eslintConfig|xo|standard)"\s*:/],
  ['Cargo.toml', /^\s*\[(?:workspace\.)?lints\b/m],
];

export async function hasLintConfig(world: RepositoryView): Promise<boolean> {
  for (const file of FILES) if ((await world.stat(file))?.kind === 'file') return true;
  for (const [file, section] of SECTIONS) if (section.test((await world.read(file)) ?? '')) return true;
  return false;
}
