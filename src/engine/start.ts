// Starting work that is in no list yet, by a command of the playbook's own (`harness NAME …`): what the command looks like, and what the
// program provides. The playbook decides; everything that reads beyond the view, writes, or talks to the user goes through the host.
import type { Config, PlaybookName } from '../model/config.ts';
import type { Params } from '../model/failure.ts';
import type { Json } from '../model/json.ts';
import type { StatusLine } from '../model/playbook-status.ts';
import type { Result } from '../model/result.ts';
import type { RepositoryView } from '../model/repository-view.ts';

/** The key of a text of the playbook. */
export type PlaybookTextKey = `${PlaybookName}.${string}`;

export type StartCommand = {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Positional arguments, as in the help. */
  readonly args: string;
  readonly options: readonly { readonly flags: string; readonly about: string }[];
  readonly examples: readonly string[];
  load(): Promise<ReadStart>;
};
/** Reads the command line, before anything is opened: fails with `usage`. `option`: by its camelCase name; null: not given. */
export type ReadStart = (
  words: readonly string[],
  option: (name: string) => string | null,
) => Result<(host: StartHost) => Promise<Result<Started>>>;

export type Started =
  /** `runOptions`: options of this call for the run. `setUp`: what was set up, for `--json`; left out: nothing was. */
  | {
      readonly do: 'run';
      readonly runOptions: Config['runOptions'];
      readonly setUp?: { readonly [key: string]: Json };
    }
  | { readonly do: 'stop'; readonly text: PlaybookTextKey; readonly result: string };

export type StartHost = {
  readonly root: string;
  readonly hasGit: boolean;
  readonly view: RepositoryView;
  readonly config: Config;
  /** The text of the list; null: there is none. Fails where it cannot be read. */
  readonly readList: () => Result<string | null>;
  /** Names in the root of the repository. */
  readonly rootNames: () => readonly string[];
  readonly user: StartUser;
  /** Runs under the run lock, after cleaning up after earlier processes. */
  locked<T>(use: (effects: StartEffects) => Promise<Result<T>>): Promise<Result<T>>;
};

export type StartUser = {
  /** The language if the user's text does not show it, ISO 639-1. */
  readonly language: string;
  /** Switches later texts to this language, if they exist in it. */
  speak(language: string): Promise<void>;
  /**
   * The id of one of the choices, or with `other` any text; null: the user cannot be asked, or typed nothing. The text of `key` gets the
   * parameter `options`; the text of a choice has the key of the question, a dash and its id.
   */
  choose(question: {
    readonly key: PlaybookTextKey;
    readonly choices: readonly string[];
    readonly params?: Params;
    readonly other?: true;
  }): Promise<string | null>;
  /** Whether questions are asked that have a recommended answer. */
  readonly canBeAsked: boolean;
  /** The text of a key, for a parameter of another. */
  text(key: PlaybookTextKey, params?: Params): string;
  say(key: PlaybookTextKey, params?: Params, style?: 'warning'): void;
  show(lines: readonly StatusLine[], title: PlaybookTextKey): void;
};

/** All paths are repository-relative. */
export type StartEffects = {
  /** ISO 8601. */
  now(): string;
  replace(path: string, text: string): void;
  /** No error if it does not exist. */
  remove(path: string): void;
  makeFolder(path: string): void;
  /** The loop's position, journals and open questions are removed; changes that users asked for stay. */
  forgetLoop(why: string): Promise<Result<unknown>>;
  /** In a folder without git: takes the current files as the base that later changes are compared with. */
  startOwnHistory(): Promise<Result<null>>;
  /** Switches to a new branch of this name, or with `-2`, `-3` … appended; `isUnfinished`: an earlier call may have done so. */
  switchToOwnBranch(name: string, isUnfinished: boolean): Promise<Result<string>>;
  report(type: string, data: { readonly [key: string]: Json }): void;
};
