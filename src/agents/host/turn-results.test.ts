// The stored outcomes of turns, and of turns that were cut; what a session cost.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { turn } from '../../../test/support/outcomes.ts';
import { realIo } from '../../host/io.ts';
import { cutTurns, discardCutTurn, knownCost, readTurn, writeTurn } from './turn-results.ts';

let dir = '';
const io = realIo();
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'results-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('a discarded turn has no outcome, but what it used is counted once', () => {
  const cut = turn({ end: 'aborted' });
  writeTurn(io, dir, 1, cut);
  discardCutTurn(io, dir, 1);
  expect([readTurn(dir, 1), cutTurns(dir)]).toMatchObject([null, [{ usage: cut.usage, ms: cut.ms }]]);
  writeTurn(io, dir, 1, cut); // a crash between the two steps
  discardCutTurn(io, dir, 1);
  discardCutTurn(io, dir, 1);
  expect(cutTurns(dir)).toHaveLength(1);
});

test('a turn without an outcome leaves nothing to count', () => {
  discardCutTurn(io, dir, 3);
  expect(cutTurns(dir)).toEqual([]);
});

test('the cost of a session is the sum over its known turns, including those that were cut', () => {
  const cost = (resume: string, costUsd: number | null, ms: number) =>
    turn({ resume, ms, usage: { ...turn({}).usage, costUsd } });
  writeTurn(io, dir, 1, cost('mine', 0.25, 1));
  writeTurn(io, dir, 2, { ...cost('mine', 0.5, 2), end: 'aborted' });
  discardCutTurn(io, dir, 2);
  writeTurn(io, dir, 3, cost('another', 4, 3));
  expect([knownCost(dir, 'mine'), knownCost(dir, 'another'), knownCost(dir, 'unknown')]).toEqual([0.75, 4, 0]);
  writeTurn(io, dir, 4, cost('mine', null, 4));
  expect(knownCost(dir, 'mine')).toBe(null);
});
