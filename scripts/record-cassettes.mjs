// Records test/fixtures/cassettes anew with the real programs of providers: node scripts/record-cassettes.mjs
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const tests = join(import.meta.dirname, 'test-providers.mjs');
const env = { ...process.env, HARNESS_RECORD: '1' };
const run = spawnSync(process.execPath, [tests, '--required', 'test/providers/replay.test.ts'], {
  env,
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
