// How much of the input of a mission with the real Claude program could come from a cache: the test that measures it, at its largest.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** It prints the shares. The exit code of the test. */
export function measurePrefixes(): number {
  const args = ['--required', 'test/providers/mission.test.ts', '-t', 'what comes before the session'];
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/test-providers.mjs'), ...args], {
    cwd: ROOT,
    env: { ...process.env, HARNESS_EXHAUSTIVE: 'whole' },
    stdio: 'inherit',
  });
  return status ?? 1;
}
