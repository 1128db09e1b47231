// The record that begins a turn: the state before it, in the session's private folder.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { beforeTurnSchema } from '../record-turn.ts';

/** Every session has a first turn. */
export const FIRST_TURN = 1;

export const begunFile = (folder: string, turn: number): string => join(folder, `turn-${turn}.begun.json`);

const begunSchema = z.object({
  commit: z.string(),
  tree: z.string(),
  head: z.string(),
  branch: z.string(),
  prompt: z.optional(z.string()),
  /** The tree with the work in progress that the turn continues; left out: it is `tree`. */
  start: z.optional(z.string()),
  tape: z.optional(beforeTurnSchema),
});
export type Begun = Readonly<z.infer<typeof begunSchema>>;
export const readBegun = (folder: string, turn: number): Begun =>
  begunSchema.parse(JSON.parse(readFileSync(begunFile(folder, turn), 'utf8')));

export const wasBegun = (folder: string, turn: number): boolean => existsSync(begunFile(folder, turn));
