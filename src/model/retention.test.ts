import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ATTEMPTS_KEPT, CHECKPOINTS_KEPT, INNER_KEPT, outlived, TURNS_KEPT } from './retention.ts';

const NOW = Date.parse('2026-06-01T00:00:00.000Z');
const DAY = 86_400_000;
const ages = fc.array(fc.oneof(fc.integer({ min: -1, max: 400 * DAY }), fc.constant(Number.NaN)), { maxLength: 60 });

test.each([
  ['attempts', ATTEMPTS_KEPT],
  ['checkpoints', CHECKPOINTS_KEPT],
  ['turns', TURNS_KEPT],
  ['inner repositories', INNER_KEPT],
])('of %s the newest never go, nor what is young, nor what has no date; all the rest goes', (_, rule) => {
  fc.assert(
    fc.property(ages, (given) => {
      const group = given.map((age) => ({ atMs: NOW - age }));
      const gone = new Set(outlived(group, rule, NOW));
      const kept = group.filter((one) => !gone.has(one));
      for (const one of gone) expect(NOW - one.atMs).toBeGreaterThan(rule.days * DAY);
      // As many newer ones stay as the rule says, for each that goes.
      for (const one of gone)
        expect(kept.filter((other) => other.atMs >= one.atMs).length).toBeGreaterThanOrEqual(rule.newest);
      const oldAndKept = kept.filter((one) => NOW - one.atMs > rule.days * DAY);
      expect(oldAndKept.length).toBeLessThanOrEqual(rule.newest);
    }),
  );
});
