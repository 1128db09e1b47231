// The harness's folder in a work tree that is no git repository.

/** At the top, beside the work: a git repository of the harness's own, in `git/`. Protected from agents like `.git`. */
export const ENGINE_FOLDER = '.harness-engine';
