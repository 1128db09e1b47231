// How severe a finding is. The first three block; the last becomes a follow-up of the pull request and enters no prompt of a fix.
import { entryOf } from '../../model/entry.ts';

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const blocks = (severity: Severity): boolean => severity !== 'low';

/** Other words for the same, as agents use them, in the languages of the program. */
const SAID: { readonly [word: string]: Severity } = {
  critical: 'critical',
  blocker: 'critical',
  severe: 'critical',
  p0: 'critical',
  kritisch: 'critical',
  high: 'high',
  major: 'high',
  blocking: 'high',
  p1: 'high',
  hoch: 'high',
  medium: 'medium',
  med: 'medium',
  moderate: 'medium',
  p2: 'medium',
  mittel: 'medium',
  low: 'low',
  minor: 'low',
  nit: 'low',
  nitpick: 'low',
  info: 'low',
  trivial: 'low',
  p3: 'low',
  niedrig: 'low',
  gering: 'low',
};
/** For a regular expression. */
export const SEVERITY_WORDS = Object.keys(SAID).join('|');
/** null: it is no severity. */
export const severityOf = (word: string): Severity | null => entryOf(SAID, word.trim().toLowerCase()) ?? null;
