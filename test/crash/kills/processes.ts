// The live processes that were started in a fixture project, recognised by its folder: in their environment, on their command line, or as
// their current folder. Also finds those that cleared their environment, by marks that the product does not know.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export function processesOf(top: string): readonly { readonly pid: number; readonly command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const command = text(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
      const environment = text(() => readFileSync(`/proc/${pid}/environ`, 'latin1'));
      const folder = text(() => readlinkSync(`/proc/${pid}/cwd`));
      // A zombie has none of them: it is dead, and only waits to be counted.
      const isOfProject = [command, environment, folder].some((one) => one.includes(top));
      return isOfProject ? [{ pid: Number(pid), command: command.replaceAll('\0', ' ').trim().slice(0, 200) }] : [];
    });
}

/**
 * `program`: it alone · `group`: with all that have not left its group; what it starts does, and runs on as an orphan ·
 * `everything`: those too, as when a container is stopped or a machine goes down. A git dies in the middle of its work then.
 */
export const KINDS = ['program', 'group', 'everything'] as const;
export type Kind = (typeof KINDS)[number];

/** `pid`: the program, which leads a process group. False: it had exited already, and nothing is killed. */
export function killProject(top: string, pid: number, kind: Kind): boolean {
  // The program itself may ask for this, so it is the last to be killed.
  const others = kind === 'everything' ? processesOf(top).filter((one) => one.pid !== pid) : [];
  for (const one of others) killOne(one.pid);
  return killOne(kind === 'program' ? pid : -pid);
}

function killOne(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false; // it has exited, and its parent may not know yet
  }
}

/** Empty for what is gone, or not ours to see. */
function text(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
