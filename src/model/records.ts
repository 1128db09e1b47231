// Records of the harness that decide something and are kept where no agent writes. `.harness/` has a copy of the same name for people.
// Which folder each is in: state-files.ts.

/**
 * `repository`: shared by all its work trees. `workspace`: of the tests and files of one branch, so of one work tree. `tree`: of the commit that
 * a lane began from, so of each lane.
 */
export const RECORDS = {
  'costs.yaml': 'repository',
  'test_baseline.json': 'tree',
  'quarantine.json': 'workspace',
  'file_sizes.json': 'workspace',
  'site_seen.json': 'workspace',
} as const satisfies { readonly [name: string]: 'repository' | 'workspace' | 'tree' };
/** The file of machines that count sessions, below the state folder. */
export const SESSION_STATE = 'session_state.json';
export type RecordName = keyof typeof RECORDS;
export const RECORD_NAMES: readonly RecordName[] = [
  'costs.yaml',
  'test_baseline.json',
  'quarantine.json',
  'file_sizes.json',
  'site_seen.json',
];
