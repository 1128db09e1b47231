// A feature that a user adds: what they gave, completed to a valid entry of features.json.
import { z } from 'zod';
import type { Draft, NewItem } from '../../engine/backlog.ts';
import { failure } from '../../model/failure.ts';
import { toJson, type Json } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { insertEntry } from '../records/insert.ts';
import { addFeature, nextId } from './change.ts';
import { DEFAULT_SIZE_RULES, sizeFlags, splitAdvice } from './granularity.ts';
import { readFeatures } from './read.ts';
import type { Feature } from './schema.ts';

type Options = { readonly maxSteps?: number; readonly queued?: readonly Json[] };

const EXAMPLE = 'harness add "User can log in" --verify tests/test_login.py';

/** The feature as it would be in the file; `usage` with a cause for each mistake where it could not be there. */
export function draftFeature(text: string, file: string, wanted: NewItem, options: Options = {}): Result<Draft> {
  const read = readFeatures(text, file);
  if (!read.ok) return read;
  const numbers = numbersOf(wanted);
  if (!numbers.ok) return numbers;
  const { verify: testFile } = wanted;
  const title = wanted.title.trim();
  if (title === '') return err(failure('usage', { what: 'the title is empty', hint: EXAMPLE }));
  if (wanted.timeoutSeconds !== null)
    return err(
      failure('usage', { what: 'a feature has no time-out of its own: testing.timeout_minutes', hint: EXAMPLE }),
    );
  if (testFile === null)
    return err(failure('usage', { what: '--verify is missing: the test file that proves it', hint: EXAMPLE }));
  const { queued = [] } = options;
  const whole = queued.reduce<string>(insertFeature, text);
  const known = queued.length === 0 ? read : readFeatures(whole, file);
  const there = known.ok
    ? known.value.features.find((f) => isSame(f, { description: title, test_file: testFile }))
    : undefined;
  const feature: Feature = there ?? {
    id: nextId(known.ok ? known.value.features : read.value.features),
    ...(wanted.category === null ? {} : { category: wanted.category }),
    description: title,
    test_file: testFile,
    verification_steps: wanted.steps,
    depends_on: numbers.value.dependsOn,
    ...(numbers.value.priority === null ? {} : { priority: numbers.value.priority }),
    ...(wanted.notes === undefined ? {} : { notes: wanted.notes }),
    passes: false,
  };
  const after = there === undefined ? readFeatures(addFeature(whole, feature), file) : read;
  // The locations of these mistakes are in a text that is written nowhere.
  const causes = after.ok ? [] : (after.failure.causes ?? []).map(({ at: _at, ...cause }) => cause);
  if (!after.ok) return err(failure('usage', { what: `"${title}" cannot be added`, hint: EXAMPLE }, { causes }));
  const rules = { ...DEFAULT_SIZE_RULES, maxSteps: options.maxSteps ?? DEFAULT_SIZE_RULES.maxSteps };
  const advice = { flags: sizeFlags(feature, rules), split: splitAdvice(feature, rules) };
  return ok({ id: String(feature.id), entry: toJson(feature), testFile, ...advice, isThere: there !== undefined });
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

type NamedFeature = Pick<Feature, 'description'> & { readonly test_file?: string | null | undefined };
/** The same title proved by the same test is the same feature, whatever its id. */
const isSame = (a: NamedFeature, b: NamedFeature): boolean =>
  a.description === b.description && (a.test_file ?? null) === (b.test_file ?? null);

export const insertFeature = (text: string, entry: Json): string =>
  insertEntry(
    {
      member: 'features',
      entry: z.looseObject({ id: z.number(), description: z.string(), test_file: z.string().nullish() }),
      isSame,
      freeId: nextId,
      add: addFeature,
    },
    text,
    entry,
  );
