// The one way to git: every git process of the harness is started here, with nothing executable left to the repository.
// Owns the environment, the limits, the retry on a held lock. Does not own what is asked of git.
import type { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answeringProcess, type AnsweringProcess, type Reading } from '../host/answering-process.ts';
import { type Io, realIo } from '../host/io.ts';
import { runCommand } from '../host/process.ts';
import { ENGINE_FOLDER } from '../model/engine-folder.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { gitFolders, type GitFolders } from './folders.ts';
import { createAnswerCache, type AnswerCache } from './answer-cache.ts';

/** Object id of a commit, tree or blob, in full. */
export type ObjectId = string;

export type RunOptions = {
  readonly stdin?: string;
  /** `latin1`: what it printed with a character for every byte, for contents that may be anything. */
  readonly encoding?: 'latin1';
  /** Added to the environment; null takes a variable away. */
  readonly env?: { readonly [name: string]: string | null };
  /** Exit codes that are an answer rather than a failure; 0 always is. */
  readonly allow?: readonly number[];
  /** Milliseconds; default ten minutes. */
  readonly wallMs?: number;
};

/** `note`: the file that says what is under way in the user's work tree (follow.ts). */
export type Landing = { readonly branch: string; readonly user: Git; readonly note: string };

export type Git = {
  /** Top of the work tree, absolute. */
  readonly root: string;
  /** The git folder of this work tree, and the one shared by all linked ones; absolute. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** The harness made the repository for itself (own-repository.ts): as far as the user knows there is no git. */
  readonly isPrivate: boolean;
  /** The harness's own folder of this work tree's git dir: private index caches, never the user's. */
  readonly privateDir: string;
  /** A work tree of the harness's own (work-trees.ts), whose HEAD is detached: where its commits land. null: on the branch that HEAD is on. */
  readonly lands: Landing | null;
  readonly io: Io;
  readonly memory: AnswerCache;
  /** The same for the repository: work trees of the harness's own share it with the user's. What objects hold never changes. */
  readonly objects: AnswerCache;
  /** Files and folders at the top that the harness keeps beside the work: in no tree, checkpoint or commit, and never restored. */
  readonly own: readonly string[];
  /** Files of the state folder that are committed: in no tree of the work; a commit has them as the one before, unless it changes them. */
  readonly carried: readonly string[];
  /** The environment the harness was started with: read for the user's own git configuration and for pushing. */
  readonly userEnv: { readonly [name: string]: string };
  /**
   * Runs git and gives what it printed. Fails with `git-failed` (`command`, `exit`, `words`: the first lines of its
   * complaint), `git-busy` (a lock stayed held) or `git-missing`.
   */
  run(args: readonly string[], options?: RunOptions): Promise<Result<string>>;
  /**
   * Asks a git that stays and answers one question after the other (`cat-file --batch`, `update-ref --stdin`). null: it gave no answer, and
   * the question is to be put with `run`, which also says why.
   */
  ask<T>(args: readonly string[], question: string, read: (printed: Buffer) => Reading<T>): Promise<T | null>;
  /** Resolves when no git that answers questions is left. A later question starts another. */
  rest(): Promise<void>;
};

export type GitOptions = {
  readonly root: string;
  /** Where its git is; default: looked for at the root. */
  readonly folders?: GitFolders;
  readonly lands?: Landing;
  /** Marks every git process (HARNESS_TOKEN). */
  readonly token: string;
  /** The user's environment, from src/host/environment.ts. */
  readonly env: { readonly [name: string]: string | undefined };
  readonly signal?: AbortSignal;
  readonly io?: Io;
  readonly own?: readonly string[];
  readonly carried?: readonly string[];
  /** Of another one for the same work tree and environment; default: empty. */
  readonly memory?: AnswerCache;
  /** How to wait for a held lock, in milliseconds. */
  readonly wait?: (ms: number) => Promise<unknown>;
};

/** What git may not do whatever the repository's own configuration says (an agent may have written it). */
const FIXED: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotepath=false',
  'core.bare=false',
  'core.ignoreStat=false',
  'core.trustctime=true',
  'core.checkStat=default',
  'core.sparseCheckout=false',
  'core.splitIndex=false',
  'index.skipHash=false',
  'core.untrackedCache=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'core.fsync=loose-object,reference,index',
  'log.showSignature=false',
  'submodule.recurse=false',
  'advice.addEmbeddedRepo=false',
  'core.safecrlf=false',
  'core.logAllRefUpdates=true',
].flatMap((pair) => ['-c', pair]);

/** Commands that change something visible; each is a point where a crash can happen (Io.effect). */
const CHANGING = new Set([
  'update-ref',
  'symbolic-ref',
  'read-tree',
  'checkout',
  'checkout-index',
  'update-index',
  'reset',
  'stash',
  'push',
  'fast-import',
]);

const WAITS_MS = [20, 50, 100, 200, 400, 800, 1_600];
const WALL_MS = 10 * 60_000;
/** Of each stream; more is refused, never cut. */
const KEEP_BYTES = 256 * 1024 * 1024;
/** A git that answers questions is gone this long after the last one: while an agent works for minutes there is none. */
const REST_MS = 20_000;
const PASSED_ON = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR'];

export function createGit(options: GitOptions): Git {
  const { root, token, signal } = options;
  const { gitDir, commonDir, isPrivate } = options.folders ?? gitFolders(root);
  const io = options.io ?? realIo();
  const wait = options.wait ?? sleep;
  const userEnv = defined(options.env);
  const base = { ...localEnvironment(userEnv), GIT_DIR: gitDir, GIT_WORK_TREE: root, GIT_COMMON_DIR: commonDir };

  const once = (args: readonly string[], more: RunOptions) =>
    runCommand({
      argv: ['git', ...FIXED, ...args],
      cwd: root,
      env: defined({ ...base, ...more.env }),
      token,
      wallMs: more.wallMs ?? WALL_MS,
      idleMs: null,
      keepBytes: KEEP_BYTES,
      floodBytes: KEEP_BYTES,
      startedBy: 'shell',
      staysInGroup: true,
      ...(more.stdin === undefined ? {} : { stdin: more.stdin }),
      ...(more.encoding === undefined ? {} : { encoding: more.encoding }),
      ...(signal === undefined ? {} : { signal }),
    });

  const run = async (args: readonly string[], more: RunOptions): Promise<Result<string>> => {
    const command = `git ${args.slice(0, 3).join(' ')}`;
    for (let attempt = 0; ; attempt++) {
      const exit = await once(args, more);
      if (exit.ended === 'missing' && existsSync(root)) return err(failure('git-missing'));
      const isFine = exit.ended === null && exit.code !== null && (exit.code === 0 || more.allow?.includes(exit.code));
      if (isFine) return ok(exit.stdout);
      const words = firstLines(exit.stderr);
      const [isLocked, isOvertaken] = [isLockHeld(exit.stderr), isFileWritten(exit.stderr)];
      const pauseMs = exit.ended === null && (isLocked || isOvertaken) ? WAITS_MS[attempt] : undefined;
      if (pauseMs === undefined)
        return isLocked && exit.ended === null
          ? err(failure('git-busy', { command, words }))
          : err(failure('git-failed', { command, exit: exit.code ?? exit.ended ?? exit.signal ?? 'unknown', words }));
      await wait(pauseMs);
    }
  };

  const staying = new Map<string, AnsweringProcess>();
  const stayingFor = (args: readonly string[]): AnsweringProcess => {
    const known = staying.get(args.join(' '));
    if (known !== undefined) return known;
    // Its working folder is not in the repository: it holds nothing there, and does not pass for a git of the user's (sweep.ts).
    const command = { argv: ['git', ...FIXED, ...args], cwd: '/', env: defined(base), token };
    const made = answeringProcess({ ...command, wallMs: WALL_MS, keepBytes: KEEP_BYTES, restMs: REST_MS });
    staying.set(args.join(' '), made);
    return made;
  };

  const memory = options.memory ?? createAnswerCache();
  return {
    root,
    gitDir,
    commonDir,
    isPrivate,
    lands: options.lands ?? null,
    io,
    memory,
    objects: options.lands?.user.objects ?? memory,
    own: [...new Set([...(isPrivate ? [ENGINE_FOLDER] : []), ...(options.own ?? [])])],
    carried: options.carried ?? [],
    userEnv,
    privateDir: join(gitDir, 'harness', 'git'),
    run: (args, more = {}) =>
      isChanging(args) ? io.effect(`git ${args[0] ?? ''}`, () => run(args, more)) : run(args, more),
    ask: async (args, question, read) => {
      if (signal?.aborted === true) return null;
      const asked = () => stayingFor(args).ask(question, read);
      return isChanging(args) ? io.effect(`git ${args[0] ?? ''}`, asked) : asked();
    },
    async rest() {
      await Promise.all([...staying.values()].map((one) => one.end()));
    },
  };
}

/** The environment of a git that touches this machine only: no hooks' or people's variables, no network, no questions. */
function localEnvironment(userEnv: { readonly [name: string]: string }): { [name: string]: string } {
  return {
    ...Object.fromEntries(Object.entries(userEnv).filter(([name]) => PASSED_ON.includes(name))),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_OPTIONAL_LOCKS: '0',
    // A missing object is an error, not a reason to start a transport that the repository's configuration chose.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null/none',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
  };
}

const defined = (env: { readonly [name: string]: string | null | undefined }): { [name: string]: string } =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, value]])),
  );

const isChanging = ([command = '', flag]: readonly string[]): boolean =>
  CHANGING.has(command) && !(command === 'symbolic-ref' && flag === '-q');

const isLockHeld = (words: string): boolean => /\.lock'?: File exists/.test(words);

/** A program wrote a file of the work tree while git read it: the next look finds it whole. */
const isFileWritten = (words: string): boolean => /\bshort read while indexing\b/.test(words);

const firstLines = (text: string): string => text.trim().split('\n').slice(0, 5).join('\n').slice(0, 1_000);

/** Splits what git prints under `-z`. */
export const zeroSplit = (text: string): string[] => text.split('\0').filter((part) => part !== '');
