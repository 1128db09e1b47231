// Steps that an agent reported while it worked: kept line by line with its session, so that a crash does not lose them.
import { z } from 'zod';
import { checkpointIn } from './log.ts';
import type { TaskCheckpoint } from './schema.ts';

/** `tree`: the work tree when the step was reported; null: not recorded. */
export type ReportedCheckpoint = TaskCheckpoint & { readonly tree: string | null };

const shape = z.object({
  step: z.number(),
  total: z.number(),
  description: z.string(),
  at: z.string(),
  tree: z.string().nullable(),
});

/** A line of an agent's text as a note; null: it reports no step. */
export const noteIn = (line: string) => checkpointIn(line);

/** The notes of a session, each once, oldest first. The tree is in a line of its own. A line that a crash truncated is left out. */
export function notesIn(text: string | null): readonly ReportedCheckpoint[] {
  const notes = new Map<string, ReportedCheckpoint>();
  for (const line of (text ?? '').split('\n')) {
    const note = noted(line);
    if (note === null) continue;
    const { at, tree, ...said } = note;
    const key = JSON.stringify(said);
    const known = notes.get(key);
    notes.set(key, { ...said, timestamp: known?.timestamp ?? at, tree: tree ?? known?.tree ?? null });
  }
  return [...notes.values()];
}

function noted(line: string): z.output<typeof shape> | null {
  try {
    return shape.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/** Steps of the list and steps reported since, each once. */
export function merged(
  known: readonly TaskCheckpoint[],
  reported: readonly ReportedCheckpoint[],
): readonly TaskCheckpoint[] {
  const key = ({ step, total, description }: TaskCheckpoint): string => JSON.stringify([step, total, description]);
  const there = new Set(known.map(key));
  return [...known, ...reported.filter((one) => !there.has(key(one))).map(({ tree: _tree, ...said }) => said)];
}
