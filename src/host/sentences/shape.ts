// What the sentences of one language consist of. A file per section; `all.ts` of each language joins them.
import type { CommonReason } from '../../model/reasons.ts';
import type { FailureSentences, GateSentences, OptionSentences, Phrase } from '../../model/sentences.ts';
import type { ProblemCode } from '../../model/verdict.ts';

export type { FailureSentences, GateSentences, OptionSentences, Phrase };
export type FailureSection = { readonly [reason: string]: FailureSentences };

export type Sentences<TextKey extends string = string> = {
  readonly failures: { readonly [R in CommonReason]: FailureSentences };
  readonly problems: { readonly [C in ProblemCode]: Phrase };
  readonly gates: { readonly [subject: string]: GateSentences };
  /** A question whose subject has no sentences of its own. */
  readonly otherGate: GateSentences;
  readonly options: { readonly [id: string]: OptionSentences };
  /** Why an item or a run ended as it did: kebab-case reasons of outcomes and machine verdicts. */
  readonly outcomes: { readonly [reason: string]: Phrase };
  /** Texts for codes inside parameters, where a sentence asks for them as {#name}. */
  readonly words: { readonly [code: string]: string };
  readonly texts: { readonly [K in TextKey]: Phrase };
};
