// Keeps the memory of this process small: V8 lets its young generation grow to 128 MB, most of it objects that are not used any more. A run
// with 10,000 items needs 280 MB instead of 400 MB, and starts its programs sooner, since a fork copies the page tables.
//
// A start flag (--max-semi-space-size) says the same, but `#!/usr/bin/env node` can pass none everywhere. The flag that is set here is read
// each time the young generation would grow, and has no other effect.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Smaller ones cost more processor time than they save memory. */
const ENOUGH_BYTES = 8 * 2 ** 20;

/** Lets it grow until it is large enough, looking after garbage collections alone. Never keeps the process alive. */
export function limitYoungGeneration(): void {
  const collections = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    if (young !== undefined && young.space_size < ENOUGH_BYTES) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    collections.disconnect();
  });
  collections.observe({ entryTypes: ['gc'] });
}
