// Level `srt`: sandbox-runtime. Its settings file and its start script are in a folder of their own for each command, which only the
// harness writes. Network closed, files as at `bwrap`; no socket files.
//
// It runs in an empty folder, because it protects names like `.bashrc` in its working folder by creating them, and they stay when it is
// killed. And it runs with an environment of its own, so that nothing that is set for a test (NODE_OPTIONS, BASH_ENV, a PATH into the
// work tree) reaches a program outside of the box.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { shellQuoted } from '../../model/shell-quote.ts';
import type { Variables } from '../environment.ts';
import { isBelow, isFolder, realPath } from '../paths.ts';
import { namespaceEnded } from './bwrap.ts';
import { gitFolders } from './git-folders.ts';
import { kernelMounts } from './kernel-settings.ts';
import { findProgram, isTrusted, type BoxedCommand, type BoxSettings, type CommandAccess } from './level.ts';
import {
  EMPTIED,
  emptiedPath,
  linkedModules,
  namesIn,
  SECRETS_OF_ROOT,
  SHOWN,
  SOCKETS,
  visibleInHome,
} from './visible-paths.ts';

export type Srt = {
  readonly program: string;
  /** Null where it is not needed: outside of Linux. */
  readonly bwrap: string | null;
  readonly socat: string | null;
  /** `true`: replaces its search through its working folder, which is empty. */
  readonly nothing: string;
  /** Mounts of kernel settings: it makes a new /proc, and its own settings are mounted before that. */
  readonly kernel: readonly string[];
};

/** Programs that it needs. */
export const SRT_NEEDS: readonly ('srt' | 'bwrap' | 'socat')[] =
  process.platform === 'linux' ? ['srt', 'bwrap', 'socat'] : ['srt'];

export function findSrt(settings: BoxSettings): Srt {
  const needed = (name: 'bwrap' | 'socat'): string | null =>
    SRT_NEEDS.includes(name) ? (findProgram(name, settings) ?? `/usr/bin/${name}`) : null;
  return {
    program: findProgram('srt', settings) ?? '/usr/bin/srt',
    bwrap: needed('bwrap'),
    socat: needed('socat'),
    nothing: findProgram('true', settings) ?? '/bin/true',
    kernel: kernelMounts(),
  };
}

/** It makes this folder writable whatever its settings say; other programs keep things there. */
const ITS_OWN = realPath('/tmp/claude');

/** `env`: the whole environment of the command. */
export function wrapInSrt(
  srt: Srt,
  box: BoxSettings,
  access: CommandAccess,
  argv: readonly string[],
  env: Variables,
): BoxedCommand {
  const folder = join(box.notes, randomUUID());
  const [empty, settings, note] = [join(folder, 'empty'), join(folder, 'settings.json'), join(folder, NOTE)];
  mkdirSync(empty, { recursive: true });
  const isLinux = srt.bwrap !== null;
  if (srt.bwrap !== null) writeFileSync(join(folder, 'bwrap'), withNote(srt.bwrap, srt.kernel), { mode: 0o755 });
  writeFileSync(settings, JSON.stringify(settingsOf(srt, box, access, folder)));
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
      access.cwd,
      ...argv,
    ],
    env: {
      ...Object.fromEntries(variables.map(([name, value], n) => [`${HANDED}${n}`, `${name}=${value}`])),
      HOME: empty,
      PATH: outerPath(box),
      // For its sockets, whose paths have to be short.
      TMPDIR: box.notes,
    },
    without: Object.keys(env).filter((name) => name !== 'HARNESS_BOX'),
    settled: async () => {
      await namespaceEnded(note);
      rmSync(folder, { recursive: true, force: true });
      // Its own program reports what it could not open.
      return true;
    },
  };
}

/** Variables are passed under names without meaning: passed as arguments they could be read by other users of this machine. */
const HANDED = 'HARNESS_INNER_';
const NOTE = 'note';
const IN_FOLDER: readonly string[] = ['/bin/sh', '-c', 'cd "$0" && exec "$@"'];

/** It exits with 0 when TERM ends it, so a 0 only counts where bubblewrap has noted it as the exit code of the command. */
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

/** Started in place of bubblewrap, and replaced by it. `mounts` come last, before the command, so that nothing is mounted over them. */
const withNote = (bwrap: string, mounts: readonly string[]): string => `#!/bin/sh
left=$#; found=
while [ "$left" -gt 0 ]; do
  if [ -z "$found" ] && [ "$1" = -- ]; then found=1; set -- "$@" ${mounts.map(shellQuoted).join(' ')}; fi
  set -- "$@" "$1"; shift; left=$((left - 1))
done
exec ${shellQuoted(bwrap)} --json-status-fd 8 "$@" 8>"\${0%/*}/${NOTE}"
`;

/** Programs that it starts outside (node, a shell) are never from a folder that agents write. */
const outerPath = (settings: BoxSettings): string =>
  [dirname(process.execPath), ...settings.path.split(delimiter), '/usr/bin', '/bin']
    .filter((folder) => isAbsolute(folder) && isTrusted(folder, settings))
    .join(delimiter);

function settingsOf(srt: Srt, box: BoxSettings, access: CommandAccess, folder: string): unknown {
  const { root, temporary, notes, hidden, home } = box;
  const writable = [root, temporary, ...access.writable];
  const git = gitFolders(root);
  const ofGit = [git.entry, git.own].flatMap((path) => path ?? []).concat(git.elsewhere);
  // What is denied cannot be written below either, but reports are written below `.git`. So a git folder is a fresh one with each entry
  // of the real one in it, read-only; anything else that is written there is discarded.
  const fresh = ofGit.filter((path) => srt.bwrap !== null && isFolder(path) && isBelow(path, root));
  const ownOfIts = existsSync(ITS_OWN) ? [ITS_OWN] : [];
  // Literal paths, never patterns. One that does not exist would be created in order to be denied.
  const literals = (paths: readonly string[]): readonly object[] =>
    [...new Set(paths)].filter((path) => existsSync(path)).map((path) => ({ path, literal: true }));
  return {
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: {
      allowWrite: literals(writable),
      denyWrite: literals([...ofGit.filter((path) => !fresh.includes(path)), ...ownOfIts]),
      denyRead: literals([
        ...EMPTIED,
        ...(home === null ? [] : [home]),
        ...fresh,
        ...hidden,
        ...SECRETS_OF_ROOT,
        notes,
        ...ownOfIts.flatMap(entriesOf),
      ]),
      allowRead: literals(
        [
          ...SHOWN,
          ...visibleInHome(box),
          ...emptiedPath(box),
          ...linkedModules(box),
          ...git.elsewhere.filter((path) => !fresh.includes(path)),
          ...fresh.flatMap((path) => (path === git.own ? entriesOf(path).flatMap(entriesOf) : entriesOf(path))),
          ...access.readable,
          ...box.shown,
          ...packageOf(srt.program),
        ].flatMap((path) => aroundWritable(path, writable, [...hidden, notes])),
      ),
    },
    ripgrep: { command: srt.nothing },
    ...(srt.bwrap === null ? {} : { bwrapPath: join(folder, 'bwrap') }),
    ...(srt.socat === null ? {} : { socatPath: srt.socat }),
  };
}

const entriesOf = (folder: string): readonly string[] => namesIn(folder).map((name) => join(folder, name));

/** What is shown is mounted over what can be written: of a folder with something writable in it, everything else is shown. */
function aroundWritable(path: string, writable: readonly string[], hidden: readonly string[]): readonly string[] {
  if (writable.includes(path) || hidden.includes(path)) return [];
  if (!writable.some((one) => isBelow(one, path))) return [path];
  return entriesOf(path).flatMap((one) => aroundWritable(one, writable, hidden));
}

/** Its own package, from which it runs a helper inside. Any other kind of program may be anywhere, in the home too. */
function packageOf(program: string): readonly string[] {
  const [, folder] = /^(.+\/sandbox-runtime)\/dist\/[^/]+$/.exec(realPath(program)) ?? [];
  return folder === undefined ? [] : [folder];
}
