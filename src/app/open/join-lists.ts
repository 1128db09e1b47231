// The list of a run's branch together with that of the user's branch, where both have changed: text would be merged line by line, and a list means more.
import type { Backlog } from '../../engine/backlog.ts';
import type { ItemChange, Subject } from '../../model/item.ts';

/** `base`: where both began; `mine`: of the run's branch; `theirs`: of the user's. null: there is no such file. */
export type ThreeLists = { readonly base: string | null; readonly mine: string; readonly theirs: string | null };

/** What the user describes, adds and decides is taken; what landed stays. A text that cannot be read changes nothing. */
export function joinedLists(backlog: Backlog, file: string, { base, mine, theirs }: ThreeLists): string {
  if (theirs === null || theirs === base || theirs === mine) return mine;
  if (mine === base) return theirs;
  let text = backlog.takeEdit?.(mine, theirs, true)?.text ?? mine;
  const [was, is, own] = [base ?? '', theirs, text].map((one) => backlog.read(one, file, { allowCycles: true }));
  if (is?.ok !== true || own?.ok !== true) return text;
  for (const { id } of is.value.items) {
    const before = was?.ok === true ? was.value.subject(id) : null;
    for (const change of decided(before, is.value.subject(id), own.value.subject(id)))
      text = backlog.change(text, id, change);
  }
  return text;
}

function decided(before: Subject | null, theirs: Subject | null, mine: Subject | null): readonly ItemChange[] {
  if (theirs === null || mine === null) return [];
  const { skipped, override, passes } = theirs;
  const isNew = (field: 'skipped' | 'override'): boolean =>
    theirs[field] !== null && (before?.[field] ?? null) === null && mine[field] === null;
  return [
    ...(passes && override === null && before?.passes !== true && !mine.passes ? [{ type: 'landed' } as const] : []),
    ...(skipped !== null && isNew('skipped') && !mine.passes ? [{ type: 'skipped', ...skipped } as const] : []),
    ...(override !== null && isNew('override') ? [{ type: 'overridden', ...override } as const] : []),
  ];
}
