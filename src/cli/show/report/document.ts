// A report as a document that every format is made from: what is said, in which order, and what is a command. Pure.

/** How a reader should take it: `good` is proved, `warn` deserves a look, `bad` was refused or is not confirmed. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain';
export type Entry = {
  readonly title: string;
  readonly badges: readonly { readonly tone: Tone; readonly text: string }[];
  /** One line each. */
  readonly facts: readonly string[];
  /** Longer texts, with line breaks: what checks found, a question. */
  readonly texts: readonly string[];
  /** Commands to type, with what each does; '' where it says so itself. */
  readonly commands: readonly { readonly command: string; readonly about: string }[];
};
export type Section = {
  readonly title: string;
  /** Below the title, or instead of entries; '': nothing. */
  readonly note: string;
  readonly entries: readonly Entry[];
};
export type ReportDocument = {
  readonly lang: string;
  readonly title: string;
  readonly lead: string;
  readonly pairs: readonly (readonly [label: string, value: string])[];
  readonly sections: readonly Section[];
};
