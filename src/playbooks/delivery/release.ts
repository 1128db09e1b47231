// The release gate: every acceptance criterion is covered by a merged plan that has its tag.
import type { ListSources } from '../../engine/manifest.ts';
import type { Release } from '../../model/release.ts';
import { acceptanceOf, readAcceptance, tagKey, untaggedEntries } from './acceptance.ts';
import { derivedIndex } from './plans.ts';
import { readIndex } from './plan-index.ts';

const WHY = {
  'tag-repeated': 'the tag is there more than once',
  'criterion-empty': 'nothing follows the tag',
} as const;

/** null: no specification is configured. A file that is missing has no criteria, which is a mistake. */
export async function releaseOf(from: ListSources): Promise<Release | null> {
  const { view, config } = from;
  const { specPath } = config.releaseGate;
  if (specPath === null) return null;
  const file = acceptanceOf(specPath);
  const text = await view.read(file);
  if (text === null) return { file, criteria: [], mistakes: [{ line: 1, what: 'there is no such file' }] };
  const { criteria, mistakes } = readAcceptance(text);
  const index = readIndex((await derivedIndex(from, true)) ?? '{"plans":[]}', '', { allowCycles: true });
  const merged = index.ok ? index.value.plans.filter((plan) => plan.merged) : [];
  const has = (tags: readonly string[], tag: string): boolean => tags.some((one) => tagKey(one) === tagKey(tag));
  return {
    file,
    mistakes: [
      ...mistakes.map(({ line, why, tag }) => ({ line, what: `${tag}: ${WHY[why]}` })),
      ...untaggedEntries(text).map((one) => ({
        line: one.line,
        what: `no tag, such as [REQ-7]: ${one.text.slice(0, 80)}`,
      })),
    ],
    criteria: criteria.map((one) => ({
      ...one,
      coveredBy: merged.filter(({ tags }) => has(tags ?? [], one.tag)).map(({ id }) => id),
    })),
  };
}
