// How a review converges. A finding counts where it has evidence that was looked up: its quote is in the file it names. Without, it is an opinion. It is
// attributed to the base, to the change or to the last fix, and blocks unless it was there before the plan. Passes are limited; what is left is asked.
// Pure.
import { z } from 'zod';
import { occursIn } from '../../model/review.ts';
import type { ReviewFinding } from './review-answer.ts';
import { blocks, SEVERITIES } from './severities.ts';

export const findingSchema = z.object({
  severity: z.enum(SEVERITIES),
  title: z.string(),
  path: z.string(),
  quote: z.string(),
  why: z.string(),
});

/** What was looked up about the quote of a finding. */
export type LookedUp = {
  /** It is in the file it names, as the work is now. */
  readonly isThere: boolean;
  /** The work on the plan changed that file. */
  readonly isChanged: boolean;
  /** It was there before the last fix; true where there was no fix. */
  readonly wasThere: boolean;
};

export const ORIGINS = ['base', 'change', 'last-fix'] as const;
export type Origin = (typeof ORIGINS)[number];
export const judgedFinding = findingSchema.extend({
  /** Whether its evidence was found. */
  proven: z.boolean(),
  origin: z.enum(ORIGINS),
  /** Who found it; left out: the reviewer. */
  by: z.enum(['e2e', 'ui-reviewer']).optional(),
});
export type JudgedFinding = z.output<typeof judgedFinding>;

export const passSchema = z.object({ findings: z.array(judgedFinding).readonly() });
export type Pass = z.output<typeof passSchema>;

export function judgeFinding(finding: ReviewFinding, { isThere, isChanged, wasThere }: LookedUp): JudgedFinding {
  // A file that the plan did not touch is as it was before it. In a file that it touched any line may be wrong because of it.
  const origin: Origin = isThere && !isChanged ? 'base' : wasThere || !isThere ? 'change' : 'last-fix';
  return { ...finding, proven: isThere, origin };
}

/** It has to be fixed before the work is merged. */
export const isBlocking = ({ severity, proven, origin }: JudgedFinding): boolean =>
  blocks(severity) && proven && origin !== 'base';

export const blockingIn = ({ findings }: Pass): readonly JudgedFinding[] => findings.filter(isBlocking);

/** What people read of the change instead: lows, opinions, and what was there before. Each once. */
export function followUps(passes: readonly Pass[]): readonly JudgedFinding[] {
  const found = new Map<string, JudgedFinding>();
  for (const finding of passes.flatMap(({ findings }) => findings))
    if (!isBlocking(finding)) found.set(sameAs(finding), finding);
  return [...found.values()];
}

/** Two findings are the same where they quote the same line, or, without a quote, have the same title. */
export const sameAs = ({ path, quote, title }: Pick<ReviewFinding, 'path' | 'quote' | 'title'>): string =>
  `${path}\n${(quote === '' ? title : quote).replace(/\s+/g, '').toLowerCase()}`;

export type Decision = 'converged' | 'fix' | 'budget-ended';

/** `most`: the number of passes. */
export function decide(passes: readonly Pass[], most: number): Decision {
  const last = passes.at(-1);
  if (last === undefined) return 'fix';
  if (blockingIn(last).length === 0) return 'converged';
  return passes.length >= most ? 'budget-ended' : 'fix';
}

/** Blocking findings of each pass, and how many of them the fix before it made: `4 → 3 (1 new) → 0`. */
export const curveOf = (passes: readonly Pass[]): string =>
  passes
    .map((pass, n) => {
      const all = blockingIn(pass);
      const before = new Set(passes.slice(0, n).flatMap((one) => blockingIn(one).map(sameAs)));
      const fresh = n === 0 ? 0 : all.filter((finding) => !before.has(sameAs(finding))).length;
      return fresh === 0 ? String(all.length) : `${all.length} (${fresh} new)`;
    })
    .join(' → ');

const TEST_FILE = /(?:^|\/)(?:tests?|specs?|__tests__)\/|[._-](?:test|spec)\.[^/]+$|(?:^|\/)test_[^/]+$/i;

/**
 * What a fix changed that no finding asked for: files that the work had not touched before and no finding names. Tests are always in scope.
 * `changed`: by the work before the fix; `fixed`: by the fix.
 */
export function addedScope(
  fixed: readonly string[],
  {
    changed,
    findings,
  }: {
    readonly changed: readonly string[];
    readonly findings: readonly Pick<ReviewFinding, 'path' | 'title' | 'why'>[];
  },
): readonly string[] {
  const known = new Set(changed);
  const isNamed = (path: string): boolean =>
    findings.some((one) => plainPath(one.path) === path || one.title.includes(path) || one.why.includes(path));
  return fixed.filter((path) => !known.has(path) && !TEST_FILE.test(path) && !isNamed(path));
}

/** `./src/a.js:12-14` and `src/a.js#L12` name the file `src/a.js`. */
export const plainPath = (path: string): string =>
  path
    .trim()
    .replace(/^[`"']+|[`"']+$/g, '')
    .replace(/\s*\((?:lines?\s*)?[\d\s–-]+\)$/i, '')
    .replace(/(?::\d+(?:[-–:]\d+)*|#L\d+(?:-L?\d+)?)$/, '')
    .replace(/^(?:\.\/)+/, '');

const MOST_FOLDERS = 20;
/**
 * Files of the repository that a path may name, the likeliest first: agents also write where a file is on the machine, and the marks of a diff
 * (`b/src/a.js`).
 */
export function filesNamedBy(path: string): readonly string[] {
  const names = plainPath(path)
    .split('/')
    .filter((name) => name !== '' && name !== '.');
  if (names.includes('..') || names.length > MOST_FOLDERS) return [];
  return names.map((_, n) => names.slice(n).join('/')).filter((file) => !/^\.git(?:\/|$)/.test(file));
}

/** As `occursIn`; of a quote of several lines one is enough. */
export const lineOccursIn = (text: string, quoted: string): boolean => occursIn(text, quoted, ...quoted.split('\n'));
