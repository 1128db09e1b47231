// What a run waits for, one small file each in the private folder: read by a later process and by `status`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { sha256 } from '../../host/files.ts';
import type { WaitAsk } from '../../model/wait.ts';
import type { RunContext } from '../run-context.ts';
import { fileName } from '../token.ts';

const wait = z.object({
  schema: z.literal(1),
  why: z.string(),
  attempt: z.number(),
  of: z.number(),
  /** ISO 8601. */
  since: z.string(),
  until: z.string(),
  item: z.nullable(z.string()),
  session: z.nullable(z.number()),
});
export type Wait = z.infer<typeof wait>;

/** Of the delay, added by chance, but no more than so long: those who were refused together do not come back together. */
const JITTER = 0.2;
const MOST_JITTER_MS = 10 * 60_000;

const folderIn = (workspaceDir: string): string => join(workspaceDir, 'waits');
const fileOf = (workspaceDir: string, token: string): string => join(folderIn(workspaceDir), `${fileName(token)}.json`);

/** Durable on return. The chance comes from the token: the same wait, asked for again, ends at the same moment. */
export function beginWait(
  context: Pick<RunContext, 'workspaceDir' | 'io' | 'clock'>,
  token: string,
  ask: WaitAsk,
): Wait {
  const chance = Number.parseInt(sha256(token).slice(0, 8), 16) / 0xffffffff;
  const now = context.clock.now();
  const jitterMs = Math.min(ask.delayMs * JITTER, MOST_JITTER_MS) * chance;
  const until = new Date(now + Math.ceil(ask.delayMs + jitterMs)).toISOString();
  const { why, attempt, of, item, session } = ask;
  const begun: Wait = { schema: 1, why, attempt, of, since: new Date(now).toISOString(), until, item, session };
  context.io.replace(fileOf(context.workspaceDir, token), `${JSON.stringify(begun)}\n`);
  return begun;
}

/** null: it was never begun, or its record cannot be read; it then begins again. */
export const waitOf = (workspaceDir: string, token: string): Wait | null => read(fileOf(workspaceDir, token));

export const endWait = ({ workspaceDir, io }: Pick<RunContext, 'workspaceDir' | 'io'>, token: string): void => {
  const file = fileOf(workspaceDir, token);
  if (existsSync(file)) io.remove(file);
};

/** The wait is over. */
export const endWaits = ({ workspaceDir, io }: Pick<RunContext, 'workspaceDir' | 'io'>): void => {
  if (existsSync(folderIn(workspaceDir))) io.remove(folderIn(workspaceDir));
};

/** All that is waited for now, the next to end first. */
export function waitsIn(workspaceDir: string): readonly Wait[] {
  const folder = folderIn(workspaceDir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => read(join(folder, name)) ?? [])
    .sort((a, b) => a.until.localeCompare(b.until));
}

function read(file: string): Wait | null {
  try {
    return wait.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
