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
  const alarms = new Set<() => void>();
  const isLate = (): void => alarms.forEach((ring) => ring());
  const queue = openLandingQueue({
    workspaceDir,
    io: realIo(),
    notify: ({ item, data }) => void said.push([item, data]),
    alarm(_, ring) {
      alarms.add(ring);
      return () => void alarms.delete(ring);
    },
  });
  return { queue, said, isLate, order: () => landingOrder(workspaceDir) };
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
  expect(landed[0]).toBe('a');
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

test.each([0, 1, 2, 3, 4])(
  'an item has the turn when no landing of another is under way, and none begins until it ends (%i)',
  async (pause) => {
    const { queue } = opened();
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    const other = queue.landing('other', async () => {
      log.push('begins');
      await gate.promise;
      log.push('lands');
    });
    // It asks for the turn at any moment of the other's way.
    for (let n = 0; n < pause; n += 1) await Promise.resolve();
    const turn = queue.takeTurn('late').then(() => log.push('turn'));
    for (let n = 0; n < 20; n += 1) await Promise.resolve();
    const began = log.includes('begins');
    expect(log).toEqual(began ? ['begins'] : ['turn']);
    gate.resolve();
    if (began) await other;
    await turn;
    queue.endTurn('late');
    await other;
    expect(log).toEqual(began ? ['begins', 'lands', 'turn'] : ['turn', 'begins', 'lands']);
  },
);

const { signal } = new AbortController();

test('an item takes the turn when what is proved already has landed and no other has it; it is shown behind them', async () => {
  const { queue, said, order } = opened();
  expect(await queue.tryTurn('first', signal)).toBe(true);
  const log: string[] = [];
  const landings = ['proved', 'first'].map((item) => queue.landing(item, async () => void log.push(`${item} lands`)));
  const turns = ['second', 'third'].map(async (item) => {
    log.push(`${item} ${await queue.tryTurn(item, signal)}`);
    await queue.landing(item, async () => void log.push(`${item} lands`));
    queue.endTurn(item);
  });
  expect(order()).toEqual(['first', 'proved', 'second', 'third']);
  expect(said).toContainEqual(['third', { place: 3, behind: 'second' }]);
  await landings[1];
  expect(log).toEqual(['first lands']);
  queue.endTurn('first');
  await Promise.all([...landings, ...turns]);
  expect(log).toEqual(['first lands', 'proved lands', 'second true', 'second lands', 'third true', 'third lands']);
  expect(order()).toEqual([]);
});

test('an item that waits too long for the turn, that is stopped, or that has it already, does not take it', async () => {
  const { queue, isLate, order } = opened();
  await queue.takeTurn('first');
  expect(await queue.tryTurn('first', signal)).toBe(false);
  const stop = new AbortController();
  const [late, stopped] = [queue.tryTurn('late', signal), queue.tryTurn('stopped', stop.signal)];
  stop.abort();
  expect(await stopped).toBe(false);
  expect(order()).toEqual(['first', 'late']);
  isLate();
  expect([await late, order()]).toEqual([false, ['first']]);
  queue.endTurn('first');
  expect(await queue.tryTurn('next', signal)).toBe(true);
});
