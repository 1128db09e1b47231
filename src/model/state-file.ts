/** Below the root: the state of a session that may work without git. It exists only while that session is under way. */
export const STATE_FILE = '.harness/state.json';
