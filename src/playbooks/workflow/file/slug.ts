// The name of a task in paths and branches.
import { slugOf } from '../../../model/slug.ts';

/** The safety guard refuses to remove a folder of this name. */
const RESERVED = 'memory';
export const OUTPUT_BASE = 'docs/harness';

/** By the rule of the reference, so that a `state.json` without the name gets the one that its folder and branch have. */
export function taskSlugOf(task: string): string {
  const slug = slugOf(task, 'task', { joins: true });
  return slug === RESERVED ? `task-${slug}` : slug;
}

export const branchOf = (slug: string): string => `harness/${slug}`;
/** With a slash at the end, as in state.json. `outputDir`: of `--output-dir`, validated and without one. */
export const docsPathOf = (slug: string, outputDir: string | null = null): string =>
  `${outputDir ?? OUTPUT_BASE}/${slug}/`;
