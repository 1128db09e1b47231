// Which adapter reads which runner. A runner without one is judged by its exit code alone, and said to be.
import type { RunnerName } from '../../model/config.ts';
import { cargo } from './cargo.ts';
import { go } from './go.ts';
import { jest } from './jest.ts';
import { junit } from './junit.ts';
import { mocha } from './mocha.ts';
import { node } from './node.ts';
import type { Adapter } from './port.ts';
import { pytest } from './pytest.ts';
import { tap } from './tap.ts';
import { vitest } from './vitest.ts';

const ADAPTERS: { readonly [R in RunnerName]: Adapter | null } = {
  node,
  vitest,
  pytest,
  junit,
  tap,
  jest,
  mocha,
  go,
  cargo,
  command: null,
};

/** null: there is no per-test report for this runner, the exit code is all there is. */
export const adapterFor = (runner: RunnerName | null): Adapter | null => (runner === null ? null : ADAPTERS[runner]);
