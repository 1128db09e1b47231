// The sentences of one language, as data: codes → phrases with placeholders (src/host/formatter.ts fills them).

/** `one` and `other`: chosen by the parameter `count`. */
export type Phrase = string | { readonly one: string; readonly other: string };

/** What happened · why (or what follows from it; '' where the title says all) · what to do, one step or command each. */
export type FailureSentences = { readonly title: Phrase; readonly why: Phrase; readonly fix: readonly string[] };
export type OptionSentences = { readonly label: string; readonly description: string };
/** `header`: at most 12 characters. An option that is not named here has the sentences of the common options. */
export type GateSentences = {
  readonly header: string;
  readonly question: Phrase;
  readonly options?: { readonly [id: string]: OptionSentences };
};

/** Those of one playbook, next to the common ones. Keys of texts begin with the playbook's name and a dot. */
export type PlaybookSentences = {
  readonly failures: { readonly [reason: string]: FailureSentences };
  readonly gates: { readonly [subject: string]: GateSentences };
  readonly outcomes: { readonly [reason: string]: Phrase };
  readonly words: { readonly [code: string]: string };
  readonly texts: { readonly [key: string]: Phrase };
};
