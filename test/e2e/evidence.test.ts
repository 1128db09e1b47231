// Evidence through the program itself: what landed is proved, by whoever asks; what was tampered with is named.
import { describe, expect, test } from 'vitest';
import { expectExit, workshop } from './workshop.ts';

describe('evidence', () => {
  test('of two landed items holds', async () => {
    const repo = workshop();
    expectExit(await repo.harness('run', '--max-items', '2'), 0);
    const verified = await repo.harness('evidence', 'verify', '--all');
    console.log(verified.stdout, verified.stderr, repo.git('log', '--format=%B', '-2'), repo.git('for-each-ref'));
    const shown = await repo.harness('evidence', 'show', '1');
    console.log(shown.stdout, shown.stderr);
    console.log(
      repo.git('show', 'refs/harness/evidence/2:manifest.json'),
      repo.git('ls-tree', '-r', '--name-only', 'refs/harness/evidence/1'),
    );
    console.log(
      repo.git('show', 'refs/harness/evidence/2:agent.json'),
      repo.git('show', 'refs/harness/evidence/2:claim.json'),
    );
    expectExit(verified, 0);
  });
});
