// How much is tried: a sample by chance in the fast suite (the seed is in the names of the tests: HARNESS_SEED brings it back),
// everything with HARNESS_EXHAUSTIVE=1, and with HARNESS_EXHAUSTIVE=whole what takes a night.

export const EFFORT = process.env['HARNESS_EXHAUSTIVE'];
export const IS_EXHAUSTIVE = EFFORT === '1' || EFFORT === 'whole';
export const SEED = Number(process.env['HARNESS_SEED'] ?? Date.now() % 1_000_000);
/** Somebody brings back what a run with this seed has found. */
export const IS_REPLAY = process.env['HARNESS_SEED'] !== undefined;

/** Numbers from 0 to below 1, the same for the same seed. */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** So many by chance, in their order; in CI all of them or `inCi`, and all of them at night. */
export function sampleOf<T>(all: readonly T[], fast: number, inCi = Number.POSITIVE_INFINITY): readonly T[] {
  const count = EFFORT === 'whole' ? all.length : IS_EXHAUSTIVE ? inCi : fast;
  if (count >= all.length) return all;
  const chance = chanceOf(SEED);
  const ranked = all.map((one, at) => ({ one, at, rank: chance() })).sort((a, b) => a.rank - b.rank);
  return ranked
    .slice(0, count)
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** For the name of a test that tries a sample. */
export const SAMPLED = IS_EXHAUSTIVE ? 'all' : `seed ${SEED}`;
