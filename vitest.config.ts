// The layers of tests, one project each. `npm test` runs all but `providers` and `long`, which .ci/run adds, `agents` and
// `night` (docs/testing.md).
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { NIGHT } from './test/support/night.ts';

const layer = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, testTimeout: 60_000, hookTimeout: 60_000, ...more },
});

/** The layers with property tests. */
const PROPERTIES = { setupFiles: ['test/support/fixed-seed.ts'] };
const LONG = ['{test,src}/**/*.long.test.ts'];
export default defineConfig({
  test: {
    // For two cores: most of what tests wait for is done by programs that they start, so a third worker keeps both busy.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/empty-machine.ts'],
    projects: [
      layer('house', ['test/house/**/*.test.ts']),
      layer('unit', ['src/**/*.test.ts'], { ...PROPERTIES, exclude: LONG }),
      layer('contract', ['test/contract/**/*.test.ts'], { ...PROPERTIES, exclude: LONG }),
      layer('crash', ['test/crash/**/*.test.ts'], { testTimeout: 900_000, exclude: LONG }),
      layer('simulator', ['test/simulator/**/*.test.ts'], { testTimeout: 900_000, exclude: LONG }),
      layer('adversarial', ['test/adversarial/**/*.test.ts'], { testTimeout: 300_000 }),
      layer('cases', ['test/cases/**/*.test.ts'], { testTimeout: 900_000 }),
      layer('golden', ['test/golden/**/*.test.ts'], { testTimeout: 300_000 }),
      layer('providers', ['test/providers/*.test.ts'], { testTimeout: 300_000 }),
      layer('agents', ['test/agents/*.test.ts'], { testTimeout: 900_000 }),
      layer('e2e', ['test/e2e/**/*.test.ts'], { testTimeout: 300_000, exclude: LONG }),
      layer('long', LONG, { ...PROPERTIES, testTimeout: 900_000, exclude: NIGHT }),
      layer('night', NIGHT, { ...PROPERTIES, testTimeout: 900_000 }),
    ],
  },
});
