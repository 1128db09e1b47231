// The health of a project as one number (reference 000, Project Health Metric): the formula and how lint output is counted.
// Pure. A part that nobody measured is no part of the number: its weight is shared out among the others.

export const HEALTH_WEIGHTS = { features: 0.4, tests: 0.3, lint: 0.2, files: 0.1 } as const;
export type HealthPart = keyof typeof HEALTH_WEIGHTS;
export type HealthStatus = 'GOOD' | 'FAIR' | 'POOR';

/** From 0 to 1; null where it is not known. */
export type HealthParts = { readonly [P in HealthPart]: number | null };
export type Health = {
  /** From 0 to 1; null where nothing at all is known. */
  readonly overall: number | null;
  readonly status: HealthStatus | null;
  /** What each part really counted for; they add up to 1, or to 0 where nothing is known. */
  readonly weights: { readonly [P in HealthPart]: number };
  readonly unknown: readonly HealthPart[];
};

const PARTS = ['features', 'tests', 'lint', 'files'] as const satisfies readonly HealthPart[];

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

/** Rounded to a thousandth first: sums of fractions must not fall on the wrong side of a limit. */
export function statusOf(overall: number | null): HealthStatus | null {
  if (overall === null) return null;
  const rounded = Math.round(overall * 1000) / 1000;
  return rounded > 0.8 ? 'GOOD' : rounded > 0.6 ? 'FAIR' : 'POOR';
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

/** `part` of `whole`; null where there is no whole. */
export const shareOf = (part: number, whole: number): number | null => (whole > 0 ? clamp(part / whole) : null);

/** One error in every line is the worst there is; in no lines at all, any error is. */
export const lintScore = (errors: number, lines: number): number => clamp(1 - errors / Math.max(lines, 1));

export const fileHealth = (oversized: number, all: number): number => clamp(1 - oversized / Math.max(all, 1));

/** How many features have landed when the next cleanup is due; null: never. */
export const nextCleanup = (landed: number, interval: number): number | null =>
  interval <= 0 ? null : (Math.floor(landed / interval) + 1) * interval;

/** Last lines of linters: how many errors they say they found. */
const SUMMARIES: readonly RegExp[] = [
  /\((\d+) errors?, \d+ warnings?\)/, // eslint
  /\bFound \d+ warnings? and (\d+) errors?/, // oxlint
  /\bFound (\d+) errors?\b/, // ruff, mypy, tsc
  /\b(\d+) errors? generated/,
  /^(\d+) errors?\b/m,
];
/** `file:line:` or `file(line,`: a finding a line. */
const FINDING = /^\s*[^\s:()][^:()]*(?::\d+(?::\d+)?[:\s]|\(\d+,\d+\))/;

/** What a linter found, from how it ended and what it printed; null where that does not tell. */
export function lintErrors(exit: number | null, output: string): number | null {
  if (exit === 0) return 0;
  if (exit === null || exit === 126 || exit === 127) return null; // it did not run to its end, or not at all
  for (const summary of SUMMARIES) {
    const found = summary.exec(output)?.[1];
    if (found !== undefined && Number(found) > 0) return Number(found);
  }
  const findings = output.split('\n').filter((line) => FINDING.test(line)).length;
  return findings > 0 ? findings : null;
}
