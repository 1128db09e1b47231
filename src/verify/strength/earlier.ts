// Whether what was proved of an item's work on an older commit is still proved on a newer one, with which it was merged. Its checks run again
// there; whether its tests can be trusted is a property of the tests, what they use, and the work. Pure.
import { isPartlyRunner, kindOf } from './files.ts';

/** Names of programs in folders of tests that other tests load, or that their runner loads before them. */
const SHARED = /setup|teardown|helper|hook|global|fixture|support|common|util|mock/i;

export type NewerChange = { readonly path: string; readonly isNew: boolean };

/**
 * True where the newer commits changed other source files and documents only, or added files of tests. `work`: paths that the item changed.
 * `known`: as for `kindOf`.
 */
export function isStillProved(
  newer: readonly NewerChange[],
  work: ReadonlySet<string>,
  known: Parameters<typeof kindOf>[1],
): boolean {
  return newer.every(({ path, isNew }) => {
    if (work.has(path) || isPartlyRunner(path)) return false;
    const kind = kindOf(path, known);
    return kind === 'source' || kind === 'docs' || (kind === 'test' && isNew && !SHARED.test(path));
  });
}
