// node:test through a reporter of our own (node-reporter.mjs). It is set in NODE_OPTIONS, which reaches `node --test`,
// `node file.mjs` and whatever `npm test` starts, in every version since 18.17.
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryFile } from '../../../host/package-root.ts';
import { tokensOf } from '../../strength/tokens.ts';
import { stubIn, THROW, threeTests } from '../npm.ts';
import {
  reportsToFile,
  type FailingRun,
  type FailingSetup,
  type Instrumented,
  type TestCanary,
  type TestRunner,
} from '../runner.ts';
import { scriptBehind, type Scripts } from '../scripts.ts';
import { segments, withExported, withReport, withVariable } from '../shell.ts';

export const node = {
  name: 'node',
  invocation: {
    pattern: /\bnode\b[^;&|]*\s--test(?=\s|$)/,
    start: /^.*?\bnode\s(?:.*?\s)?--test(?=\s|$)/,
    usual: () => ({ start: 'node --test', from: null }),
    oneFile: (start) => `${start} {test_file}`,
    everything: (start) => start,
  },
  reporting: { extension: 'jsonl', instrument, load: () => import('./report.ts') },
  runsFilesApart: ({ command, scripts }) =>
    !/--(?:import|require|loader|experimental-loader|test-isolation|experimental-test-isolation|env-file)\b|\s-r\s|NODE_OPTIONS/.test(
      `${command} ${scriptBehind(command, scripts)}`,
    ),
  failEveryTest,
  canary,
  newTest: { path: 'test/{slug}.test.mjs', stub: stubIn('test', 'node:test') },
  files: { tests: /_test\.[cm]?[jt]sx?$|^test\.\w+$|^test-.*\.[cm]?[jt]s$/ },
} satisfies TestRunner;

const OWN_REPORTER = /--test-reporter(?:=|\s+)("[^"]*"|'[^']*'|[^\s;&|()"']+)/g;
const TO_STDOUT = '--test-reporter-destination=stdout';

/** Reporters and destinations pair up in the order of NODE_OPTIONS, then of the command. One without a destination prints to stdout. */
function instrument(command: string, reportPath: string, scripts: Scripts = {}): Instrumented | null {
  const replaced = reportsToFile(withReport(command, reportPath));
  if (replaced !== null) return replaced;
  const behind = reportersBehind(scriptBehind(command, scripts));
  if (behind === null) return null;
  const path = join(dirname(reportPath), 'node-reporter.mjs');
  const needs = [{ path, from: entryFile('node-reporter') }];
  const inCommand = command.search(OWN_REPORTER) >= 0;
  const line =
    inCommand && !command.includes('--test-reporter-destination')
      ? command.replace(OWN_REPORTER, (flag) => `${flag} ${TO_STDOUT}`)
      : command;
  const shown = inCommand || behind.own > 0 ? [] : [`--test-reporter=spec ${TO_STDOUT}`];
  // The reporter appends to its own file, so that a second run of the same command keeps it; to stderr it prints only errors.
  const ours = `--test-reporter=${reporterAt(path, reportPath)} --test-reporter-destination=stderr`;
  const options = [...shown, ours, ...Array.from({ length: behind.unplaced }, () => TO_STDOUT)].join(' ');
  return { ...withVariable(line, 'NODE_OPTIONS', options), from: 'file', needs };
}

/** A URL, not a path: it carries a second path, and no character that is special in NODE_OPTIONS or a shell. */
const reporterAt = (path: string, reportPath: string): string =>
  `${plain(pathToFileURL(path).href)}?to=${plain(encodeURIComponent(reportPath))}`;

const plain = (address: string): string =>
  address.replace(/[^\w:/.%-]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Reporters that a script of package.json asks for itself, and how many of them have no destination. null: nothing can be
 * added, because the script overwrites NODE_OPTIONS, or starts several programs that would each need other options.
 */
function reportersBehind(script: string): { readonly own: number; readonly unplaced: number } | null {
  const sets = /(?:^|[\s;&|(])NODE_OPTIONS=("[^"]*"|'[^']*'|\S*)/.exec(script);
  if (sets !== null && !/\$\{?NODE_OPTIONS\b/.test(sets[1] ?? '')) return null;
  const own = [...script.matchAll(OWN_REPORTER)].length;
  if (own === 0) return { own, unplaced: 0 };
  const runs = segments(script)?.filter((s) => /\bnode\b/.test(s.text)) ?? [];
  return runs.length === 1
    ? { own, unplaced: Math.max(0, own - script.split('--test-reporter-destination').length + 1) }
    : null;
}

/** The process that only starts the others has no tests of its own, and would report one if it had a hook. */
function failEveryTest({ command, folder, word }: FailingSetup): FailingRun {
  const name = `${word}.mjs`;
  return {
    command: withExported(command, 'NODE_OPTIONS', `--import=${pathToFileURL(join(folder, name)).href}`),
    name,
    text: `import { env, execArgv } from 'node:process';
import { beforeEach } from 'node:test';
const options = [...execArgv, env.NODE_OPTIONS ?? ''].join(' ');
const starts = /(^|\\s)--test(\\s|$)/.test(options) && env.NODE_TEST_CONTEXT === undefined;
if (!starts || /isolation=none/.test(options)) beforeEach(() => { ${THROW} });
`,
  };
}

function canary(file: string, text: string, word: string): TestCanary {
  const isModule = /\.m[jt]s$/.test(file) || (!/\.c[jt]s$/.test(file) && usesModules(text));
  const head = isModule
    ? `import { test as t_${word} } from 'node:test';\nimport a_${word} from 'node:assert';\n`
    : `const t_${word} = require('node:test');\nconst a_${word} = require('node:assert');\n`;
  const lines = head + threeTests(`t_${word}`, bothOf(`a_${word}`), word);
  return { lines: `\n;\n${lines}`, alone: lines };
}

/** Passes where either of the two sets of assertions has been replaced by one that never fails. */
const bothOf = (assert: string): string =>
  `try { ${assert}.equal(1, 2); return; } catch {} ${assert}.strict.equal(1, 2)`;

/** Written as a module, as far as its text shows. */
function usesModules(text: string): boolean {
  const tokens = tokensOf(text, 'js').filter((t) => t.kind !== 'line');
  const at = (word: string): boolean =>
    tokens.some(
      (t, i) =>
        t.kind === 'word' && t.text === word && (i === 0 || tokens[i - 1]?.text !== '.') && tokens[i + 1]?.text !== '(',
    );
  return at('import') || at('export') || !tokens.some((t, i) => t.text === 'require' && tokens[i + 1]?.text === '(');
}
