// The flaky tests: `quarantine.json`, a copy for people in `.harness/`, the one that counts in the private folder. A quarantined
// test is neither baseline nor proof. It is released after some days and then judged like any other.
import { z } from 'zod';
import { failure } from '../model/failure.ts';
import { parseJsonFile } from '../model/own-files.ts';
import type { TestId } from '../model/report.ts';
import { err, ok, type Result } from '../model/result.ts';
import { readText } from '../host/files.ts';
import type { RerunCounts } from './flaky.ts';

const DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1000;

const isDate = (text: string): boolean => !Number.isNaN(Date.parse(text));
const entrySchema = z.strictObject({
  id: z.string().min(1),
  since: z.string().refine(isDate, 'not a date'),
  /** Session in which it was found; null: outside a session. */
  session: z.int().min(0).nullable(),
  expires: z.string().refine(isDate, 'not a date'),
  /** Failures in all reruns. */
  fails: z.int().min(0),
  passes: z.int().min(0),
});
const schema = z.strictObject({ schema: z.literal(1), tests: z.array(entrySchema) });

export type Quarantined = Readonly<z.infer<typeof entrySchema>>;
export type Quarantine = readonly Quarantined[];

/** Empty if there is no such file. Fails with `state-unreadable`: a broken list never counts as an empty one. */
export function readQuarantine(path: string): Result<Quarantine> {
  const text = readText(path);
  if (!text.ok)
    return err(
      failure('state-unreadable', { file: path, why: text.failure.params['code'] ?? '' }, { at: { file: path } }),
    );
  if (text.value === null) return ok([]);
  const parsed = parseJsonFile(text.value, path, schema, 'state-unreadable');
  return parsed.ok ? ok(parsed.value.tests) : parsed;
}

export const quarantineText = (tests: Quarantine): string => `${JSON.stringify({ schema: 1, tests }, null, 2)}\n`;

/** The tests in quarantine at this time. */
export const heldAt = (all: Quarantine, at: string): Quarantine =>
  all.filter(({ expires }) => Date.parse(expires) > Date.parse(at));

const byId = (a: Quarantined, b: Quarantined): number => (a.id < b.id ? -1 : 1);

/** What a writer added and removed since it read `before`, applied to what is there `now`: another writer may have changed it meanwhile. */
export function mergedQuarantine(now: Quarantine, before: Quarantine, after: Quarantine): Quarantine {
  const isIn = (all: Quarantine, one: Quarantined): boolean =>
    all.some(({ id, since }) => id === one.id && since === one.since);
  const added = after.filter((one) => !isIn(before, one));
  const removed = before.filter((one) => !isIn(after, one));
  const kept = now.filter((one) => !isIn(removed, one) && !added.some(({ id }) => id === one.id));
  return [...kept, ...added].sort(byId);
}

/** Adds tests and removes expired ones; sorted, so that equal lists are equal files. */
export function withFlaky(
  all: Quarantine,
  found: ReadonlyMap<TestId, RerunCounts>,
  { at, session }: { readonly at: string; readonly session: number | null },
): Quarantine {
  const expires = new Date(Date.parse(at) + DAYS * DAY_MS).toISOString();
  const kept = heldAt(all, at).filter(({ id }) => !found.has(id));
  const added = [...found].map(([id, { fails, passes }]) => ({ id, since: at, session, expires, fails, passes }));
  return [...kept, ...added].sort(byId);
}
