// What the harness knows of one test runner. Each runner is a folder with a `runner.ts` that holds such a description;
// all.ts lists them. Descriptions are small, because resolving a configuration loads every one of them; what reads reports is
// loaded when a report is read.
import type { TestReport } from '../../model/report.ts';
import type { Result } from '../../model/result.ts';
import type { TargetFiles } from '../../model/target-files.ts';
import type { Scripts } from './scripts.ts';

export type TestRunner = {
  /** As in `testing.runner`, and the first part of every test id. */
  readonly name: string;
  /** How a project's use of it is recognised, and how it is called. Left out: only the configuration can say. */
  readonly invocation?: Invocation;
  /** Left out: no result per test, only the exit code counts. */
  readonly reporting?: Reporting;
  /** The command that runs only these tests; null: not possible here. Left out: it selects no single tests. */
  selectTests?(command: string, ofFile: string | null, tests: readonly TestTitle[]): string | null;
  /** Packages are tested instead of files, so that a test file cannot be run alone to repeat its tests. */
  readonly testsPackages?: true;
  /**
   * Whether no test file can change how another one ends: each runs in a process or module space of its own, and nothing is loaded before all
   * of them. `config`: the texts of the runner's configuration. Left out: they share a process.
   */
  runsFilesApart?(setup: { readonly command: string; readonly scripts: Scripts; readonly config: string }): boolean;
  /** A run in which no test can pass; null: not behind this command. Left out: not possible at all. */
  failEveryTest?(setup: FailingSetup): FailingRun | null;
  /** Left out: nothing can be added to a test file. */
  canary?(file: string, text: string, word: string): TestCanary;
  /** Left out: a project may name its test files in any way. */
  readonly newTest?: NewTest;
  /** Files of a repository that belong to it. Matched against the union over all runners. */
  readonly files?: RunnerFiles;
};

export type Invocation = {
  /** Matches a shell line that calls the runner. */
  readonly pattern: RegExp;
  /** Matches a line up to the runner's own word: `poetry run pytest` of `poetry run pytest tests -x`. */
  readonly start: RegExp;
  /** How projects call it where no command is written, and the lock file that says so (null: none). */
  usual(files: TargetFiles): { readonly start: string; readonly from: string | null };
  /** The command that tests one file, with `{test_file}`. */
  oneFile(start: string): string;
  /** The command that runs every test. */
  everything(start: string): string;
  /** Its npm package: a project that has it installed is taken to use it. */
  readonly npmPackage?: string;
  /** The file of the project that shows that it is used; null: none. */
  usedIn?(files: TargetFiles): string | null;
};

export type Reporting = {
  /** Ends the names of kept reports: `xml`, `json`, `tap`. */
  readonly extension: string;
  /**
   * `{report}` in the command is replaced by the path; otherwise the runner's own flag or environment is added.
   * `scripts` of the work tree's package.json say what `npm test` runs.
   * null: nothing could be added, and the exit code is all there will be.
   */
  instrument(command: string, reportPath: string, scripts?: Scripts): Instrumented | null;
  load(): Promise<ReportReader>;
};

/** A command changed so that its runner writes a report. `env` is added to the environment of the box. */
export type Instrumented = {
  readonly command: string;
  readonly env: { readonly [name: string]: string };
  /** Where the report is found afterwards: at the given path, or in what the command printed. */
  readonly from: 'file' | 'stdout';
  /** Files to be made before the command runs: copies, or with a text of their own. */
  readonly needs?: readonly ({ readonly path: string } & ({ readonly from: string } | { readonly text: string }))[];
};

/** null stays null: nothing could be added to the command. */
export const reportsToFile = (command: string | null): Instrumented | null =>
  command === null ? null : { command, env: {}, from: 'file' };

export type ReportReader = {
  /** `root`: the real path of the work tree, for repository-relative names. Fails with `report-unreadable`. */
  readonly parse: (text: string, root: string) => Result<TestReport>;
  /** What people read of an output that holds the report. Left out: all of it. */
  readonly readable?: (output: string) => string;
};

/** The parts of a test id. */
export type TestTitle = { readonly file: string; readonly suite: readonly string[]; readonly name: string };

export type FailingSetup = {
  readonly command: string;
  /** The folder of the file that is added; absolute. */
  readonly folder: string;
  /** Letters and digits that no other file name has. */
  readonly word: string;
  readonly scripts: Scripts;
};
/** `name` and `text` of a file that the command loads before any file of the project. */
export type FailingRun = { readonly command: string; readonly name: string; readonly text: string };

/** Three tests of known outcome: titles hold the word and end in `fails`, `differs` and `passes`. */
export type TestCanary = {
  /** Lines to append to a test file. */
  readonly lines: string;
  /** A whole test file. */
  readonly alone: string;
};

/** A test file for work that is still to be done. */
export type NewTest = {
  /** Where projects usually have it; `{slug}` or `{slug_}` is its title, with `-` or `_` between the words. */
  readonly path: string;
  /** A test that fails until the work is done. `steps`: what is to be tested. */
  stub(title: string, steps: readonly string[]): string;
};

export type RunnerFiles = {
  /** Names of test files. */
  readonly tests?: RegExp;
  /** Names of files that decide how tests are run and which. */
  readonly config?: RegExp;
  /** Its key in package.json. */
  readonly packageKey?: string;
  /** Names of its sections in INI and TOML files, after `tool.` where they have that. */
  readonly section?: string;
};
