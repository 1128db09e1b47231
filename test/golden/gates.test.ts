import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGates } from '../../src/gates/store.ts';
import { realIo } from '../../src/host/io.ts';
import type { GateAsk } from '../../src/model/gate.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { golden, transcript } from './golden.ts';

const STUCK: GateAsk = {
  gate: 'escalation',
  subject: 'feature-stuck',
  item: '2',
  params: { item: '2', title: 'User can fill a cart', sessions: 3 },
  options: [{ id: 'split' }, { id: 'manual' }, { id: 'skip' }, { id: 'abort', danger: true }],
  recommended: 'split',
  evidence: ['.harness/evidence/5'],
};
const REVIEW: GateAsk = {
  gate: 'checkpoint',
  subject: 'verification-failed',
  item: '3',
  params: {},
  options: [{ id: 'accept' }, { id: 'reject' }],
  recommended: 'accept',
  evidence: [],
};

/** g-1 asks about #2, g-2 about #3. */
async function withGates(): Promise<Repo> {
  const repo = makeRepo();
  const clock = { now: () => 0, iso: () => '2026-01-02T03:04:05.000Z' };
  const gates = openGates({ dir: join(repo.privateDir, 'gates'), io: realIo(), clock });
  await gates.ask(STUCK, { key: 'stuck', epoch: 1 });
  await gates.ask(REVIEW, { key: 'review', epoch: 1 });
  return repo;
}

test('questions are listed, shown and answered once', async () => {
  const repo = await withGates();
  const calls = [
    'gates',
    'gates --json',
    'gates show feat',
    'status',
    'status --json',
    'items',
    'answer g-1 retry',
    'answer 1 SKIP -m "waits for the API"',
    'answer 1 abort',
    'gates',
    'gates --all',
    'gates show 1 --json',
  ];
  const seen = await transcript(repo, calls);
  expect(seen).toBe(golden('gates', seen));
});

test('approve takes what is recommended, reject wants a reason', async () => {
  const repo = await withGates();
  const calls = ['reject g-1 -m "no"', 'reject g-2', 'reject g-2 -m "not yet"', 'approve g-1 --json', 'approve g-9'];
  const seen = await transcript(repo, calls);
  expect(seen).toBe(golden('gates-approve', seen));
});

test('nothing to answer, no such question, unexpected fields', async () => {
  const repo = makeRepo();
  const calls = ['gates', 'gates --json', 'answer 4 yes', 'answer 4', 'gates show', 'answer g-1 yes --field a=b'];
  const seen = await transcript(repo, calls);
  expect(seen).toBe(golden('gates-none', seen));
});

test('a pile of answers at once leaves one', async () => {
  const repo = await withGates();
  const all = await Promise.all(['split', 'manual', 'skip'].map((option) => repo.harness('answer', 'g-1', option)));
  expect(all.map(({ code }) => code).sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual([0, 2, 2]);
});
