// Message queues: what is posted reaches the branches, a pause also those that come later; nothing is forgotten too early.
import { expect, test, describe } from 'vitest';
import { createWakeup, createMessageQueue, type MessageQueue } from './message-queue.ts';
import type { External } from './types.ts';

const pause: External = { type: 'pause' };
const message: External = { type: 'message', id: 'm1', body: null };
const taken = (queue: MessageQueue): External[] => {
  const all: External[] = [];
  for (let next = queue.take(); next; next = queue.take()) all.push(next.event);
  return all;
};

describe('a message queue', () => {
  test('hands out what was posted in order, once', () => {
    const queue = createMessageQueue();
    queue.post(message);
    queue.post(pause);
    expect(taken(queue)).toEqual([message, pause]);
    expect(taken(queue)).toEqual([]);
  });

  test('reaches its branches and theirs, until they are closed', () => {
    const queue = createMessageQueue();
    const branch = queue.branch();
    const twig = branch.branch();
    queue.post(message);
    branch.close();
    queue.post(pause);
    expect([taken(queue), taken(branch), taken(twig)]).toEqual([[message, pause], [message], [message]]);
  });

  test('keeps what is posted to a branch from the others', () => {
    const queue = createMessageQueue();
    const [one, two] = [queue.branch(), queue.branch()];
    one.post(pause);
    expect([taken(queue), taken(one), taken(two)]).toEqual([[], [pause], []]);
  });

  test('lets a pause hold for a branch that comes after it: an item that begins late is paused too', () => {
    const queue = createMessageQueue();
    queue.post(message);
    queue.post(pause);
    queue.post(pause);
    expect(taken(queue.branch())).toEqual([pause]);
    expect(taken(queue.branch().branch())).toEqual([pause]);
  });

  test('notifies the sender once the message is durable, and a branch notifies no one', () => {
    const queue = createMessageQueue();
    const branch = queue.branch();
    let forgotten = 0;
    queue.post(message, () => (forgotten += 1));
    branch.take()?.stored();
    const received = queue.take();
    expect(forgotten).toBe(0);
    received?.stored();
    expect(forgotten).toBe(1);
  });

  test('wakes the newest listener alone', () => {
    const queue = createMessageQueue();
    const woken: string[] = [];
    queue.listen(() => woken.push('old'));
    queue.listen(() => woken.push('new'));
    queue.post(pause);
    expect(woken).toEqual(['new']);
  });
});

test('a wakeup given while no one waits ends the next wait, once', async () => {
  const wakeup = createWakeup();
  wakeup.wake();
  wakeup.wake();
  await wakeup.wait();
  let isAwake = false;
  const waiting = wakeup.wait().then(() => (isAwake = true));
  await Promise.resolve();
  expect(isAwake).toBe(false);
  wakeup.wake();
  await waiting;
  expect(isAwake).toBe(true);
});

test('a message to one branch by its name reaches that branch alone', () => {
  const queue = createMessageQueue();
  const [one, two] = [queue.branch('one'), queue.branch('two')];
  expect(queue.postTo('one', { type: 'pause' })).toBe(true);
  expect([one.take()?.event, two.take(), queue.take(), queue.branch('later').take()]).toEqual([
    { type: 'pause' },
    undefined,
    undefined,
    undefined,
  ]);
  one.close();
  expect(queue.postTo('one', { type: 'pause' })).toBe(false);
});
