// What is left of a turn, and of one that was cut; what a session cost.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { turn } from '../../../test/support/outcomes.ts';
import { realIo } from '../../host/io.ts';
import { cutUsages, heardCost, readTurn, setAside, writeTurn } from './results.ts';

let dir = '';
const io = realIo();
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'results-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('a turn that was cut has no outcome any more, but what it used is counted, once', () => {
  const cut = turn({ end: 'aborted' });
  writeTurn(io, dir, 1, cut);
  setAside(io, dir, 1);
  expect([readTurn(dir, 1), cutUsages(dir)]).toEqual([null, [cut.usage]]);
  writeTurn(io, dir, 1, cut); // the death came between the two
  setAside(io, dir, 1);
  setAside(io, dir, 1);
  expect(cutUsages(dir)).toEqual([cut.usage]);
});

test('a turn without an outcome leaves nothing to count', () => {
  setAside(io, dir, 3);
  expect(cutUsages(dir)).toEqual([]);
});

test('what a session cost is the sum of what was heard of it, turns that were cut included', () => {
  const cost = (resume: string, costUsd: number | null, ms: number) =>
    turn({ resume, ms, usage: { ...turn({}).usage, costUsd } });
  writeTurn(io, dir, 1, cost('mine', 0.25, 1));
  writeTurn(io, dir, 2, { ...cost('mine', 0.5, 2), end: 'aborted' });
  setAside(io, dir, 2);
  writeTurn(io, dir, 3, cost('another', 4, 3));
  expect([heardCost(dir, 'mine'), heardCost(dir, 'another'), heardCost(dir, 'nobody')]).toEqual([0.75, 4, 0]);
  writeTurn(io, dir, 4, cost('mine', null, 4));
  expect(heardCost(dir, 'mine')).toBe(null);
});
