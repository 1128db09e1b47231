// One lane: a work tree with one item in it, and everything a performer may reach for while working there.
import type { Backlog } from '../engine/backlog.ts';
import type { ReadContext } from '../engine/definitions.ts';
import type { ItemMachine } from '../engine/playbook.ts';
import type { Gates } from '../gates/store.ts';
import type { Box } from '../host/box.ts';
import type { Catalogue } from '../host/catalogue.ts';
import type { Clock, Sleeper } from '../host/clock.ts';
import type { Io } from '../host/io.ts';
import type { Logs } from '../host/log.ts';
import type { Roles } from '../memory/roles.ts';
import type { Config } from '../model/config.ts';
import type { AgentEvent, HarnessEvent } from '../model/event.ts';
import type { RepositoryView } from '../model/repository-view.ts';
import type { Git } from '../repos/git.ts';
import type { LiveSessions } from './sessions.ts';
import type { Tape } from './tape.ts';

export type RunContext = {
  readonly run: string;
  /** The work tree. */
  readonly root: string;
  /** `.harness/`: what people read. Can be rebuilt. */
  readonly stateDir: string;
  /** `<git common dir>/harness/`: journals, gates, sessions, evidence. Out of an agent's way. */
  readonly privateDir: string;
  /** What is about the person and not about this repository, shared by all their runs on this machine. */
  readonly personDir: string;
  readonly git: Git;
  readonly view: RepositoryView;
  readonly config: Config;
  /** The format of the list, and the machine that works on it. */
  readonly backlog: Backlog;
  readonly machine: ItemMachine;
  /** Where pushes go, read before any agent could change it; null: there is no such remote. */
  readonly pushUrl: string | null;
  readonly box: Box;
  /** A box of the same kind over another folder: for copies that are thrown away. */
  readonly openBoxAt: (root: string) => Promise<Box>;
  readonly io: Io;
  readonly clock: Clock;
  readonly sleep: Sleeper;
  readonly logs: Logs;
  readonly redact: (text: string) => string;
  readonly roles: Roles;
  /** English: what agents read. */
  readonly catalogue: Catalogue;
  readonly gates: Gates;
  /** Whether the run goes on for hours by itself: then it waits for a question that will answer itself. */
  readonly isUnattended: boolean;
  /** Nobody can be asked while it runs: soft questions answer themselves. */
  readonly isAlone: boolean;
  readonly sessions: LiveSessions;
  /** What agents do is recorded here, or played from there; null: neither. */
  readonly tape: Tape | null;
  /** Tells whoever watches this run (the terminal); logs get it too. */
  /** Listeners of landings. */
  readonly mirrors: readonly ((landed: { readonly item: string; readonly commit: string }) => Promise<void>)[];
  /** What an agent does, as it does it. */
  readonly hear: (session: number, event: AgentEvent) => void;
  readonly tell: (event: Omit<HarnessEvent, 'ts'>) => void;
};

/** What surveys, briefs and edits of this run read. */
export const readContext = ({
  view,
  backlog,
  config,
}: Pick<RunContext, 'view' | 'backlog' | 'config'>): ReadContext => ({
  view,
  backlog,
  config,
});
