// Whether the daemon works on the list by itself, as a user decided: started, stopped, or neither. A file of the private folder, which the process that
// serves reads at each look. It outlives the process: killed and started again, the daemon continues.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readText } from '../../host/files.ts';
import type { Io } from '../../host/io.ts';

type Private = { readonly workspaceDir: string };
type Writable = Private & { readonly io: Io };

const switchShape = z.object({ is: z.enum(['on', 'stopped']), since: z.string() });
export type Switch = z.output<typeof switchShape>;

const fileOf = ({ workspaceDir }: Private): string => join(workspaceDir, 'daemon.json');

/** null: no user has started it. A file that cannot be read starts nothing. */
export function readSwitch(place: Private): Switch | null {
  const text = readText(fileOf(place));
  if (!text.ok || text.value === null) return null;
  try {
    return switchShape.safeParse(JSON.parse(text.value)).data ?? null;
  } catch {
    return null;
  }
}

const set = (place: Writable, is: Switch['is'], since: string): void =>
  place.io.replace(fileOf(place), `${JSON.stringify({ is, since })}\n`);

/** Started again, what it waited for after failures is tried at once. */
export const turnOn = (place: Writable, since: string): void => set(place, 'on', since);

/** It starts nothing until it is resumed; nothing changes where it was not started. */
export function stopTicking(place: Writable, since: string): boolean {
  if (readSwitch(place)?.is !== 'on') return false;
  set(place, 'stopped', since);
  return true;
}

/** A stopped daemon continues, and one that waits after a failure tries again at once. */
export function resumeTicking(place: Writable, since: string): void {
  if (readSwitch(place) !== null) turnOn(place, since);
}

export function turnOff(place: Writable): void {
  if (existsSync(fileOf(place))) place.io.remove(fileOf(place));
}
