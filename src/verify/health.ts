// The health of a project as one number: the formula, and how lint output is counted. Pure. The weight of a part that was not
// measured is distributed over the others.

export const HEALTH_WEIGHTS = { features: 0.4, tests: 0.3, lint: 0.2, files: 0.1 } as const;
export type HealthPart = keyof typeof HEALTH_WEIGHTS;
export type HealthStatus = 'GOOD' | 'FAIR' | 'POOR';

/** From 0 to 1; null: unknown. */
export type HealthParts = { readonly [P in HealthPart]: number | null };
export type Health = {
  /** From 0 to 1; null: no part is known. */
  readonly overall: number | null;
  readonly status: HealthStatus | null;
  /** The effective weight of each part; they add up to 1, or to 0 if no part is known. */
  readonly weights: { readonly [P in HealthPart]: number };
  readonly unknown: readonly HealthPart[];
};

const isPart = (key: string): key is HealthPart => Object.hasOwn(HEALTH_WEIGHTS, key);
const PARTS = Object.keys(HEALTH_WEIGHTS).filter(isPart);

export function healthOf(parts: HealthParts): Health {
  const known = PARTS.filter((part) => parts[part] !== null);
  const total = known.reduce((sum, part) => sum + HEALTH_WEIGHTS[part], 0);
  const weights = {
    ...HEALTH_WEIGHTS,
    ...Object.fromEntries(PARTS.map((part) => [part, parts[part] === null ? 0 : HEALTH_WEIGHTS[part] / total])),
  };
  const overall =
    known.length === 0 ? null : clamp(known.reduce((sum, part) => sum + weights[part] * (parts[part] ?? 0), 0));
  return { overall, status: statusOf(overall), weights, unknown: PARTS.filter((part) => parts[part] === null) };
}

/** Rounded to a thousandth first, so that rounding errors do not cross a limit. */
export function statusOf(overall: number | null): HealthStatus | null {
  if (overall === null) return null;
  const rounded = Math.round(overall * 1000) / 1000;
  return rounded > 0.8 ? 'GOOD' : rounded > 0.6 ? 'FAIR' : 'POOR';
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

/** `part` of `whole`; null if `whole` is 0. */
export const shareOf = (part: number, whole: number): number | null => (whole > 0 ? clamp(part / whole) : null);

/** One error per line scores 0; without lines, any error does. */
export const lintScore = (errors: number, lines: number): number => clamp(1 - errors / Math.max(lines, 1));

export const fileHealth = (oversized: number, all: number): number => clamp(1 - oversized / Math.max(all, 1));

/** Of what was measured. `lines`: of each file; `lintErrors`: null, they are not known. */
export const measuredParts = (about: {
  readonly tests: { readonly passed: number; readonly total: number } | null;
  readonly lintErrors: number | null;
  readonly lines: readonly number[];
  readonly maxFileLines: number;
}): Pick<HealthParts, 'tests' | 'lint'> & { readonly files: number } => ({
  tests: about.tests === null ? null : shareOf(about.tests.passed, about.tests.total),
  lint:
    about.lintErrors === null
      ? null
      : lintScore(
          about.lintErrors,
          about.lines.reduce((sum, count) => sum + count, 0),
        ),
  files: fileHealth(about.lines.filter((count) => count > about.maxFileLines).length, about.lines.length),
});

/** The number of landed features at which the next cleanup is due; null: never. */
export const nextCleanup = (landed: number, interval: number): number | null =>
  interval <= 0 ? null : (Math.floor(landed / interval) + 1) * interval;

/** Summary lines of linters with the number of errors. */
const SUMMARIES: readonly RegExp[] = [
  /\((\d+) errors?, \d+ warnings?\)/, // eslint
  /\bFound \d+ warnings? and (\d+) errors?/, // oxlint
  /\bFound (\d+) errors?\b/, // ruff, mypy, tsc
  /\b(\d+) errors? generated/,
  /^(\d+) errors?\b/m,
];
/** `file:line:` or `file(line,`: a finding a line. */
const FINDING = /^\s*[^\s:()][^:()]*(?::\d+(?::\d+)?[:\s]|\(\d+,\d+\))/;

/** The number of errors a linter found, from exit code and output; null: unclear. */
export function lintErrors(exit: number | null, output: string): number | null {
  if (exit === 0) return 0;
  if (exit === null || exit === 126 || exit === 127) return null; // it did not finish, or not start
  for (const summary of SUMMARIES) {
    const found = summary.exec(output)?.[1];
    if (found !== undefined && Number(found) > 0) return Number(found);
  }
  const findings = output.split('\n').filter((line) => FINDING.test(line)).length;
  return findings > 0 ? findings : null;
}
