// The port every test runner stands behind: how to make it report, and how to read what it wrote.
// Owns no runner. An adapter decides nothing: whether the work holds is for checks.ts.
import type { RunnerName } from '../../model/config.ts';
import type { TestReport } from '../../model/report.ts';
import type { Result } from '../../model/result.ts';
import type { Scripts } from './scripts.ts';

/** A command changed so that its runner writes a report. `env` is added to the environment of the box. */
export type Instrumented = {
  readonly command: string;
  readonly env: { readonly [name: string]: string };
  /** Where the report is found afterwards: at the given path, or in what the command printed. */
  readonly from: 'file' | 'stdout';
  /** Files the runner needs beside its report: to be copied before the command runs. */
  readonly needs?: readonly { readonly path: string; readonly from: string }[];
};

export type Adapter = {
  readonly runner: RunnerName;
  /** Ends the names of kept reports: `xml`, `json`, `tap`. */
  readonly extension: string;
  /**
   * `{report}` in the command is replaced by the path; else the runner's own flag or environment is added.
   * `scripts` of the work tree's package.json say what is behind `npm test`.
   * null: nothing could be added, and the exit code is all there will be.
   */
  instrument(command: string, reportPath: string, scripts?: Scripts): Instrumented | null;
  /** What people read of an output that holds the report; left out: all of it. */
  readable?(output: string): string;
  /** `root`: the real path of the work tree, for repository-relative names. Fails with `report-unreadable`. */
  parse(text: string, root: string): Result<TestReport>;
};
