// What the output of end-to-end tests says: which of them failed. Forgiving, and only for people and prompts: the exit code decides. Pure.
import type { JudgedFinding } from './convergence.ts';

const MOST_NAMES = 20;
const MOST_READ = 200_000;
/** Characters of the output in a finding. */
export const MOST_SHOWN = 4_000;

/** Each form has one group: the name. */
const FORMS: readonly RegExp[] = [
  // Playwright: `  1) [chromium] › tests/cart.spec.ts:3:1 › shows the total ─────`
  /^\s*\d{1,3}\)\s+(\[[^\]]+\] › .+?|\S+\.[cm]?[jt]sx?:\d+:\d+ › .+?)\s*[─=-]*\s*$/,
  // Playwright, in its summary.
  /^\s{2,}(\[[^\]]+\] › .+?)\s*[─=-]*\s*$/,
  // Cypress, Mocha: `  1) Cart shows the total:`
  /^\s{0,4}\d{1,3}\)\s+(\S.*?):?\s*$/,
  // TAP: `not ok 3 - shows the total`; not one that is only planned.
  /^\s*not ok \d+\s*(?:-\s*)?(?!.*#\s*(?:TODO|SKIP))(\S.*?)\s*$/i,
  // node --test, Vitest, Jest: `✖ shows the total (12.3ms)`
  /^\s*[✖✗✘✕×]\s+(\S.*?)(?:\s+\(?\d+(?:[.,]\d+)?\s*m?s\)?)?\s*$/u,
  // Vitest, Jest, pytest: `FAIL  e2e/cart.test.ts > shows the total`, `FAILED tests/test_cart.py::test_total - …`
  /^\s*FAIL(?:ED)?:?\s+(\S.*?)(?:\s+-\s.*)?\s*$/,
  // go: `--- FAIL: TestCart (0.00s)`
  /^\s*--- FAIL: (\S+)/,
];
/** A summary, not a test. */
const SUMMARY = /^(?:failing tests:?|failed tests?:?|\d+ (?:failed|failing)|tests?\b.*\d+ failed)/i;

/** Their names, each once, in the order of the output. */
export function failingIn(output: string): readonly string[] {
  const names = new Set<string>();
  for (const raw of output.slice(-MOST_READ).split(/\r?\n/)) {
    const line = raw.slice(0, 500);
    const name = FORMS.map((form) => form.exec(line)?.[1]).find((found) => found !== undefined);
    if (name === undefined || SUMMARY.test(name)) continue;
    names.add(name.slice(0, 200).toWellFormed());
    if (names.size >= MOST_NAMES) break;
  }
  return [...names];
}

/** Findings that need no quote: the harness ran the command itself. */
export function e2eFindings(
  output: string,
  { minutes }: { readonly minutes: number | null },
): readonly JudgedFinding[] {
  const why = output.slice(-MOST_SHOWN).toWellFormed().trim();
  const finding = (title: string, more: string): JudgedFinding => ({
    severity: 'high',
    title,
    path: '',
    quote: '',
    why: more,
    proven: true,
    origin: 'change',
    by: 'e2e',
  });
  if (minutes !== null) return [finding(`The end-to-end tests did not end within ${minutes} minutes`, why)];
  const [first, ...others] = failingIn(output);
  if (first === undefined) return [finding('The end-to-end tests fail', why)];
  return [
    finding(`End-to-end test fails: ${first}`, why),
    ...others.map((name) => finding(`End-to-end test fails: ${name}`, '')),
  ];
}
