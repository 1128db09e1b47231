// Who is alive that was started in a shop, by the folder that all of them live in: it stands in their environment or on their
// command line, or they are in it. Sees those too that cleared their environment, and marks that the product knows nothing of.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export function processesOf(top: string): readonly { readonly pid: number; readonly command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const command = text(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
      const environment = text(() => readFileSync(`/proc/${pid}/environ`, 'latin1'));
      const folder = text(() => readlinkSync(`/proc/${pid}/cwd`));
      // A zombie has none of them: it is dead, and only waits to be counted.
      const isOfShop = [command, environment, folder].some((one) => one.includes(top));
      return isOfShop ? [{ pid: Number(pid), command: command.replaceAll('\0', ' ').trim().slice(0, 200) }] : [];
    });
}

/** Empty for what is gone, or not ours to see. */
function text(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
