// Which program an `acp` agent is: what the command names, from PATH, else the one that `harness agents add` installed.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { wholeEnvironment, type Variables } from '../../host/environment.ts';
import type { AgentConfig } from '../../model/config.ts';
import { addedProgram } from '../added.ts';

/** `folders`: what a box must show of it beside the command's own files. null: there is no such program. */
export type AcpProgram = { readonly argv: readonly string[]; readonly folders: readonly string[] };

export function acpProgram(agent: Pick<AgentConfig, 'command' | 'env'>, env: Variables = {}): AcpProgram | null {
  const [program = '', ...args] = agent.command;
  const path = agent.env['PATH'] ?? env['PATH'] ?? wholeEnvironment()['PATH'] ?? '';
  if (program.includes('/') || programOnPath(program, path) !== null) return { argv: agent.command, folders: [] };
  const added = addedProgram(program);
  return added === null ? null : { argv: [...added.argv, ...args], folders: [added.folder] };
}

export function programOnPath(program: string, path: string): string | null {
  for (const folder of path.split(delimiter)) {
    const file = join(folder === '' ? '.' : folder, program);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      continue; // not here
    }
  }
  return null;
}
