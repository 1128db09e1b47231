// `.harness/` ignores itself, so that no commit ever holds it, whatever the target's .gitignore says.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Io } from '../../host/io.ts';

export function ignoreStateFolder(io: Io, stateDir: string): void {
  const file = join(stateDir, '.gitignore');
  if (!existsSync(file)) io.replace(file, '*\n');
}
