// A feature that a person adds: what they said, filled up to a valid entry of features.json.
import type { Edit } from '../../engine/playbook.ts';
import { Bug } from '../../model/bug.ts';
import type { Json } from '../../model/json.ts';
import { err, type Result } from '../../model/result.ts';
import { failure } from '../../model/failure.ts';
import { addFeature, nextId } from './change.ts';
import { sizeFlags, splitAdvice, type SizeFlag, type SplitAdvice } from './granularity.ts';
import { readFeatures } from './read.ts';
import type { Feature } from './schema.ts';

export type NewFeature = {
  readonly title: string;
  readonly category: string;
  readonly testFile: string | null;
  readonly dependsOn: readonly number[];
  readonly priority: number | null;
  readonly steps: readonly string[];
};
export type Added = {
  readonly feature: Feature;
  readonly flags: readonly SizeFlag[];
  readonly split: readonly SplitAdvice[];
};

/** The feature as it would stand in the file; fails where the file with it would not be valid. */
export function draftFeature(text: string, file: string, wanted: NewFeature): Result<Added> {
  const read = readFeatures(text, file);
  if (!read.ok) return read;
  if (wanted.title.trim() === '')
    return err(
      failure('usage', {
        what: 'the title is empty',
        hint: 'harness add "User can log in" --verify tests/test_login.py',
      }),
    );
  const feature: Feature = {
    id: nextId(read.value.features),
    category: wanted.category,
    description: wanted.title.trim(),
    test_file: wanted.testFile,
    verification_steps: wanted.steps,
    depends_on: wanted.dependsOn,
    ...(wanted.priority === null ? {} : { priority: wanted.priority }),
    passes: false,
  };
  const after = readFeatures(addFeature(text, feature), file);
  if (!after.ok) return after;
  return { ok: true, value: { feature, flags: sizeFlags(feature), split: splitAdvice(feature) } };
}

/** Adds the feature of the input; one that is there already (same id and description) is not added again. */
export const add: Edit = async (world, input) => {
  const { features: file, feature } = input as { readonly features: string; readonly feature: Json } as unknown as {
    features: string;
    feature: Feature;
  };
  const text = await world.read(file);
  if (text === null) throw new Bug(`${file} is gone`);
  const read = readFeatures(text, file);
  const isThere =
    read.ok && read.value.features.some((f) => f.id === feature.id && f.description === feature.description);
  return { [file]: isThere ? text : addFeature(text, feature) };
};
