// A PATH with what a project needs and nothing that makes a sandbox: a machine without bubblewrap and namespaces.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Makes the folder below `top` and says its path. */
export function barePath(top: string): string {
  const folder = join(top, 'bin');
  mkdirSync(folder);
  symlinkSync(process.execPath, join(folder, 'node'));
  for (const name of ['git', 'sh', 'cat', 'grep', 'mkdir', 'rm', 'sleep'])
    symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(folder, name));
  return folder;
}
