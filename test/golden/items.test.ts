import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { FEATURES, makeRepo, PROGRAM } from '../support/repo.ts';
import { golden, transcript } from './golden.ts';

const DECIDED = JSON.stringify({
  features: [
    { id: 1, description: 'Open\nthe \u001b[31mshop', passes: true, priority: 2, override: override() },
    { id: 2, description: 'Sell', passes: false, skipped: { reason: 'no contract yet', unblock: false } },
    { id: 3, description: 'Ship', passes: false, depends_on: [1, 2] },
    { id: 4, description: 'Pay', passes: false, depends_on: [1], verification_steps: ['Open it', 'Pay'] },
    { id: 5, description: 'Return', passes: false, failing: { reason: 'found failing in session 7' } },
    { id: 12, description: 'Print an invoice', passes: false, depends_on: [4, 5] },
  ],
});
function override() {
  return { passes: true, reason: 'seen by eye', by: 'Ada', at: '2026-01-02T03:04:05.000Z' };
}

test('the list and one of it, for people and for programs', async () => {
  const repo = makeRepo({ 'features.json': DECIDED });
  repo.write(
    '.harness/sessions/7/session.json',
    JSON.stringify({
      session_id: 7,
      feature_id: 4,
      feature_completed: false,
      result: 'failed',
      reason: 'verification-failed',
      evidence: '.git/harness/evidence/7-turn-1',
    }),
  );
  repo.write(
    '.harness/costs.yaml',
    'cumulative: { total_cost_usd: 0.5, by_feature: [{ feature_id: 4, cost_usd: 0.5, sessions: 1 }] }\n',
  );
  const calls = ['items', 'items ls --json', 'items show 4', 'items show #1', 'items 12', 'items show 3 --json'];
  const seen = await transcript(repo, calls);
  expect(seen).toBe(golden('items', seen));
});

test('an item that is not there is an error that names a near one', async () => {
  const repo = makeRepo({ 'features.json': DECIDED });
  const calls = ['items show 13', 'items show invoice', 'items show', 'items show 1 2', 'items show 99 --json'];
  const seen = await transcript(repo, calls);
  expect(seen).toBe(golden('items-unknown', seen));
});

test('no items, and a list that is broken', async () => {
  const repo = makeRepo({ 'features.json': '{ "features": [] }' });
  const none = await transcript(repo, ['items', 'items --json']);
  repo.write('features.json', FEATURES.replace('"depends_on": [2]', '"depends_on": [22]'));
  const seen = `${none}\n${await transcript(repo, ['items'])}`;
  expect(seen).toBe(golden('items-none', seen));
});

test('a reader that goes away is no error', () => {
  const features = Array.from({ length: 5_000 }, (_, i) => ({ id: i + 1, description: `Thing ${i}`, passes: false }));
  const repo = makeRepo({ 'features.json': JSON.stringify({ features }) });
  const line = `"${process.execPath}" "${PROGRAM}" items | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const out = execFileSync('bash', ['-c', line], {
    cwd: repo.root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(out).toBe('#1     ready  Thing 0\n0\n');
});

test('colours are for terminals, or for those who ask', async () => {
  const repo = makeRepo();
  expect((await repo.harness('items')).stdout).not.toContain('\u001b[');
  expect((await repo.harness('items', '--color', 'always')).stdout).toContain('\u001b[32mlanded');
});
