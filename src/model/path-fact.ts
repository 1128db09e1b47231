// The kind of a path in a work tree, links not followed, and which names file systems treat as equal.

export type PathFact = (
  | { readonly is: 'absent' }
  | { readonly is: 'folder' }
  /** `names`: how many hard links it has. */
  | { readonly is: 'file'; readonly names: number }
  /** `target`: as written in the link. */
  | { readonly is: 'link'; readonly target: string }
  /** Pipes, devices, and what cannot be looked at. */
  | { readonly is: 'other' }
) & {
  /** Names in its folder that are this one but for case and composition (`foldOf`); empty if this very name is there. */
  readonly alike: readonly string[];
};

/** Names that any file system takes for one have the same fold: without case, composition, width, and dots and blanks at the end. */
export const foldOf = (name: string): string =>
  name
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\s.]+$/u, '');
