// Migrates the text of an older session_state.json to the current schema, one schema at a time. Backup and writing are the caller's.
import { z } from 'zod';
import { failure } from '../../model/failure.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { sessionStateSchema } from './session-state.ts';
import { STATE_HARNESS_VERSION, STATE_SCHEMA_VERSION } from './versions.ts';

type Fields = { readonly [field: string]: unknown };
/** Each returns the fields in the next schema. Unknown fields stay. */
const STEPS: { readonly [from: number]: (state: Fields) => Fields } = {
  // Schema 2 added test_baseline.json. Preflight creates it: an empty one would mean that no test passed before.
  1: (state) => state,
  // Schema 3 added the count of sessions that ran into the wall clock, and settings of preflight, which have defaults.
  2: (state) => ({ ...state, harness_version: STATE_HARNESS_VERSION, timeout_count: state['timeout_count'] ?? 0 }),
};

const versioned = z.looseObject({ schema_version: z.int().min(1).default(1) });

/** 1 if the file has no version. Fails with `state-unreadable`. */
export function schemaOf(text: string, file: string): Result<number> {
  const read = parseJsonFile(text, file, versioned);
  return read.ok ? ok(read.value.schema_version) : read;
}

export type Step = { readonly from: number; readonly to: number; readonly text: string };

/**
 * The steps to the current schema, each with the text of the file after it. Fails with `state-newer`, and with `state-unreadable` if the
 * result would not be valid.
 */
export function migrationOf(text: string, file: string): Result<readonly Step[]> {
  const read = parseJsonFile(text, file, versioned);
  if (!read.ok) return read;
  const first = read.value.schema_version;
  if (first > STATE_SCHEMA_VERSION)
    return err(failure('state-newer', { file, found: first, supported: STATE_SCHEMA_VERSION }, { at: { file } }));
  const steps: Step[] = [];
  let state: Fields = read.value;
  for (let from = first; from < STATE_SCHEMA_VERSION; from += 1) {
    const { harness_version: writer, schema_version: _, ...rest } = STEPS[from]?.(state) ?? state;
    // The versions first, then every other field in its order.
    state = { ...(writer === undefined ? {} : { harness_version: writer }), schema_version: from + 1, ...rest };
    steps.push({ from, to: from + 1, text: `${JSON.stringify(state, null, 2)}\n` });
  }
  const last = steps.at(-1);
  if (last === undefined) return ok([]);
  const fits = parseJsonFile(last.text, file, sessionStateSchema);
  return fits.ok ? ok(steps) : fits;
}
