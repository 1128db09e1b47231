// Which files an item is expected to change, and which items therefore do not begin beside each other: their landings would conflict, and one of
// them would lose a session. A guess from what is written of the item and from its unfinished work; what lands is compared file by file whatever
// it says. Pure.
import { z } from 'zod';
import type { ItemId, Subject } from './item.ts';

/** An item that could start and does not yet. `after`: the one that is at work, or begins first; `file`: both are expected to change it. */
export const apartSchema = z.object({ item: z.string(), after: z.string(), file: z.string() });
export type Apart = z.output<typeof apartSchema>;

/** `src/a.ts`; not an address, and not a name without a folder. */
const PATH = /(?<![\w/.@:~-])(?:\.\/)?((?:[\w@+-][\w@+.-]*\/)+[\w@+.-]*\.[A-Za-z]\w{0,7})(?![\w/])/g;
/** A name in code marks. */
const NAME = /`(?:\.\/)?((?:[\w@+-][\w@+.-]*\/)*[\w@+.-]*\.[A-Za-z]\w{0,7})`/g;
/** Items name documents to be read. */
const IS_DOCUMENT = /\.(?:md|mdx|txt|rst|adoc|pdf|html?)$/i;

type Written = Pick<Subject, 'title' | 'testFile' | 'mayChangeTests' | 'files' | 'steps' | 'notes'>;

/** `changed`: by sessions of the item before, whose work is kept. */
export function expectedFiles(
  { title, testFile, mayChangeTests, files = [], steps, notes = '' }: Written,
  changed: readonly string[] = [],
): ReadonlySet<string> {
  const text = [title, ...steps, notes].join('\n');
  const named = [...text.matchAll(PATH), ...text.matchAll(NAME)].map(([, path = '']) => path);
  return new Set([
    ...(testFile === null ? [] : [testFile]),
    ...mayChangeTests,
    ...files,
    ...named.filter((path) => !IS_DOCUMENT.test(path)),
    ...changed,
  ]);
}

/** With more of them nothing is chosen before one of those at work has ended. */
const MOST_APART = 200;

export type Choice = { readonly next: ItemId | null; readonly apart: readonly Apart[] };

/**
 * The first item that shares no expected file with one at work, and with none that goes before it and waits. `pick`: the first of the list
 * without these; `prefer` begins in any case.
 */
export function chooseApart({
  pick,
  filesOf,
  atWork,
  prefer = null,
}: {
  readonly pick: (without: ReadonlySet<ItemId>) => ItemId | null;
  readonly filesOf: (item: ItemId) => ReadonlySet<string>;
  readonly atWork: readonly ItemId[];
  readonly prefer?: ItemId | null;
}): Choice {
  const changedBy = new Map<string, ItemId>();
  const reserve = (item: ItemId): void => {
    for (const file of filesOf(item)) if (!changedBy.has(file)) changedBy.set(file, item);
  };
  for (const item of atWork) reserve(item);
  const waiting = new Set<ItemId>();
  const apart: Apart[] = [];
  while (apart.length < MOST_APART) {
    const next = pick(waiting);
    if (next === null || next === prefer || waiting.has(next)) return { next: next === prefer ? next : null, apart };
    const file = [...filesOf(next)].find((one) => changedBy.has(one));
    if (file === undefined) return { next, apart };
    apart.push({ item: next, after: changedBy.get(file) ?? '', file });
    waiting.add(next);
    reserve(next);
  }
  return { next: null, apart };
}
