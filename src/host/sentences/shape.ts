// What the sentences of one language consist of. A section per room; `all.ts` of each language joins them.
import type { Reason } from '../../model/reasons.ts';
import type { ProblemCode } from '../../model/verdict.ts';
import type { Phrase } from '../formatter.ts';

/** What happened · why (or what follows from it; '' where the title says all) · what to do, one step or command each. */
export type FailureWords = { readonly title: Phrase; readonly why: Phrase; readonly mend: readonly string[] };
export type FailureSection = { readonly [reason: string]: FailureWords };

export type OptionWords = { readonly label: string; readonly description: string };
/** `header`: at most 12 characters. An option that is not named here has the words of the common options. */
export type GateWords = {
  readonly header: string;
  readonly question: Phrase;
  readonly options?: { readonly [id: string]: OptionWords };
};

export type Sentences<TextKey extends string = string> = {
  readonly failures: { readonly [R in Reason]: FailureWords };
  readonly problems: { readonly [C in ProblemCode]: Phrase };
  readonly gates: { readonly [subject: string]: GateWords };
  /** A question whose subject has no words of its own. */
  readonly otherGate: GateWords;
  readonly options: { readonly [id: string]: OptionWords };
  /** Why an item or a run ended as it did: kebab-case reasons of outcomes and machine verdicts. */
  readonly outcomes: { readonly [reason: string]: Phrase };
  /** Words for codes inside parameters, where a sentence asks for them as {#name}. */
  readonly words: { readonly [code: string]: string };
  readonly texts: { readonly [K in TextKey]: Phrase };
};
