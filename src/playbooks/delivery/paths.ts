// The files of a delivery, repository-relative.

/** The index of plans (plan-index.ts). */
export const LIST = '.harness/plans.json';
/** What the reviews of a plan found, until it is merged: then its pull request says it. */
export const recordFile = (item: string): string => `.harness/delivery/${item.replace(/[^\p{L}\p{N}._-]/gu, '_')}.json`;
/** The branch of its pull request. */
export const branchOf = (item: string): string => `harness/${item}`;
/** By which its pull request is recognized. */
export const markOf = (item: string): string => `plan ${item}`;
/** Set before the merge. */
export const READY_LABEL = 'ready-to-merge';
/** The item of a comparison with the specification; no plan can have it. */
export const FIDELITY = 'fidelity';
/** What the last comparison found. */
export const FIDELITY_FILE = '.harness/fidelity.json';
