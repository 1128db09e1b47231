import { expect, test } from 'vitest';
import { RECOVERY_TABLE, recoveryFor } from './recovery.ts';

const BOTH = [false, true];

test('whatever is found, exactly one row of the table fits', () => {
  for (const uncommitted of BOTH)
    for (const commits of BOTH)
      for (const checkpoints of BOTH) {
        const found = { uncommitted, commits, checkpoints };
        const fits = RECOVERY_TABLE.filter(
          (row) =>
            row.uncommitted === uncommitted &&
            row.commits === commits &&
            (row.checkpoints === 'any' || row.checkpoints === checkpoints),
        );
        expect([found, fits.length]).toEqual([found, 1]);
        expect(recoveryFor(found)).toBe(fits[0]?.action);
      }
});

test('nothing at all is no progress; changes are committed only before or after a command that passes', () => {
  const none = { uncommitted: false, commits: false, checkpoints: false };
  expect(recoveryFor(none)).toEqual({ do: 'no-progress' });
  expect(recoveryFor({ ...none, checkpoints: true })).toEqual({ do: 'compare' });
  expect(recoveryFor({ ...none, commits: true })).toEqual({ do: 'validate', commit: 'nothing' });
  expect(recoveryFor({ ...none, uncommitted: true })).toEqual({ do: 'validate', commit: 'after' });
  expect(recoveryFor({ ...none, uncommitted: true, commits: true })).toEqual({ do: 'validate', commit: 'before' });
});
