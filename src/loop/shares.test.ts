// Shares of the project's budget: together never more than what is left, and none is begun that is not worth it.
import { expect, test } from 'vitest';
import { NO_AMOUNTS } from '../model/budget.ts';
import { openShares } from './shares.ts';

const usd = (amount: number) => ({ ...NO_AMOUNTS, usd: amount });
const never = new AbortController().signal;

test('a lane does not count its own share, and one that a crash cut counts without being open', () => {
  const shares = openShares();
  shares.take(1, { item: 'a', amounts: usd(1), isOpen: true });
  shares.take(2, { item: 'b', amounts: usd(2), isOpen: true });
  shares.take(3, { item: 'c', amounts: usd(4), isOpen: false });
  expect(shares.others(1)).toEqual({ amounts: usd(6), items: ['b', 'c'], open: 1 });
  shares.take(2, { item: 'b', amounts: usd(3), isOpen: true });
  expect(shares.others(4)).toEqual({ amounts: usd(8), items: ['a', 'b', 'c'], open: 2 });
  shares.release(2);
  expect(shares.others(1).amounts).toEqual(usd(4));
});

test('of a closed session only what it used is taken, until that is recorded', () => {
  const shares = openShares();
  shares.close(1, usd(9));
  shares.take(1, { item: 'a', amounts: usd(5), isOpen: true });
  shares.close(1, usd(2));
  expect(shares.others(2)).toEqual({ amounts: usd(2), items: ['a'], open: 0 });
  shares.release(1);
  expect(shares.others(2).amounts).toEqual(NO_AMOUNTS);
});

test('who waits is woken by each release, and by a stop', async () => {
  const shares = openShares();
  shares.take(1, { item: 'a', amounts: usd(1), isOpen: true });
  const waits = shares.released(never);
  shares.release(2);
  shares.release(1);
  await waits;
  const stop = new AbortController();
  const stopped = shares.released(stop.signal);
  stop.abort();
  await stopped;
});
