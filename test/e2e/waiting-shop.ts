// A shop whose first item waits for a person who looks at it, beside two that need no one.
import { expect } from 'vitest';
import { session, work, workshop, type Steps, type Workshop } from './workshop.ts';

const items = (...more: readonly object[]): string =>
  JSON.stringify({
    features: [
      {
        id: 1,
        category: 'bench',
        description: 'A bench looks right',
        test_file: 'tests/bench.test',
        verification_type: 'hybrid',
        manual_checks: ['It stands level'],
        passes: false,
      },
      { id: 2, category: 'bench', description: 'A saw hangs', test_file: 'tests/saw.test', passes: false },
      { id: 3, category: 'wood', description: 'A board is cut', test_file: 'tests/board.test', passes: false },
      ...more,
    ],
  });
export const shopOf = (first: Steps = work(1), config = ''): Workshop =>
  workshop({
    config: `verification: { fix_turns: 0 }\n${config}`,
    files: { 'features.json': items() },
    sessions: [session(1, ...first), session(2, ...work(2)), session(3, ...work(3))],
  });
export const parkedRefs = (shop: Workshop): string =>
  shop.git('for-each-ref', '--format=%(refname)', 'refs/harness/parked');
/** The branch has everything, and nothing of the waiting is left. */
export async function expectWhole(shop: Workshop): Promise<void> {
  expect([parkedRefs(shop), shop.git('status', '--porcelain'), shop.processes()]).toEqual(['', '', []]);
  const all = await shop.harness('evidence', 'verify', '--all', '--json');
  expect(all.json()).toMatchObject({ holds: true });
}
