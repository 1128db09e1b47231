// A feature that a user adds to a mission: what they gave, completed to a valid entry.
import { z } from 'zod';
import type { Draft, NewItem } from '../../engine/backlog.ts';
import { failure } from '../../model/failure.ts';
import { toJson, type Json } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { addEntry } from '../records/edit.ts';
import { insertEntry } from '../records/insert.ts';
import { addFeature, nextId } from './change.ts';
import { MEMBER, readMission, type MissionFeature } from './schema.ts';

const EXAMPLE = 'harness add "User can log in" --verify tests/login.test.js --step VAL-AUTH-001';

/** The steps of the command line are its claims. Fails with `usage`, with a cause for each mistake. */
export function draftFeature(
  text: string,
  file: string,
  wanted: NewItem,
  { queued = [] }: { readonly queued?: readonly Json[] } = {},
): Result<Draft> {
  const read = readMission(text, file);
  if (!read.ok) return read;
  const wrong = (what: string): Result<never> => err(failure('usage', { what, hint: EXAMPLE }));
  const title = wanted.title.trim();
  if (title === '') return wrong('the title is empty');
  if (wanted.timeoutSeconds !== null) return wrong('a feature has no time-out of its own: testing.timeout_minutes');
  if (wanted.verify === null) return wrong('--verify is missing: the test file that proves it');
  if (wanted.category !== null) return wrong('a feature of a mission has no category: its claims name the area');
  const priority = wanted.priority === null ? null : Number(wanted.priority);
  if (priority !== null && (wanted.priority?.trim() === '' || !Number.isFinite(priority)))
    return wrong(`--priority wants a number, not "${wanted.priority ?? ''}"`);
  const whole = queued.reduce<string>(insertFeature, text);
  const withQueued = readMission(whole, file);
  const known = withQueued.ok ? withQueued.value.features : read.value.features;
  const there = known.find((feature) => isSame(feature, { title, test_file: wanted.verify }));
  const feature: MissionFeature = there ?? {
    id: nextId(known, 'F-'),
    title,
    claims: wanted.steps,
    status: 'pending',
    attempts: 0,
    test_file: wanted.verify,
    depends_on: wanted.dependsOn,
    ...(wanted.notes === undefined ? {} : { notes: wanted.notes }),
    ...(priority === null ? {} : { priority }),
  };
  const after = there === undefined ? readMission(addFeature(whole, feature), file) : read;
  // The locations of these mistakes are in a text that is written nowhere.
  const causes = after.ok ? [] : (after.failure.causes ?? []).map(({ at: _at, ...cause }) => cause);
  if (!after.ok) return err(failure('usage', { what: `"${title}" cannot be added`, hint: EXAMPLE }, { causes }));
  const draft = { id: feature.id, entry: toJson(feature), testFile: wanted.verify, flags: [], split: [] };
  return ok({ ...draft, isThere: there !== undefined });
}

type NamedFeature = { readonly title: string; readonly test_file?: string | null | undefined };
/** The same title proved by the same test is the same feature, whatever its id. */
const isSame = (a: NamedFeature, b: NamedFeature): boolean =>
  a.title === b.title && (a.test_file ?? null) === (b.test_file ?? null);

export const insertFeature = (text: string, entry: Json): string =>
  insertEntry(
    {
      member: MEMBER,
      entry: z.looseObject({ id: z.string(), title: z.string(), test_file: z.string().nullish() }),
      isSame,
      freeId: (features, { id }) => nextId(features, id.replace(/\d+$/, '')),
      add: (whole, feature) => addEntry(whole, MEMBER, feature),
    },
    text,
    entry,
  );
