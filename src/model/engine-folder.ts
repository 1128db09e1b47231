// The folder of the harness in a work tree that is no git repository of anybody's.

/** At the top, beside the work: a git repository of the harness's own, in `git/`. As closed to agents as `.git`. */
export const ENGINE_FOLDER = '.harness-engine';
