// pytest through its JUnit report. It is set in PYTEST_ADDOPTS, so it reaches pytest behind `poetry run`, `make` and scripts too.
import { shellWord } from '../../../model/shell-quote.ts';
import type { Instrumented, TestRunner } from '../runner.ts';
import { withExported, withReport, withVariable } from '../shell.ts';
import { appended } from '../npm.ts';

export const pytest = {
  name: 'pytest',
  invocation: {
    pattern: /\bpytest\b|\bpy\.test\b/,
    start: /^.*?\b(?:pytest|py\.test)(?=\s|$)/,
    usual(files) {
      const [from, prefix] = LOCK_FILES.find(([file]) => files.has(file)) ?? [null, ''];
      return { start: `${prefix}pytest`, from };
    },
    oneFile: (start) => `${start} {test_file}`,
    everything: (start) => start,
    usedIn: (files) => USED_IN.find(([file, content]) => content.test(files.read(file) ?? '\0'))?.[0] ?? null,
  },
  reporting: { extension: 'xml', instrument, load: () => import('./report.ts') },
  selectTests(_command, ofFile, tests) {
    if (ofFile === null || !ofFile.includes('{test_file}') || tests.some(({ file }) => file === '')) return null;
    const words = tests.map(({ file, suite, name }) => shellWord([file, ...suite, name].join('::')));
    return ofFile.replaceAll('{test_file}', () => words.join(' '));
  },
  failEveryTest({ command, folder, word }) {
    const path = `export PYTHONPATH=${shellWord(folder)}"\${PYTHONPATH:+:$PYTHONPATH}"`;
    return {
      command: `${path}; ${withExported(command, 'PYTEST_ADDOPTS', `-p ${word}`)}`,
      name: `${word}.py`,
      text: `import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    raise AssertionError("every test is to fail")
`,
    };
  },
  canary: (_file, _text, word) =>
    appended(
      `def test_${word}_fails():\n    raise RuntimeError('canary')\n\n\ndef test_${word}_differs():\n    assert 1 == 2\n\n\ndef test_${word}_passes():\n    assert 1 == 1\n`,
    ),
  newTest: {
    path: 'tests/test_{slug_}.py',
    stub: (title, steps) =>
      `def test_it():\n    ${JSON.stringify(title)}\n${steps.map((step) => `    # ${step}\n`).join('')}    raise NotImplementedError\n`,
  },
  files: {
    tests: /^test_.*\.py$|_test\.py$/,
    config: /^(?:conftest\.py|\.?pytest\.ini)$/,
    section: 'pytest',
  },
} satisfies TestRunner;

const LOCK_FILES: readonly (readonly [file: string, prefix: string])[] = [
  ['uv.lock', 'uv run '],
  ['poetry.lock', 'poetry run '],
];

/** Files, and what in them shows that pytest is used. A file that does not exist reads as one NUL. */
const USED_IN: readonly (readonly [file: string, content: RegExp])[] = [
  ['pytest.ini', /^[^\0]*$/],
  ['conftest.py', /^[^\0]*$/],
  ['pyproject.toml', /\bpytest\b/],
  ['setup.cfg', /^\[tool:pytest\]/m],
  ['tox.ini', /\bpytest\b/],
  ['requirements-dev.txt', /^pytest\b/m],
  ['requirements.txt', /^pytest\b/m],
];

/** Without the second option one file that cannot be imported stops all tests of all files. */
const OPTIONS = '-o junit_family=xunit1 --continue-on-collection-errors';

function instrument(command: string, reportPath: string): Instrumented {
  const flag = `--junitxml=${shellWord(reportPath)}`;
  // The command's own flag would win over ours.
  const line = (withReport(command, reportPath) ?? command).replace(
    /--junit-?xml(?:=|\s+)("[^"]*"|'[^']*'|[^\s;&|()]+)/g,
    () => flag,
  );
  const options = line.includes(flag) ? OPTIONS : `${flag} ${OPTIONS}`;
  return { ...withVariable(line, 'PYTEST_ADDOPTS', options), from: 'file' };
}
