// What a command is: words for the help, options, and a run that answers data and lines. It prints and exits nothing itself.
import type { Catalogue } from '../host/catalogue.ts';
import type { UserEnvironment } from '../host/environment.ts';
import type { Failure } from '../model/failure.ts';
import type { Json } from '../model/json.ts';
import type { Result } from '../model/result.ts';

/** `many`: may be given more than once, every value counts. */
export type OptionSpec = { readonly flags: string; readonly about: string; readonly many?: boolean };
export type OptionValue = string | boolean | readonly string[] | undefined;

export type Style = 'red' | 'green' | 'yellow' | 'dim' | 'bold';

/** What every command gets: where it is, who asks, how to speak. */
export type Caller = {
  readonly cwd: string;
  readonly surroundings: UserEnvironment;
  readonly catalogue: Catalogue;
  /** ISO 639-1: what --lang or the environment say of the person; `en` where they say nothing. */
  readonly language: string;
  /**
   * The same in the language that the workflow of the repository has by now, or in this one; --lang stands above both, and where
   * there is none nothing changes.
   */
  asSpoken(lang?: string): Promise<Caller>;
  /** The repository asked for: -C, HARNESS_REPO, HARNESS_TARGET_REPO, or the current folder. */
  readonly repo: string;
  readonly configFile: string | null;
  readonly json: boolean;
  /** Nobody can be asked: --no-input, or no terminal. */
  readonly noInput: boolean;
  readonly yes: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Colours text for stderr where the terminal shows colours. */
  paint(style: Style, text: string): string;
  /** The same for the lines of an answer, which go to stdout. */
  tint(style: Style, text: string): string;
  /** A person reads stdout, not a file or a program. */
  readonly onScreen: boolean;
  /** One line of an answer that comes bit by bit, on stdout at once. */
  print(line: string): void;
  /** One line of talk on stderr while the command works; nothing with --json or --quiet. */
  say(line: string): void;
  /** Asks a yes/no question on the terminal; false where nobody can be asked. */
  confirm(question: string): Promise<boolean>;
  /** Asks for one line of text on the terminal; null where nobody can be asked, or nothing was typed. */
  ask(question: string): Promise<string | null>;
  /** First Ctrl-C: finish the step and save. Second: stop now. */
  onInterrupt(gentle: () => void, now: () => void): () => void;
};

export type Answer = {
  readonly exit: number;
  /** The answer of `--json`, without `schema`, which is added where it is printed. null: all was printed as it came. */
  readonly json: { readonly [key: string]: Json } | null;
  /** The answer for a person, a line each, on stdout. */
  readonly lines: readonly string[];
  /** What went wrong in what was done all the same: told on stderr, behind the answer. */
  readonly failure?: Failure | null;
};

export type CommandCall = {
  readonly args: readonly string[];
  readonly options: { readonly [name: string]: OptionValue };
  readonly caller: Caller;
};

export type CommandSpec = {
  readonly name: string;
  /** Positional arguments in commander's form: `[item]`, `<title>`. */
  readonly args: string;
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
  run(call: CommandCall): Promise<Result<Answer>>;
};

/** The text of an option, or null. */
export const textOf = (call: CommandCall, name: string): string | null => {
  const value = call.options[name];
  return typeof value === 'string' ? value : null;
};

/** The values of an option that may be given more than once. */
export const listOf = (call: CommandCall, name: string): readonly string[] => {
  const value = call.options[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
};
