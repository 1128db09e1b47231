// The rungs of the sandbox ladder that really hold on this machine; of the others it is said aloud that nothing was tried.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LEVELS, type BoxLevel } from '../../src/host/sandbox/level.ts';
import { probeLevel } from '../../src/host/sandbox/probe.ts';

export async function heldLevels(): Promise<ReadonlySet<BoxLevel>> {
  const held = new Set<BoxLevel>();
  // A folder of its own: below the root no program is looked for, and one may lie in the temporary folder.
  const root = mkdtempSync(join(tmpdir(), 'levels-'));
  for (const level of LEVELS) {
    const { holds, hindrance, words } = await probeLevel(level, root);
    if (holds) held.add(level);
    else process.stderr.write(`\nSKIPPED: nothing is tried at level ${level}: ${hindrance} ${words}\n`);
  }
  rmSync(root, { recursive: true });
  return held;
}
