// Whether what is merged covers the acceptance criteria of the product.

type Criterion = {
  readonly tag: string;
  readonly text: string;
  readonly line: number;
  /** Plans that are merged and have the tag. */
  readonly coveredBy: readonly string[];
};
export type Release = {
  /** Where the criteria are. */
  readonly file: string;
  readonly criteria: readonly Criterion[];
  /** Lines that cannot be read as criteria; with one of them nothing is ready. */
  readonly mistakes: readonly { readonly line: number; readonly what: string }[];
};

/** There are criteria, all can be read, and each is covered. */
export const isReady = ({ criteria, mistakes }: Release): boolean =>
  mistakes.length === 0 && criteria.length > 0 && criteria.every(({ coveredBy }) => coveredBy.length > 0);
