// The files of the target that defaults are derived from, as a port: the work tree, or a commit (an agent can write the
// work tree, so a run resolves its configuration from the last accepted commit).

export type TargetFiles = {
  /** Text of a repository-relative file; null: it does not exist or cannot be read. */
  readonly read: (path: string) => string | null;
  readonly has: (path: string) => boolean;
};
