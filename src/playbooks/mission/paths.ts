// The files of a mission, repository-relative.

export const LIST = '.harness/features.json';
export const CONTRACT = '.harness/validation-contract.md';
/** The specification that a mission is planned from, where the user names no other. */
export const SPEC = 'SPEC.md';
/** Written by the harness for people: why the mission waits for one. */
export const ESCALATION = '.harness/escalation.md';
/** What a session proposes; the harness takes it over once it is checked. */
export const DRAFT = {
  list: '.harness/plan/features.json',
  contract: '.harness/plan/validation-contract.md',
  /** What the reviewer of the plan said. */
  review: '.harness/plan/review.md',
  /** What a curator made of the memory. */
  curated: '.harness/plan/curated.md',
} as const;

/** What a debugger found out about a feature. */
export const debugFile = (item: string): string => `.harness/debug/${fileName(item)}.md`;
/** What was decided about assertions of a feature that were unclear. */
export const decidedFile = (item: string): string => `.harness/decided/${fileName(item)}.json`;
/** Issues that reviews of a feature found, until it is decided what becomes of them. */
export const ISSUES = '.harness/issues';
export const issuesFile = (item: string): string => `${ISSUES}/${fileName(item)}.json`;

const fileName = (item: string): string => item.replace(/[^\p{L}\p{N}._-]/gu, '_');
