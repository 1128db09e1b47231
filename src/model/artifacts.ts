// The list of what a check left, beside the files themselves.

export const ARTIFACTS_LIST = 'artifacts.json';
/** `leftOut`: how many files were too large or too many. */
export type ArtifactList = {
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly leftOut: number;
};
