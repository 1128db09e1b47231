// Removes what a killed process left half-written in the folders of sessions, without looking at each session there ever was.
import { join } from 'node:path';
import type { Io } from '../../host/io.ts';
import { removeStaleBelow, removeStaleIn } from '../../host/stale-files.ts';
import { parkedItems, unfinishedSessions } from './unfinished-sessions.ts';

/** Besides those that have not ended: with several lanes others ended just before. */
const NEWEST = 32;

/**
 * A process writes for sessions that have not ended and for the newest. In older ones nothing is half-written: each was among these at the start that
 * followed its last process.
 */
export function removeStaleOfSessions(folders: {
  readonly io: Io;
  readonly stateDir: string;
  readonly workspaceDir: string;
}): void {
  const { io, stateDir, workspaceDir } = folders;
  const open = new Set([
    0, // of `init`, which may be repeated
    ...unfinishedSessions(workspaceDir),
    ...parkedItems(workspaceDir).map(({ session }) => session),
  ]);
  for (const folder of [stateDir, workspaceDir]) {
    const sessions = join(folder, 'sessions');
    const all = removeStaleIn(io, sessions).map((name) => ({ name, number: Number.parseInt(name, 10) }));
    const newest = all.toSorted((a, b) => b.number - a.number).slice(0, NEWEST);
    const asked = new Set([...newest, ...all.filter(({ number }) => open.has(number) || Number.isNaN(number))]);
    // `home` belongs to the agent.
    for (const { name } of asked) removeStaleBelow(io, join(sessions, name), ['home']);
  }
}
