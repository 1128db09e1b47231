// The files of a delivery, repository-relative.

/** The index of plans (plan-index.ts). */
export const LIST = '.harness/plans.json';
/** What the harness keeps of single plans. No agent writes it. */
export const PLAN_RECORDS = '.harness/delivery/';
const nameOf = (item: string): string => `${PLAN_RECORDS}${item.replace(/[^\p{L}\p{N}._-]/gu, '_')}`;
/** What the reviews of a plan found, until it is merged: then its pull request says it. */
export const recordFile = (item: string): string => `${nameOf(item)}.json`;
/** What the end-to-end tests of a plan left. */
export const e2eFolder = (item: string): string => `${nameOf(item)}/e2e`;
/** What a role needs of a user to continue, for people. */
export const needsFile = (item: string): string => `${nameOf(item)}/needs.md`;
/** The branch of its pull request. */
export const branchOf = (item: string): string => `harness/${item}`;
/** By which its pull request is recognized. */
export const markOf = (item: string): string => `plan ${item}`;
/** Set before the merge. */
export const READY_LABEL = 'ready-to-merge';
/** The specification that plans are made from, where the user names no other. */
export const SPEC = 'SPEC.md';
/** What a planner proposes; the harness takes it over once it is checked. */
export const DRAFTS = { folder: '.harness/plan', acceptance: '.harness/plan/acceptance.md' } as const;
/** What a site-reverser proposes. */
export const SITE_DRAFT = '.harness/plan/site.md';
/** The item of a comparison with the specification; no plan can have it. */
export const FIDELITY = 'fidelity';
/** What the last comparison found. */
export const FIDELITY_FILE = '.harness/fidelity.json';
