/** Lines next to each other, and the number of the first one. */
export type ChangedLines = { readonly line: number; readonly text: string };
/** What a change adds to one file and takes away; a rename is a removed file and a new one. */
export type FileDelta = {
  readonly path: string;
  /** Nothing was at this path before. */
  readonly isNew: boolean;
  readonly added: readonly ChangedLines[];
  readonly removed: readonly ChangedLines[];
};
