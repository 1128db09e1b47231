// `.harness/sessions/<n>/session.json`: the record of one session, for people.
import { join } from 'node:path';
import type { SessionSummary } from '../../model/remember.ts';
import { toJson } from '../../model/json.ts';
import { ok, type Result } from '../../model/result.ts';
import type { RunContext } from '../run-context.ts';
import { refusalsOf } from './refusals.ts';
import { storedId } from './stored-id.ts';

export const recordOf = ({ stateDir }: Pick<RunContext, 'stateDir'>, session: number): string =>
  join(stateDir, 'sessions', String(session), 'session.json');

export function writeSessionRecord(context: RunContext, session: number, about: SessionSummary): Result<string> {
  const known = context.sessions.record(session);
  const { usage, turns, toolCalls } = known;
  const refused = refusalsOf(context, session);
  const { startedAt = known.startedAt, endedAt = context.clock.iso(), item } = about;
  const record = {
    session_id: session,
    started_at: startedAt,
    ended_at: endedAt,
    duration_seconds: Math.max(0, Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000)) || 0,
    termination_reason: about.termination ?? null,
    feature_id: storedId(item),
    feature_completed: about.completed ?? false,
    tokens_used: { input: usage.inputTokens, output: usage.outputTokens, cached: usage.cachedTokens },
    cost_usd: usage.costUsd,
    usage_source: usage.source,
    run: context.run,
    turns,
    role: about.role ?? context.sessions.pointer(session)?.role ?? null,
    said: about.said ?? null,
    result: about.result ?? '',
    reason: about.reason ?? '',
    tool_calls: toolCalls,
    tool_denials: refused.denied,
    tool_violations: refused.violations,
    commit: about.commit ?? null,
    attempt: about.attempt ?? null,
    evidence: about.evidence ?? null,
    verified_by: about.verifiedBy ?? null,
    evidence_bundle: about.bundle ?? null,
    problems: about.problems ?? [],
    failure: about.failure ?? null,
    broken: about.broken ?? [],
  };
  const file = recordOf(context, session);
  context.io.replace(file, `${JSON.stringify(record, null, 2)}\n`);
  // A session that answers with one line is shown by that line.
  const { role, said, result, reason } = record;
  if (said !== null)
    context.notify({
      type: 'session-ended',
      level: 'important',
      session,
      data: { role, said, result, reason, ...(about.notes === undefined ? {} : { notes: toJson(about.notes) }) },
    });
  return ok(file);
}
