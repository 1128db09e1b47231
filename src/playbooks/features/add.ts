// A feature that a person adds: what they said, filled up to a valid entry of features.json.
import type { Draft, Edit, NewItem } from '../../engine/playbook.ts';
import type { Json } from '../../model/json.ts';
import { failure, Impossible } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { addFeature, nextId } from './change.ts';
import { DEFAULT_SIZE_RULES, sizeFlags, splitAdvice } from './granularity.ts';
import { readFeatures } from './read.ts';
import type { Feature } from './schema.ts';

type Options = { readonly maxSteps?: number; readonly queued?: readonly Json[] };

const EXAMPLE = 'harness add "User can log in" --verify tests/test_login.py';

/** The feature as it would stand in the file; `usage` with a cause for each mistake where it could not stand there. */
export function draftFeature(text: string, file: string, wanted: NewItem, options: Options = {}): Result<Draft> {
  const read = readFeatures(text, file);
  if (!read.ok) return read;
  const numbers = numbersOf(wanted);
  if (!numbers.ok) return numbers;
  const { verify: testFile } = wanted;
  const queued = (options.queued ?? []) as unknown as readonly Feature[];
  const title = wanted.title.trim();
  if (title === '') return err(failure('usage', { what: 'the title is empty', hint: EXAMPLE }));
  if (wanted.timeoutSeconds !== null)
    return err(
      failure('usage', { what: 'a feature has no time-out of its own: testing.timeout_minutes', hint: EXAMPLE }),
    );
  if (testFile === null)
    return err(failure('usage', { what: '--verify is missing: the test file that proves it', hint: EXAMPLE }));
  const whole = queued.reduce(withFeature, text);
  const known = [...read.value.features, ...queued];
  const there = known.find((f) => isSame(f, { description: title, test_file: testFile }));
  const feature: Feature = there ?? {
    id: nextId(known),
    ...(wanted.category === null ? {} : { category: wanted.category }),
    description: title,
    test_file: testFile,
    verification_steps: wanted.steps,
    depends_on: numbers.value.dependsOn,
    ...(numbers.value.priority === null ? {} : { priority: numbers.value.priority }),
    passes: false,
  };
  const after = there === undefined ? readFeatures(addFeature(whole, feature), file) : read;
  // The places of these mistakes are in a text that is written nowhere.
  const causes = after.ok ? [] : (after.failure.causes ?? []).map(({ at: _at, ...cause }) => cause);
  if (!after.ok) return err(failure('usage', { what: `"${title}" cannot be added`, hint: EXAMPLE }, { causes }));
  const rules = { ...DEFAULT_SIZE_RULES, maxSteps: options.maxSteps ?? DEFAULT_SIZE_RULES.maxSteps };
  const advice = { flags: sizeFlags(feature, rules), split: splitAdvice(feature, rules) };
  const entry = feature as Json;
  return ok({ id: String(feature.id), entry, testFile, ...advice, isThere: there !== undefined });
}

const NUMBERED = 'harness add "User can log in" --verify tests/test_login.py --depends-on 1,2 --priority 1';

function numbersOf({
  dependsOn,
  priority,
}: NewItem): Result<{ readonly dependsOn: readonly number[]; readonly priority: number | null }> {
  const odd = dependsOn.find((word) => !/^[1-9]\d{0,14}$/.test(word));
  if (odd !== undefined)
    return err(failure('usage', { what: `--depends-on wants ids such as 1,2, not "${odd}"`, hint: NUMBERED }));
  if (priority !== null && (priority.trim() === '' || !Number.isFinite(Number(priority))))
    return err(failure('usage', { what: `--priority wants a number, not "${priority}"`, hint: NUMBERED }));
  return ok({ dependsOn: dependsOn.map(Number), priority: priority === null ? null : Number(priority) });
}

type Named = Pick<Feature, 'description' | 'test_file'>;
/** The same title proved by the same test is the same feature, whatever its id. */
const isSame = (a: Named, b: Named): boolean =>
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
  const { backlog: file, entry: feature } = input as unknown as { readonly backlog: string; readonly entry: Feature };
  const text = await world.read(file);
  if (text === null) throw new Impossible(failure('backlog-missing', { file }, { at: { file } }));
  const read = readFeatures(text, file);
  if (!read.ok) throw new Impossible(read.failure);
  return { [file]: withFeature(text, feature) };
};
