// The order in which the items of several lanes land: one after another, first come first served, except while an item has the turn. The file
// `landings.json` shows the order to people; it decides nothing.
import { join } from 'node:path';
import { z } from 'zod/mini';
import { settledOrAborted, type Alarm } from '../host/clock.ts';
import { readText } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import type { ItemId } from '../model/item.ts';
import type { LaneTrees, RunEvents } from './run-context.ts';

export type LandingQueue = Pick<LaneTrees, 'alone' | 'landing' | 'takeTurn' | 'tryTurn' | 'endTurn'>;

/**
 * In milliseconds. So long an item waits for the turn, in which it is proved once. Without the turn it is proved by itself, and again together with what
 * landed before it: where tests are quick, that keeps the processors busy for nothing; where they are slow, it saves the wait.
 */
const WORTH_MS = 10_000;

const fileOf = (workspaceDir: string): string => join(workspaceDir, 'landings.json');
const shownSchema = z.array(z.string());

/** The items that land or wait for it, the next one first. Only of a live run; unreadable: none. */
export function landingOrder(workspaceDir: string): readonly ItemId[] {
  const text = readText(fileOf(workspaceDir));
  if (!text.ok || text.value === null) return [];
  try {
    return shownSchema.safeParse(JSON.parse(text.value)).data ?? [];
  } catch {
    return [];
  }
}

export function openLandingQueue({
  workspaceDir,
  io,
  notify,
  alarm,
}: { readonly workspaceDir: string; readonly io: Io; readonly alarm: Alarm } & Pick<
  RunEvents,
  'notify'
>): LandingQueue {
  let last: Promise<unknown> = Promise.resolve();
  let turn: ItemId | null = null;
  const waiting: ItemId[] = [];
  /** Items that are proved as soon as they have the turn. */
  const unproved: ItemId[] = [];
  let changed = Promise.withResolvers<void>();
  const wake = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  let shown = '[]';
  io.remove(fileOf(workspaceDir)); // of a run that was killed
  const order = (): readonly ItemId[] => [...new Set([...(turn === null ? [] : [turn]), ...waiting, ...unproved])];
  const show = (): void => {
    const text = JSON.stringify(order());
    if (text === shown) return;
    shown = text;
    io.replace(fileOf(workspaceDir), `${text}\n`, 'may-be-lost');
  };
  const tellPlace = (item: ItemId): void => {
    const place = order().indexOf(item);
    if (place > 0)
      notify({ type: 'landing-waits', level: 'routine', item, data: { place, behind: order()[place - 1] ?? '' } });
  };
  const isOthers = (item: ItemId | null): boolean => turn !== null && turn !== item;
  const isTaken = (): boolean => turn !== null || waiting.length > 0;
  /** Another item may take the turn before this one is alone: then it waits again. */
  const inTurn = async <T>(item: ItemId | null, work: () => Promise<T>): Promise<T> => {
    while (isOthers(item)) await changed.promise;
    const done = await queue.alone(async () => (isOthers(item) ? null : { value: await work() }));
    return done === null ? inTurn(item, work) : done.value;
  };
  const queue: LandingQueue = {
    alone(work) {
      const next = last.then(work, work);
      last = next.catch(() => undefined);
      return next;
    },
    async landing(item, work) {
      if (item !== null) waiting.push(item);
      show();
      if (item !== null) tellPlace(item);
      try {
        return await inTurn(item, work);
      } finally {
        if (item !== null) waiting.splice(waiting.indexOf(item), 1);
        show();
        wake();
      }
    },
    async takeTurn(item) {
      while (isOthers(item)) await changed.promise;
      turn = item;
      show();
      // A landing that had begun before ends first.
      await queue.alone(() => Promise.resolve());
    },
    async tryTurn(item, signal) {
      let isLate = false;
      const cancel = alarm(WORTH_MS, () => {
        isLate = true;
        wake();
      });
      unproved.push(item);
      show();
      tellPlace(item);
      try {
        // What is proved already lands first.
        while (isTaken()) {
          if (turn === item || isLate || signal.aborted) return false;
          await settledOrAborted(changed.promise, signal);
        }
        turn = item;
      } finally {
        cancel();
        unproved.splice(unproved.indexOf(item), 1);
        show();
      }
      // What another one does alone at the moment ends first.
      await queue.alone(() => Promise.resolve());
      return true;
    },
    endTurn(item) {
      if (turn !== item) return;
      turn = null;
      show();
      wake();
    },
  };
  return queue;
}
