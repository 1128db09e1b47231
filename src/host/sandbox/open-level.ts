// From the name of a level to what it makes of commands: the one place that knows all levels.
import { spawnSync } from 'node:child_process';
import type { Variables } from '../environment.ts';
import { agentInBwrap, holderInBwrap, wrapInBwrap, type Bwrap } from './bwrap.ts';
import { HOLDER_COMMAND, openHolder, type Holder } from './holder.ts';
import { kernelMounts, kernelMountsOfAgents } from './kernel-settings.ts';
import {
  findProgram,
  NO_ENCLOSURE,
  type BoxedCommand,
  type BoxLevel,
  type BoxSettings,
  type CommandAccess,
  type Enclosure,
} from './level.ts';
import { findSrt, wrapInSrt } from './srt.ts';
import { homeMounts } from './visible-paths.ts';

/** `isLeft`: what the command starts in the background keeps running. `env`: its whole environment, markers included. */
export type BoxCommandWrapper = (
  argv: readonly string[],
  access: CommandAccess,
  how: { readonly isLeft: boolean; readonly env: Variables },
) => Promise<BoxedCommand>;

const unboxed = (argv: readonly string[]): BoxedCommand => ({ argv, env: {}, without: [] });

export function openLevel(level: BoxLevel, settings: BoxSettings): BoxCommandWrapper {
  switch (level) {
    case 'none':
      return (argv) => Promise.resolve(unboxed(argv));
    case 'pidns': {
      const unshare = findProgram('unshare', settings) ?? '/usr/bin/unshare';
      // What keeps running would need a namespace that stays. Without one it runs as at `none` and is found by its marker.
      return (argv, _access, { isLeft }) => Promise.resolve(isLeft ? unboxed(argv) : wrapInPidns(unshare, argv));
    }
    case 'srt': {
      const srt = findSrt(settings);
      // It cannot open the network, and nothing that keeps running outlives it: environment scripts run as at `none`.
      return (argv, access, { isLeft, env }) =>
        Promise.resolve(isLeft || access.network ? unboxed(argv) : wrapInSrt(srt, settings, access, argv, env));
    }
    case 'bwrap':
      return openBwrap(settings);
  }
}

/** For an agent's program. Only `bwrap` has an enclosure. */
export const enclose = (level: BoxLevel, settings: BoxSettings, access: CommandAccess): Enclosure =>
  level === 'bwrap' ? agentInBwrap(bwrapOf(settings, kernelMountsOfAgents()), settings, access) : NO_ENCLOSURE;

/**
 * Level `pidns`: a PID namespace and nothing else. Everything a command started ends with it, and it can neither see nor signal processes
 * outside; files and network are as open as without a box.
 */
function wrapInPidns(unshare: string, argv: readonly string[]): BoxedCommand {
  const isRoot = process.getuid?.() === 0;
  const boxed = unboxed([
    unshare,
    ...(isRoot ? [] : ['--user', '--map-current-user']),
    '--pid',
    '--fork',
    '--kill-child',
    '--mount-proc',
    '--',
    // Signals do not end the first process of a namespace as they end others: a shell takes that place.
    '/bin/sh',
    '-c',
    '"$@"; exit "$?"',
    'sh',
    ...argv,
  ]);
  return { ...boxed, endsWhole: true };
}

function bwrapOf(settings: BoxSettings, kernel: readonly string[]): Bwrap {
  const program = findProgram('bwrap', settings) ?? '/usr/bin/bwrap';
  return { program, canDisableUserns: canDisableUserns(program), home: homeMounts(settings), kernel };
}

function openBwrap(settings: BoxSettings): BoxCommandWrapper {
  const bwrap = bwrapOf(settings, kernelMounts());
  let opening: Promise<Holder> | null = null;
  return async (argv, access, { isLeft, env }) => {
    if (!isLeft) return wrapInBwrap(bwrap, settings, access, argv);
    const ofHolder = { ...access, cwd: settings.root, readable: settings.sockets, writable: [] };
    const command = holderInBwrap(bwrap, settings, ofHolder, HOLDER_COMMAND);
    opening ??= openHolder(command.argv, env, {
      nsenter: findProgram('nsenter', settings),
      setpriv: findProgram('setpriv', settings),
    });
    const holder = await opening;
    if (holder.error === null) return { ...command, argv: holder.enter(argv, access.cwd) };
    // The next command tries again.
    opening = null;
    return {
      ...command,
      argv: ['/bin/sh', '-c', 'echo "$1" >&2; exit 125', 'sh', `the box could not be opened: ${holder.error}`],
      settled: () => Promise.resolve(false),
    };
  };
}

/** By program, where it says its version: each session asks. */
const usernsAnswers = new Map<string, boolean>();

/** Since 0.8. Bubblewrap exits on an option that it does not know, so its version decides. */
function canDisableUserns(program: string): boolean {
  const known = usernsAnswers.get(program);
  if (known !== undefined) return known;
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', env: {}, timeout: 5_000 });
  const version = /(\d+)\.(\d+)/.exec(stdout ?? '');
  if (version === null) return false;
  const can = Number(version[1]) > 0 || Number(version[2]) >= 8;
  usernsAnswers.set(program, can);
  return can;
}
