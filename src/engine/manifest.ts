// What the program knows of a playbook before loading it: enough for commands that only read and for resolving the configuration.
// A manifest imports nothing that is slow to load.
import type { Config, PlaybookName } from '../model/config.ts';
import type { GateSubject } from '../model/gate.ts';
import type { ItemId } from '../model/item.ts';
import type { Release } from '../model/release.ts';
import type { RepositoryView } from '../model/repository-view.ts';
import type { PlaybookReason } from '../model/reasons.ts';
import type { PlaybookSentences } from '../model/sentences.ts';
import type { TargetFiles } from '../model/target-files.ts';
import type { Backlog } from './backlog.ts';
import type { Playbook } from './playbook.ts';
import type { PlaybookTextKey, StartCommand } from './start.ts';

export type RunOption = {
  /** In `Config.runOptions`, and on the command line: `--name`. Playbooks may have options of the same name. */
  readonly name: string;
  /** Empty: it has no value, and is `yes` where it is given. */
  readonly values: readonly string[];
  /** Values that are for one item, which has to be named; left out: none. */
  readonly ofOneItem?: readonly string[];
  readonly about: string;
};

/** What a derived list is made of. */
export type ListSources = {
  readonly view: Pick<RepositoryView, 'names' | 'read'>;
  readonly config: Config;
};

export type PlaybookManifest = {
  readonly name: PlaybookName;
  /** Roles that `agents.roles` can configure. */
  readonly roles: readonly string[];
  readonly list: {
    /** Repository-relative; null: `paths.features` of the configuration. */
    readonly path: string | null;
    /** Whether a target without a configured playbook has this list at this path. */
    isIn(files: TargetFiles, path: string): boolean;
    /**
     * The list follows from other files and is derived from them: its text, with what was decided in the file at `path`. null: there is nothing
     * to derive it from. Left out: the file at `path` is the list.
     */
    derive?(from: ListSources): Promise<string | null>;
    /** True if work needs `testing.feature`, because items have no command of their own. */
    readonly needsTestCommand: boolean;
    /** Files that belong to it and count as they are committed, repository-relative: `status` names those that a user has changed since. Left out: none. */
    readonly beside?: readonly string[];
  };
  readonly machine: {
    /** The name of its own log; null: `paths.progress`. With the list of another playbook it is in the state folder. */
    readonly log: string | null;
    /** The script that `environment.init` is derived from. */
    readonly initScript: string;
    readonly recovery: Config['recovery'];
    /** Where agents work if the configuration does not say; left out: in the work tree of the repository. */
    readonly isolation?: 'worktree';
    /** It can recover an interrupted item in other ways than restoring the state before it. */
    readonly hasRecoveryTables?: true;
  };
  /** Its list exists only while its machine works on it: neither works with another playbook's. */
  readonly isInseparable?: true;
  /** It also works in a folder without git. Left out: git is needed. */
  readonly withoutGit?: {
    /** Whether it has an active session in the folder, and whether that session uses git. `list`: the text of its list, if readable. */
    sessionIn(list: string): Promise<'none' | 'with-git' | 'without'>;
  };
  /** Questions of its own. */
  readonly gates?: { readonly [subject: string]: GateSubject };
  /** Its own reasons that only mean a missing answer: a command exits as if a question waits. */
  readonly waitingFor?: readonly PlaybookReason[];
  /** Its own reasons that say that a command was called wrongly: it exits with 2. */
  readonly misuses?: readonly PlaybookReason[];
  readonly sentences?: { readonly [L in 'en' | 'de']: () => Promise<PlaybookSentences> };
  /**
   * Its list is one task that exists only while it is active, and the machine verifies each step: no decisions about items, no manual
   * verification and no cleanup.
   */
  readonly oneTask?: {
    /** Keys of texts: no task is active · it is set up, and how to start it. */
    readonly noneText: PlaybookTextKey;
    readonly readyText: PlaybookTextKey;
    readonly none: PlaybookReason;
    readonly noList: PlaybookReason;
    readonly provesItself: PlaybookReason;
  };
  /** The specification that a run begins with while the list has no items; left out: the list is made in another way. */
  readonly specFile?: string;
  /** It makes a specification from a site that is served (`Playbook.fromSite`). */
  readonly readsSites?: true;
  /** A command of its own, named like the playbook, that starts work which is in no list yet. */
  readonly start?: StartCommand;
  /** The daemon works on its list by itself, one item after the other. Left out: it only serves. */
  readonly tick?: {
    /** The item, in no list, that compares the product with its specification. */
    readonly fidelity: ItemId;
    /** Whether what is merged covers the acceptance criteria; null: none are configured. */
    release(from: ListSources): Promise<Release | null>;
  };
  /** Options of `harness run` that only its machine reads: `Config.runOptions`. */
  readonly runOptions?: readonly RunOption[];
  /** The language of the user, ISO 639-1, as recorded by the active session; null: none did. Left out: sessions record none. */
  readonly languageIn?: (list: string) => string | null;
  /** The format of its list alone, for those who only read: its machine is many times larger. */
  loadFormat(): Promise<Backlog>;
  load(): Promise<Playbook>;
};
