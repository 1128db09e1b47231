// The records of finished sessions, `.harness/sessions/<n>/session.json`, for display. A server asks again and again: a record that has not
// changed is parsed once.
import { join } from 'node:path';
import { targetStatsOf } from '../../host/paths.ts';
import { z } from 'zod';
import { listFolder, readText } from '../../host/files.ts';
import { failureSchema } from '../../model/failure.ts';
import { problemSchema } from '../../model/verdict.ts';
import type { ProjectView } from '../open/project-view.ts';

const maybe = z.string().nullable().catch(null);
/** Older programs wrote less of it, newer ones may write more: what is not as expected counts as missing. */
const recordShape = z.object({
  session_id: z.number(),
  started_at: maybe,
  ended_at: maybe,
  termination_reason: maybe,
  feature_id: z.union([z.number(), z.string()]).transform(String).nullable().catch(null),
  feature_completed: z.boolean().catch(false),
  tokens_used: z
    .object({ input: z.number(), output: z.number(), cached: z.number() })
    .catch({ input: 0, output: 0, cached: 0 }),
  cost_usd: z.number().nullable().catch(null),
  run: maybe,
  turns: z.number().catch(0),
  role: maybe,
  said: maybe,
  result: z.string().catch(''),
  reason: z.string().catch(''),
  tool_calls: z.number().catch(0),
  commit: maybe,
  attempt: maybe,
  evidence: maybe,
  evidence_bundle: maybe,
  verified_by: maybe,
  problems: z.array(problemSchema).readonly().catch([]),
  failure: failureSchema.nullable().catch(null),
  broken: z.array(z.unknown()).readonly().catch([]),
});
export type KeptSessionRecord = Readonly<z.output<typeof recordShape>>;

/** What a session without a record has of one. */
export const NO_RECORD: KeptSessionRecord = {
  session_id: 0,
  started_at: null,
  ended_at: null,
  termination_reason: null,
  feature_id: null,
  feature_completed: false,
  tokens_used: { input: 0, output: 0, cached: 0 },
  cost_usd: null,
  run: null,
  turns: 0,
  role: null,
  said: null,
  result: '',
  reason: '',
  tool_calls: 0,
  commit: null,
  attempt: null,
  evidence: null,
  evidence_bundle: null,
  verified_by: null,
  problems: [],
  failure: null,
  broken: [],
};

type Kept = { readonly stamp: string; readonly record: KeptSessionRecord | null };
const kept = new Map<string, Kept>();

/** Oldest first. Damaged records are left out. */
export function readSessionRecords({ stateDir }: Pick<ProjectView, 'stateDir'>): readonly KeptSessionRecord[] {
  const folder = join(stateDir, 'sessions');
  const entries = listFolder(folder);
  const numbers = entries.ok ? entries.value.flatMap(({ name }) => (/^\d+$/.test(name) ? [Number(name)] : [])) : [];
  return numbers.sort((a, b) => a - b).flatMap((session) => readSessionRecord({ stateDir }, session) ?? []);
}

/** Null: it has none yet, or it cannot be read. */
export function readSessionRecord(
  { stateDir }: Pick<ProjectView, 'stateDir'>,
  session: number,
): KeptSessionRecord | null {
  const file = join(stateDir, 'sessions', String(session), 'session.json');
  const found = targetStatsOf(file);
  if (found === null) return null;
  const stamp = `${found.mtimeMs} ${found.size} ${found.ino}`;
  const known = kept.get(file);
  if (known?.stamp === stamp) return known.record;
  const record = parsed(file);
  kept.set(file, { stamp, record });
  return record;
}

function parsed(file: string): KeptSessionRecord | null {
  const text = readText(file);
  if (!text.ok || text.value === null) return null;
  try {
    return recordShape.safeParse(JSON.parse(text.value)).data ?? null;
  } catch {
    return null;
  }
}

/** As people name it: an older record has only whether the feature was completed. */
export const resultOf = ({ result, feature_completed: isDone }: KeptSessionRecord): string =>
  result === '' ? (isDone ? 'landed' : 'failed') : result;

/** The reason's code; '' where the record has none. */
export const reasonOf = ({ reason, termination_reason: end }: KeptSessionRecord): string =>
  reason === '' ? (end ?? '') : reason;
