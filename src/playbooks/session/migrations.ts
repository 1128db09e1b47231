// The way from an older form of session_state.json to ours, one schema after the other (reference 000, Harness Version
// Compatibility). Pure texts: who backs up and who writes is not said here.
import { z } from 'zod';
import { failure } from '../../model/failure.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { sessionStateSchema } from './session-state.ts';
import { STATE_HARNESS_VERSION, STATE_SCHEMA_VERSION } from './versions.ts';

type Fields = { readonly [field: string]: unknown };
/** Each answers the fields as the next schema has them; what it does not know stays. */
const STEPS: { readonly [from: number]: (state: Fields) => Fields } = {
  // Brought test_baseline.json. None is made up: an empty one would say that nothing held before. Preflight measures it.
  1: (state) => state,
  // Brought the count of sessions that ran into the wall clock, and the settings of preflight, which have defaults.
  2: (state) => ({ ...state, harness_version: STATE_HARNESS_VERSION, timeout_count: state['timeout_count'] ?? 0 }),
};

const versioned = z.looseObject({ schema_version: z.int().min(1).default(1) });

/** 1 where the file does not say. Fails with `state-unreadable`. */
export function schemaOf(text: string, file: string): Result<number> {
  const read = parseJsonFile(text, file, versioned);
  return read.ok ? ok(read.value.schema_version) : read;
}

export type Step = { readonly from: number; readonly to: number; readonly text: string };

/**
 * The steps to our schema, each with the text the file has after it; none where it is ours already. Fails with
 * `state-unreadable` where the end would not be a state of ours, and with `state-newer`.
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
    // The versions first, as the reference writes them; everything else in the order it had.
    state = { ...(writer === undefined ? {} : { harness_version: writer }), schema_version: from + 1, ...rest };
    steps.push({ from, to: from + 1, text: `${JSON.stringify(state, null, 2)}\n` });
  }
  const last = steps.at(-1);
  if (last === undefined) return ok([]);
  const fits = parseJsonFile(last.text, file, sessionStateSchema);
  return fits.ok ? ok(steps) : fits;
}
