// The agents that `harness agents add` installed: a folder each in the user's data folder, never in a repository. What an agent may have
// written must not run as ours. A folder counts once it has its receipt, the last file that is written.
import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { readEnvironment } from '../host/environment.ts';
import { KNOWN_AGENTS } from './known.ts';

const receiptSchema = z.object({ schema: z.literal(1), name: z.string(), package: z.string(), version: z.string() });
export type Receipt = Readonly<z.infer<typeof receiptSchema>>;

/** Where this agent is added; null: the user has no home. */
export function addedFolder(name: string): string | null {
  const { agentsDir } = readEnvironment();
  return agentsDir === null ? null : join(agentsDir, name);
}

export const receiptFile = (folder: string): string => join(folder, 'harness-agent.json');

/** null: it was not added, or not to its end. */
export function receiptOf(name: string): (Receipt & { readonly folder: string }) | null {
  const folder = addedFolder(name);
  if (folder === null) return null;
  try {
    return { ...receiptSchema.parse(JSON.parse(readFileSync(receiptFile(folder), 'utf8'))), folder };
  } catch {
    return null;
  }
}

/** The folders in which packages of providers may be found. */
export const addedFolders = (): readonly string[] => KNOWN_AGENTS.flatMap(({ name }) => receiptOf(name)?.folder ?? []);

/** The added program of this name. A script of Node starts with our Node, which is new enough for it. */
export function addedProgram(program: string): { readonly argv: readonly string[]; readonly folder: string } | null {
  for (const { name, command } of KNOWN_AGENTS) {
    if (command[0] !== program) continue;
    const folder = receiptOf(name)?.folder;
    const link = folder === undefined ? '' : join(folder, 'node_modules', '.bin', program);
    if (folder === undefined || !existsSync(link)) continue;
    const file = realpathSync(link);
    return { argv: isNodeScript(file) ? [process.execPath, file] : [file], folder };
  }
  return null;
}

function isNodeScript(file: string): boolean {
  const start = Buffer.alloc(80);
  const open = openSync(file, 'r');
  try {
    readSync(open, start);
  } finally {
    closeSync(open);
  }
  return /^#![^\n]*\bnode\b/.test(start.toString('latin1'));
}
