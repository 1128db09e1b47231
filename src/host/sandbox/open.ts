// From a level's name to what it makes of commands: the one place that knows all of them.
import { spawnSync } from 'node:child_process';
import type { Variables } from '../environment.ts';
import { agentInBwrap, holderInBwrap, wrapInBwrap, type Bwrap } from './bwrap.ts';
import { homeMounts } from './home.ts';
import { HOLDER_COMMAND, openHolder, type Holder } from './holder.ts';
import {
  findProgram,
  NO_ENCLOSURE,
  type BoxLevel,
  type Enclosure,
  type Entry,
  type Place,
  type Wrapped,
} from './level.ts';
import { wrapInPidns } from './pidns.ts';
import { findSrt, wrapInSrt } from './srt.ts';

/** `isLeft`: what it starts in the background lives on. `env`: everything the command gets, markers included. */
export type Rung = (
  argv: readonly string[],
  entry: Entry,
  how: { readonly isLeft: boolean; readonly env: Variables },
) => Promise<Wrapped>;

const plain = (argv: readonly string[]): Wrapped => ({ argv, env: {}, without: [] });

export function openLevel(level: BoxLevel, place: Place): Rung {
  switch (level) {
    case 'none':
      return (argv) => Promise.resolve(plain(argv));
    case 'pidns': {
      const unshare = findProgram('unshare', place) ?? '/usr/bin/unshare';
      // What is left running needs a space that stays; without one it runs as at `none`, and is found by its marker.
      return (argv, _entry, { isLeft }) => Promise.resolve(isLeft ? plain(argv) : wrapInPidns(unshare, argv));
    }
    case 'srt': {
      const srt = findSrt(place);
      // It cannot open the network, and nothing that is left running outlives it: environment scripts run as at `none`.
      return (argv, entry, { isLeft, env }) =>
        Promise.resolve(isLeft || entry.network ? plain(argv) : wrapInSrt(srt, place, entry, argv, env));
    }
    case 'bwrap':
      return bwrapRung(place);
  }
}

/** For an agent's program. Only `bwrap` has something for one. */
export const enclose = (level: BoxLevel, place: Place, entry: Entry): Enclosure =>
  level === 'bwrap' ? agentInBwrap(bwrapOf(place), place, entry) : NO_ENCLOSURE;

function bwrapOf(place: Place): Bwrap {
  const program = findProgram('bwrap', place) ?? '/usr/bin/bwrap';
  return { program, canDisableUserns: canDisableUserns(program), home: homeMounts(place) };
}

function bwrapRung(place: Place): Rung {
  const bwrap = bwrapOf(place);
  let holder: Promise<Holder> | null = null;
  return async (argv, entry, { isLeft, env }) => {
    if (!isLeft) return wrapInBwrap(bwrap, place, entry, argv);
    const standing = holderInBwrap(
      bwrap,
      place,
      { ...entry, cwd: place.root, readable: [], writable: [] },
      HOLDER_COMMAND,
    );
    holder ??= openHolder(standing.argv, env, {
      nsenter: findProgram('nsenter', place),
      setpriv: findProgram('setpriv', place),
    });
    const stands = await holder;
    if (stands.error === null) return { ...standing, argv: stands.enter(argv, entry.cwd) };
    // The next command tries again.
    holder = null;
    return {
      ...standing,
      argv: ['/bin/sh', '-c', 'echo "$1" >&2; exit 125', 'sh', `the box could not be opened: ${stands.error}`],
    };
  };
}

/** Since 0.8. Unknown options end bubblewrap, so it is asked. */
function canDisableUserns(program: string): boolean {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', env: {}, timeout: 5_000 });
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return Number(major) > 0 || Number(minor) >= 8;
}
