// How much a suite tries, and which seed its samples are drawn with.
//
// Both are fixed. `npm test` tries a sample that is the same in every run, HARNESS_EXHAUSTIVE=1 (`.ci/run`) tries far more of the
// same tables, and HARNESS_EXHAUSTIVE=whole (`npm run test:night`) tries everything. Only `npm run explore` draws other seeds; what
// it finds is kept in test/cases with its seed and replayed by `npm test`.

const effort = process.env['HARNESS_EXHAUSTIVE'];
export const IS_NIGHT = effort === 'whole';
export const IS_EXHAUSTIVE = effort === '1' || IS_NIGHT;

/** How much: in `npm test`, in CI, at night. */
export const amountOf = <T = number>(fast: T, inCi: T, atNight = inCi): T =>
  IS_NIGHT ? atNight : IS_EXHAUSTIVE ? inCi : fast;

/** Part of every test that samples: what the sample holds, and what the test may claim of it, follows from this number. */
export const FIXED_SEED = 1;
export const SEED = seedOf(process.env['HARNESS_SEED']);
/** A round of `npm run explore`: as much as `npm test` tries, with a seed of its own, and moments of real time on top. */
export const IS_EXPLORING = process.env['HARNESS_EXPLORE'] === '1';
/** One failure of an earlier run is replayed by its seed: only what that seed stands for runs. */
export const IS_REPLAY = process.env['HARNESS_SEED'] !== undefined && !IS_EXPLORING;

function seedOf(given: string | undefined): number {
  if (given === undefined) return FIXED_SEED;
  if (!/^\d{1,9}$/.test(given))
    throw new Error(`HARNESS_SEED must be a whole number below 1,000,000,000, not "${given}"`);
  return Number(given);
}

/** Pseudo-random numbers from 0 to below 1, the same for the same seed; `about` distinguishes the streams of one seed. */
export function chanceOf(seed: number, about = ''): () => number {
  let state = seed >>> 0;
  for (const char of about) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A sample of `fast` entries in their order, chosen by the seed; `inCi` of them (all by default) in CI, and all of them at night. */
export function sampleOf<T>(all: readonly T[], fast: number, inCi = Number.POSITIVE_INFINITY): readonly T[] {
  const count = amountOf(fast, inCi, all.length);
  if (count >= all.length) return all;
  const chance = chanceOf(SEED);
  const ranked = all.map((one, at) => ({ one, at, rank: chance() })).sort((a, b) => a.rank - b.rank);
  return ranked
    .slice(0, count)
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** The same for the rows of a `test.each`. A replay names the row that it runs, so it has to find every one of them. */
export const sampleOfRows: typeof sampleOf = (rows, ...counts) => (IS_REPLAY ? rows : sampleOf(rows, ...counts));
