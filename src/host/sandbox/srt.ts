// Level `srt`: sandbox-runtime. Its settings file and what a command is started behind; both lie in a folder of one command,
// below what only the harness writes. Network closed, files as at `bwrap`; no socket files.
//
// It runs in an empty folder: of the folder it is started in it protects names like `.bashrc` by making them, and they stay
// where it is killed. And it runs with an environment of its own, so that nothing that is set for a test (NODE_OPTIONS,
// BASH_ENV, a PATH into the work tree) reaches a program outside of the box.
import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import type { Variables } from '../environment.ts';
import { gitFolders } from './git-folders.ts';
import { namespaceGone } from './gone.ts';
import { visibleInHome } from './home.ts';
import { findProgram, isBelow, isTrusted, realOf, type Entry, type Place, type Wrapped } from './level.ts';
import { EMPTIED, emptiedPath, linkedModules, SECRETS_OF_ROOT, SHOWN, SOCKETS } from './shown.ts';

export type Srt = {
  readonly program: string;
  /** Null where it needs none: outside of Linux. */
  readonly bwrap: string | null;
  readonly socat: string | null;
  /** Does nothing: stands for a search through the folder it is started in, which is empty. */
  readonly nothing: string;
};

/** Programs it does not run without. */
export const SRT_NEEDS: readonly ('srt' | 'bwrap' | 'socat')[] =
  process.platform === 'linux' ? ['srt', 'bwrap', 'socat'] : ['srt'];

export function findSrt(place: Place): Srt {
  const needed = (name: 'bwrap' | 'socat'): string | null =>
    SRT_NEEDS.includes(name) ? (findProgram(name, place) ?? `/usr/bin/${name}`) : null;
  return {
    program: findProgram('srt', place) ?? '/usr/bin/srt',
    bwrap: needed('bwrap'),
    socat: needed('socat'),
    nothing: findProgram('true', place) ?? '/bin/true',
  };
}

/** It makes this folder writable whatever it is told; others keep things there. */
const ITS_OWN = realOf('/tmp/claude');

/** `env`: all of the command's. */
export function wrapInSrt(srt: Srt, place: Place, entry: Entry, argv: readonly string[], env: Variables): Wrapped {
  const folder = join(place.notes, randomUUID());
  const [empty, settings, note] = [join(folder, 'empty'), join(folder, 'settings.json'), join(folder, NOTE)];
  mkdirSync(empty, { recursive: true });
  const isLinux = srt.bwrap !== null;
  if (srt.bwrap !== null) writeFileSync(join(folder, 'bwrap'), withNote(srt.bwrap), { mode: 0o755 });
  writeFileSync(settings, JSON.stringify(settingsOf(srt, place, entry, folder)));
  const inside = { ...env, GIT_OPTIONAL_LOCKS: '0' };
  const variables = Object.entries(inside).filter(([name]) => !SOCKETS.includes(name));
  return {
    argv: [
      ...(isLinux ? IN_EMPTY_WITH_NOTE : IN_FOLDER),
      empty,
      ...(isLinux ? [note] : []),
      srt.program,
      '--settings',
      settings,
      '--',
      '/bin/sh',
      '-c',
      `exec /usr/bin/env -i ${variables.map((_, n) => `"$${HANDED}${n}"`).join(' ')} "$@"`,
      'sh',
      ...IN_FOLDER,
      entry.cwd,
      ...argv,
    ],
    env: {
      ...Object.fromEntries(variables.map(([name, value], n) => [`${HANDED}${n}`, `${name}=${value}`])),
      HOME: empty,
      PATH: outerPath(place),
      // For its sockets, whose paths have to be short.
      TMPDIR: place.notes,
    },
    without: Object.keys(env).filter((name) => name !== 'HARNESS_BOX'),
    settled: async () => {
      await namespaceGone(note);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Variables go in under names that mean nothing to anybody, since a command line could be read by others of this machine. */
const HANDED = 'HARNESS_INNER_';
const NOTE = 'note';
const IN_FOLDER: readonly string[] = ['/bin/sh', '-c', 'cd "$0" && exec "$@"'];

/** It ends with 0 where it is ended by TERM: a 0 counts where bubblewrap has noted that it is the command's. */
const IN_EMPTY_WITH_NOTE: readonly string[] = [
  '/bin/sh',
  '-c',
  `cd "$0" || exit 125
note=$1; shift
"$@"; code=$?
[ "$code" = 0 ] || exit "$code"
while read -r line; do case $line in *'"exit-code": 0'*) exit 0 ;; esac; done < "$note"
echo 'sandbox-runtime ended before its command did' >&2; exit 125`,
];

/** Started in the place of bubblewrap, and becomes it. */
const withNote = (bwrap: string): string =>
  `#!/bin/sh\nexec '${bwrap.replaceAll("'", `'\\''`)}' --json-status-fd 8 "$@" 8>"\${0%/*}/${NOTE}"\n`;

/** What it starts outside (node, a shell) is never a program that an agent has put somewhere. */
const outerPath = (place: Place): string =>
  [dirname(process.execPath), ...place.path.split(delimiter), '/usr/bin', '/bin']
    .filter((folder) => isAbsolute(folder) && isTrusted(folder, place))
    .join(delimiter);

function settingsOf(srt: Srt, place: Place, entry: Entry, folder: string): unknown {
  const { root, temporary, notes, hidden, home } = place;
  const writable = [root, temporary, ...entry.writable];
  const git = gitFolders(root);
  const ofGit = [git.entry, git.own].flatMap((path) => path ?? []).concat(git.elsewhere);
  // What is denied is never written below either, and reports lie below `.git`. So a git folder is a fresh one with each
  // thing of the real one in it, read-only: what else is written there is forgotten.
  const fresh = ofGit.filter((path) => srt.bwrap !== null && isFolder(path) && isBelow(path, root));
  const ownOfIts = existsSync(ITS_OWN) ? [ITS_OWN] : [];
  // Names, never patterns. One that is not there would be made to be denied.
  const names = (paths: readonly string[]): readonly object[] =>
    [...new Set(paths)].filter((path) => existsSync(path)).map((path) => ({ path, literal: true }));
  return {
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: {
      allowWrite: names(writable),
      denyWrite: names([...ofGit.filter((path) => !fresh.includes(path)), ...ownOfIts]),
      denyRead: names([
        ...EMPTIED,
        ...(home === null ? [] : [home]),
        ...fresh,
        ...hidden,
        ...SECRETS_OF_ROOT,
        notes,
        ...ownOfIts.flatMap(entriesOf),
      ]),
      allowRead: names(
        [
          ...SHOWN,
          ...visibleInHome(place),
          ...emptiedPath(place),
          ...linkedModules(place),
          ...git.elsewhere.filter((path) => !fresh.includes(path)),
          ...fresh.flatMap((path) => (path === git.own ? entriesOf(path).flatMap(entriesOf) : entriesOf(path))),
          ...entry.readable,
          ...packageOf(srt.program),
        ].flatMap((path) => beside(path, writable, [...hidden, notes])),
      ),
    },
    ripgrep: { command: srt.nothing },
    ...(srt.bwrap === null ? {} : { bwrapPath: join(folder, 'bwrap') }),
    ...(srt.socat === null ? {} : { socatPath: srt.socat }),
  };
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** None where it may not be looked at. */
function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** What is shown is laid over what can be written: so of a folder with something writable in it all else is shown. */
function beside(path: string, writable: readonly string[], hidden: readonly string[]): readonly string[] {
  if (writable.includes(path) || hidden.includes(path)) return [];
  if (!writable.some((one) => isBelow(one, path))) return [path];
  return entriesOf(path).flatMap((one) => beside(one, writable, hidden));
}

/** Its own package, of which it runs a helper inside. A program of another shape may lie anywhere, in the home too. */
function packageOf(program: string): readonly string[] {
  const [, folder] = /^(.+\/sandbox-runtime)\/dist\/[^/]+$/.exec(realOf(program)) ?? [];
  return folder === undefined ? [] : [folder];
}
