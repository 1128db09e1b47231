// `.harness/validation-contract.md`: each claim of the plan as an assertion that can be checked. An assertion is a line that begins with its id
// (as a list entry, a heading or plain text), a colon and a sentence; indented lines below it say how to check it.
import type { MissionFeature } from './schema.ts';

export type ContractAssertion = {
  /** VAL-AREA-NNN. */
  readonly id: string;
  readonly text: string;
  /** What the lines below it say. */
  readonly details: string;
  /** Counted from 1. */
  readonly line: number;
};

/** `again`: ids that occur more than once. `unreadable`: lines that name an id where an assertion begins, and say nothing. */
export type Contract = {
  readonly assertions: readonly ContractAssertion[];
  readonly again: readonly string[];
  readonly unreadable: readonly { readonly id: string; readonly line: number }[];
};

const BEGINS =
  /^\s{0,3}(?:[-*+]\s+|\d+[.)]\s+|#{1,6}\s+)?(?:\[[ xX]\]\s+)?[*_`]{0,3}(VAL-[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d{3,})[*_`]{0,3}\s*(?:[:—–-]\s*)?[*_`]{0,3}\s*(.*)$/;

export function readContract(text: string): Contract {
  const assertions: { id: string; text: string; details: string[]; line: number }[] = [];
  const unreadable: { id: string; line: number }[] = [];
  let open: (typeof assertions)[number] | null = null;
  for (const [n, raw] of text.split(/\r?\n/).entries()) {
    const [, id, said = ''] = BEGINS.exec(raw) ?? [];
    if (id !== undefined) {
      open = { id, text: said.trim(), details: [], line: n + 1 };
      if (open.text === '') unreadable.push({ id, line: n + 1 });
      assertions.push(open);
    } else if (/^#{1,6}\s/.test(raw)) open = null;
    else open?.details.push(raw.trim());
  }
  const ids = assertions.map(({ id }) => id);
  return {
    assertions: assertions.map(({ details, ...one }) => ({ ...one, details: details.join('\n').trim() })),
    again: [...new Set(ids.filter((id, n) => ids.indexOf(id) !== n))],
    unreadable,
  };
}

/** How plan and contract fit together. Each list is empty where they do. */
export type Fit = {
  /** Claims that no assertion spells out, each with its feature. */
  readonly unresolved: readonly { readonly claim: string; readonly feature: string }[];
  /** Assertions that no feature claims. */
  readonly unclaimed: readonly string[];
  /** Features that claim nothing. */
  readonly empty: readonly string[];
};

/** Every claim resolves to an assertion, and every assertion to a claim. */
export function fitOf(features: readonly Pick<MissionFeature, 'id' | 'claims'>[], { assertions }: Contract): Fit {
  const known = new Set(assertions.map(({ id }) => id));
  const claimed = new Set(features.flatMap(({ claims }) => claims));
  return {
    unresolved: features.flatMap(({ id: feature, claims }) =>
      claims.filter((claim) => !known.has(claim)).map((claim) => ({ claim, feature })),
    ),
    unclaimed: [...known].filter((id) => !claimed.has(id)),
    empty: features.filter(({ claims }) => claims.length === 0).map(({ id }) => id),
  };
}

/** The assertions of these claims, in the order of the claims. */
export const assertionsFor = (contract: Contract, claims: readonly string[]): readonly ContractAssertion[] =>
  claims.flatMap((claim) => contract.assertions.find(({ id }) => id === claim) ?? []);
