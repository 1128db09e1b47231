// The order in which the items of several lanes land: one after another, first come first served, except while an item has the turn. The file
// `landings.json` shows the order to people; it decides nothing.
import { join } from 'node:path';
import { z } from 'zod/mini';
import { readText } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import type { ItemId } from '../model/item.ts';
import type { LaneTrees, RunEvents } from './run-context.ts';

export type LandingQueue = Pick<LaneTrees, 'alone' | 'landing' | 'takeTurn' | 'endTurn'>;

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
}: { readonly workspaceDir: string; readonly io: Io } & Pick<RunEvents, 'notify'>): LandingQueue {
  let last: Promise<unknown> = Promise.resolve();
  let turn: { readonly item: ItemId; readonly ended: PromiseWithResolvers<void> } | null = null;
  const waiting: ItemId[] = [];
  let shown = '[]';
  io.remove(fileOf(workspaceDir)); // of a run that was killed
  const order = (): readonly ItemId[] =>
    turn === null ? waiting : [turn.item, ...waiting.filter((item) => item !== turn?.item)];
  const show = (): void => {
    const text = JSON.stringify(order());
    if (text === shown) return;
    shown = text;
    io.replace(fileOf(workspaceDir), `${text}\n`, 'may-be-lost');
  };
  const isOthers = (item: ItemId | null): boolean => turn !== null && turn.item !== item;
  /** Resolves when no other item has the turn. */
  const othersEnded = async (item: ItemId | null): Promise<void> => {
    if (!isOthers(item)) return;
    await turn?.ended.promise;
    await othersEnded(item);
  };
  /** Another item may take the turn before this one is alone: then it waits again. */
  const inTurn = async <T>(item: ItemId | null, work: () => Promise<T>): Promise<T> => {
    await othersEnded(item);
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
      const place = item === null ? 0 : order().indexOf(item);
      if (item !== null && place > 0)
        notify({ type: 'landing-waits', level: 'routine', item, data: { place, behind: order()[place - 1] ?? '' } });
      try {
        return await inTurn(item, work);
      } finally {
        if (item !== null) waiting.splice(waiting.indexOf(item), 1);
        show();
      }
    },
    async takeTurn(item) {
      await othersEnded(item);
      turn ??= { item, ended: Promise.withResolvers() };
      show();
      // Several may have waited for the same end; a landing that had begun before ends first.
      if (turn.item !== item) await queue.takeTurn(item);
      else await queue.alone(() => Promise.resolve());
    },
    endTurn(item) {
      if (turn?.item !== item) return;
      turn.ended.resolve();
      turn = null;
      show();
    },
  };
  return queue;
}
