// The order of landings: one after another, shown to people, with a turn that others wait for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { realIo } from '../host/io.ts';
import { landingOrder, openLandingQueue } from './landing-queue.ts';

function opened() {
  const workspaceDir = mkdtempSync(join(tmpdir(), 'landings-'));
  onTestFinished(() => rmSync(workspaceDir, { recursive: true }));
  const said: unknown[] = [];
  const queue = openLandingQueue({
    workspaceDir,
    io: realIo(),
    notify: ({ item, data }) => void said.push([item, data]),
  });
  return { queue, said, order: () => landingOrder(workspaceDir) };
}

test('items land in the order in which they came, each after the one before; the order is shown until they have landed', async () => {
  const { queue, said, order } = opened();
  const gates = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const landed: string[] = [];
  const all = ['a', 'b', 'c'].map((item, n) =>
    queue.landing(item, async () => {
      await gates[n]?.promise;
      landed.push(item);
    }),
  );
  expect(order()).toEqual(['a', 'b', 'c']);
  expect(said).toEqual([
    ['b', { place: 1, behind: 'a' }],
    ['c', { place: 2, behind: 'b' }],
  ]);
  for (const gate of gates.toReversed()) gate.resolve();
  await all[0];
  expect(landed).toEqual(['a']);
  await Promise.all(all);
  expect([landed, order()]).toEqual([['a', 'b', 'c'], []]);
});

test('an item that has the turn is first, whatever came before it, and a landing that fails holds no one up', async () => {
  const { queue, order } = opened();
  await queue.takeTurn('late');
  const early = queue.landing('early', () => Promise.reject(new Error('it failed')));
  expect(order()).toEqual(['late', 'early']);
  await queue.landing('late', () => Promise.resolve());
  queue.endTurn('late');
  await expect(early).rejects.toThrow('it failed');
  await queue.landing('next', () => Promise.resolve());
  expect(order()).toEqual([]);
});
