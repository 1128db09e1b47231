// Mailboxes: what is posted reaches the branches, a pause also those that come later; nothing is forgotten too early.
import { expect, test, describe } from 'vitest';
import { openBell } from './wakeup.ts';
import { createMailbox, type Mailbox } from './message-queue.ts';
import type { External } from './types.ts';

const pause: External = { type: 'pause' };
const message: External = { type: 'message', id: 'm1', body: null };
const taken = (box: Mailbox): External[] => {
  const all: External[] = [];
  for (let letter = box.take(); letter; letter = box.take()) all.push(letter.event);
  return all;
};

describe('a mailbox', () => {
  test('hands out what was posted in order, once', () => {
    const box = createMailbox();
    box.post(message);
    box.post(pause);
    expect(taken(box)).toEqual([message, pause]);
    expect(taken(box)).toEqual([]);
  });

  test('reaches its branches and theirs, until they are closed', () => {
    const box = createMailbox();
    const branch = box.branch();
    const twig = branch.branch();
    box.post(message);
    branch.close();
    box.post(pause);
    expect([taken(box), taken(branch), taken(twig)]).toEqual([[message, pause], [message], [message]]);
  });

  test('keeps what is posted to a branch from the others', () => {
    const box = createMailbox();
    const [one, two] = [box.branch(), box.branch()];
    one.post(pause);
    expect([taken(box), taken(one), taken(two)]).toEqual([[], [pause], []]);
  });

  test('lets a pause hold for a branch that comes after it: an item that begins late is paused too', () => {
    const box = createMailbox();
    box.post(message);
    box.post(pause);
    box.post(pause);
    expect(taken(box.branch())).toEqual([pause]);
    expect(taken(box.branch().branch())).toEqual([pause]);
  });

  test('tells the sender only when the taker says that it is durable, and a branch tells nobody', () => {
    const box = createMailbox();
    const branch = box.branch();
    let forgotten = 0;
    box.post(message, () => (forgotten += 1));
    branch.take()?.stored();
    const letter = box.take();
    expect(forgotten).toBe(0);
    letter?.stored();
    expect(forgotten).toBe(1);
  });

  test('wakes the newest listener alone', () => {
    const box = createMailbox();
    const woken: string[] = [];
    box.listen(() => woken.push('old'));
    box.listen(() => woken.push('new'));
    box.post(pause);
    expect(woken).toEqual(['new']);
  });
});

test('a bell that was rung while nobody waited wakes the next one, once', async () => {
  const bell = openBell();
  bell.ring();
  bell.ring();
  await bell.wait();
  let isAwake = false;
  const waiting = bell.wait().then(() => (isAwake = true));
  await Promise.resolve();
  expect(isAwake).toBe(false);
  bell.ring();
  await waiting;
  expect(isAwake).toBe(true);
});
