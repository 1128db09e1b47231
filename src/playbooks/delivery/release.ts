// The release gate: every acceptance criterion is covered by a merged plan that has its tag.
import type { ListSources } from '../../engine/manifest.ts';
import type { Release } from '../../model/release.ts';
import { acceptanceFile, readAcceptance, sameTag } from './acceptance.ts';
import { derivedIndex } from './plans.ts';
import { readIndex } from './plan-index.ts';

/** null: no specification is configured. A file that is missing has no criteria, which is a mistake. */
export async function releaseOf(from: ListSources): Promise<Release | null> {
  const { view, config } = from;
  const { specPath } = config.releaseGate;
  if (specPath === null) return null;
  const file = acceptanceFile(specPath);
  const text = await view.read(file);
  if (text === null) return { file, criteria: [], mistakes: [{ line: 1, what: 'there is no such file' }] };
  const { criteria, mistakes } = readAcceptance(text);
  const index = readIndex((await derivedIndex(from)) ?? '{"plans":[]}', '', { allowCycles: true });
  const merged = index.ok ? index.value.plans.filter((plan) => plan.merged) : [];
  const has = (tags: readonly string[], tag: string): boolean => tags.some((one) => sameTag(one) === sameTag(tag));
  return {
    file,
    mistakes,
    criteria: criteria.map((one) => ({
      ...one,
      coveredBy: merged.filter(({ tags }) => has(tags ?? [], one.tag)).map(({ id }) => id),
    })),
  };
}
