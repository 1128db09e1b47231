// A feature that a person adds: what they said, filled up to a valid entry of features.json.
import type { Edit } from '../../engine/playbook.ts';
import { failure, Impossible } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { addFeature, nextId } from './change.ts';
import { DEFAULT_SIZE_RULES, sizeFlags, splitAdvice, type SizeFlag, type SplitAdvice } from './granularity.ts';
import { readFeatures } from './read.ts';
import type { Feature } from './schema.ts';

export type NewFeature = {
  readonly title: string;
  readonly category: string | null;
  readonly testFile: string | null;
  readonly dependsOn: readonly number[];
  readonly priority: number | null;
  readonly steps: readonly string[];
};
export type Added = {
  readonly feature: Feature;
  readonly flags: readonly SizeFlag[];
  readonly split: readonly SplitAdvice[];
  /** It is in the file already: nothing is to be added. */
  readonly isThere: boolean;
};
type Options = {
  readonly maxSteps?: number;
  /** Added before and not yet written into the file: their ids are taken, and they can be depended on. */
  readonly queued?: readonly Feature[];
};

const EXAMPLE = 'harness add "User can log in" --verify tests/test_login.py';

/** The feature as it would stand in the file; `usage` with a cause for each mistake where it could not stand there. */
export function draftFeature(text: string, file: string, wanted: NewFeature, options: Options = {}): Result<Added> {
  const read = readFeatures(text, file);
  if (!read.ok) return read;
  const title = wanted.title.trim();
  if (title === '') return err(failure('usage', { what: 'the title is empty', hint: EXAMPLE }));
  if (wanted.testFile === null)
    return err(failure('usage', { what: '--verify is missing: the test file that proves it', hint: EXAMPLE }));
  const whole = (options.queued ?? []).reduce(withFeature, text);
  const known = [...read.value.features, ...(options.queued ?? [])];
  const there = known.find((f) => isSame(f, { description: title, test_file: wanted.testFile }));
  const feature: Feature = there ?? {
    id: nextId(known),
    ...(wanted.category === null ? {} : { category: wanted.category }),
    description: title,
    test_file: wanted.testFile,
    verification_steps: wanted.steps,
    depends_on: wanted.dependsOn,
    ...(wanted.priority === null ? {} : { priority: wanted.priority }),
    passes: false,
  };
  const after = there === undefined ? readFeatures(addFeature(whole, feature), file) : read;
  // The places of these mistakes are in a text that is written nowhere.
  const causes = after.ok ? [] : (after.failure.causes ?? []).map(({ at: _at, ...cause }) => cause);
  if (!after.ok) return err(failure('usage', { what: `"${title}" cannot be added`, hint: EXAMPLE }, { causes }));
  const rules = { ...DEFAULT_SIZE_RULES, maxSteps: options.maxSteps ?? DEFAULT_SIZE_RULES.maxSteps };
  const advice = { flags: sizeFlags(feature, rules), split: splitAdvice(feature, rules) };
  return ok({ feature, ...advice, isThere: there !== undefined });
}

type Named = Pick<Feature, 'description' | 'test_file'>;
/** The same title proved by the same test is the same feature, whatever its id. */
export const isSame = (a: Named, b: Named): boolean =>
  a.description === b.description && (a.test_file ?? null) === (b.test_file ?? null);

/** The text with the feature at its end, under the next free id where its own was given away meanwhile. */
function withFeature(text: string, feature: Feature): string {
  const { features } = JSON.parse(text) as { readonly features: readonly Feature[] };
  if (features.some((f) => isSame(f, feature))) return text;
  const isTaken = features.some((f) => f.id === feature.id);
  return addFeature(text, isTaken ? { ...feature, id: nextId(features) } : feature);
}

/** Adds the feature of the input; one that is there already (same title, same test file) is not added again. */
export const add: Edit = async (world, input) => {
  const { backlog: file, feature } = input as unknown as { readonly backlog: string; readonly feature: Feature };
  const text = await world.read(file);
  if (text === null) throw new Impossible(failure('backlog-missing', { file }, { at: { file } }));
  const read = readFeatures(text, file);
  if (!read.ok) throw new Impossible(read.failure);
  return { [file]: withFeature(text, feature) };
};
