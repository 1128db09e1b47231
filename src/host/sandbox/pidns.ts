// Level `pidns`: a process namespace and nothing else. Everything a command started dies with it, and it cannot see or
// signal anybody outside; files and network are as open as without a box.
import type { Wrapped } from './level.ts';

export function wrapInPidns(unshare: string, argv: readonly string[]): Wrapped {
  const isRoot = process.getuid?.() === 0;
  return {
    argv: [
      unshare,
      ...(isRoot ? [] : ['--user', '--map-current-user']),
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
      '--',
      // The first process of a namespace is not ended by signals as others are: a shell stands there in the command's place.
      '/bin/sh',
      '-c',
      '"$@"; exit "$?"',
      'sh',
      ...argv,
    ],
    env: {},
    without: [],
  };
}
