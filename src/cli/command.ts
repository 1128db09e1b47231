// What a command is: help texts, options, and a `run` that returns data and lines. It neither prints nor exits.
import type { Catalogue } from '../host/catalogue.ts';
import type { UserEnvironment } from '../host/user-environment.ts';
import type { Failure } from '../model/failure.ts';
import type { Result } from '../model/result.ts';
import type { Region } from './show/live/region.ts';

/** `many`: may be repeated. */
export type OptionSpec = { readonly flags: string; readonly about: string; readonly many?: boolean };
export type OptionValue = string | boolean | readonly string[] | undefined;

export type Style = 'red' | 'green' | 'yellow' | 'dim' | 'bold';

/** The environment of every command: repository, terminal, language. */
export type Caller = {
  readonly cwd: string;
  readonly surroundings: UserEnvironment;
  readonly catalogue: Catalogue;
  /** The user's language by --lang or the environment, ISO 639-1; `en` by default. */
  readonly language: string;
  /** The same caller in the language of the repository's active workflow session, or in `lang`. --lang takes precedence over both. */
  inUserLanguage(lang?: string): Promise<Caller>;
  /** The repository: -C, HARNESS_REPO, HARNESS_TARGET_REPO, or the current folder. */
  readonly repo: string;
  readonly configFile: string | null;
  readonly json: boolean;
  /** Questions are not possible: --no-input, or no terminal. */
  readonly noInput: boolean;
  readonly yes: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Colours text for stderr if its terminal supports it. */
  paint(style: Style, text: string): string;
  /** Colours text for stdout. */
  tint(style: Style, text: string): string;
  /** True: stdout is a terminal. */
  readonly onScreen: boolean;
  /** Prints one line of a streamed answer to stdout. */
  print(line: string): void;
  /** Prints one line of progress to stderr; nothing with --quiet, or with --json unless --verbose is given too. */
  say(line: string): void;
  /**
   * Lines at the end of the terminal that are redrawn in place; null: it is no terminal that can, or --json or --quiet is given. What is said
   * meanwhile appears above them. `redraw` is called when the terminal has another size. One at a time.
   */
  openRegion(stream: 'stdout' | 'stderr', redraw: () => void): Promise<Region | null>;
  /** Asks a yes/no question; false if questions are not possible. */
  confirm(question: string): Promise<boolean>;
  /** Asks for one line of text; null if questions are not possible or it is empty. */
  ask(question: string): Promise<string | null>;
  /**
   * `gentle` is called on the first Ctrl-C, `now` on the second and on SIGTERM, with the signal, `left` when the reader of the answer has left or the terminal was
   * closed; without it the command continues. Returns the function that removes them.
   */
  onInterrupt(gentle: () => void, now: (signal: 'SIGINT' | 'SIGTERM') => void, left?: () => void): () => void;
};

/** A user may be asked what a command was not given: they are at a terminal, and asked neither for JSON nor for no questions. */
export const canAsk = ({ noInput, json, yes }: Pick<Caller, 'noInput' | 'json' | 'yes'>): boolean =>
  !noInput && !json && !yes;

/** What can be printed as JSON: members that are undefined are left out. */
export type Printable =
  | undefined
  | null
  | boolean
  | number
  | string
  | readonly Printable[]
  | { readonly [key: string]: Printable };

export type Answer = {
  readonly exit: number;
  /** The object for `--json`; `schema` is added when it is printed. Null: everything was printed already. */
  readonly json: { readonly [key: string]: Printable } | null;
  /** The lines for stdout. */
  readonly lines: readonly string[];
  /** A failure to report on stderr after the answer. */
  readonly failure?: Failure | null;
};

export type CommandCall = {
  readonly args: readonly string[];
  readonly options: { readonly [name: string]: OptionValue };
  readonly caller: Caller;
};

export type CommandSpec = {
  readonly name: string;
  /** Positional arguments as commander declares them: `[item]`, `<title>`. */
  readonly args: string;
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
  run(call: CommandCall): Promise<Result<Answer>>;
};

/** The value of a text option, or null. */
export const textOf = (call: CommandCall, name: string): string | null => {
  const value = call.options[name];
  return typeof value === 'string' ? value : null;
};

/** The values of a repeatable option. */
export const listOf = (call: CommandCall, name: string): readonly string[] => {
  const value = call.options[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
};

/** Work that Ctrl-C ends at once, by its signal. */
export async function stoppable<T>(caller: Caller, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const release = caller.onInterrupt(end, end);
  try {
    return await work(stop.signal);
  } finally {
    release();
  }
}
