// Where a workflow that is under way has its file: whoever only looks whether there is one needs no playbook.

/** Below the root (reference 004, State). */
export const WORKFLOW_FILE = '.harness/state.json';
