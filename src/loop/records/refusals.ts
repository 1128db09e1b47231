// Tool calls of a session that were refused, and those that were done against the rules, from its private events.
import { join } from 'node:path';
import { textOrEmpty } from '../../host/files.ts';
import type { Problem } from '../../model/verdict.ts';
import type { RunContext } from '../run-context.ts';
import { eventsIn } from '../sessions.ts';

export type Refusals = {
  readonly denied: number;
  /** `TOOL: RULE: ABOUT`, each once. */
  readonly violations: readonly string[];
};

export function refusalsOf({ sessions }: Pick<RunContext, 'sessions'>, session: number | null): Refusals {
  const known = session === null ? null : sessions.pointer(session);
  if (known === null) return { denied: 0, violations: [] };
  let denied = 0;
  const violations = new Set<string>();
  for (const line of textOrEmpty(join(known.folder, 'events.jsonl')).split('\n')) {
    // Other events are many, and can be long.
    if (!/"t":"(permission|violation)"/.test(line.slice(0, 200))) continue;
    for (const event of eventsIn(line)) {
      if (event.t === 'permission' && event.decision === 'deny') denied++;
      if (event.t === 'violation') violations.add(`${event.tool}: ${event.why}: ${event.about}`);
    }
  }
  return { denied, violations: [...violations] };
}

/** A warning in the verdict; the tamper guard and git checks reject changes of the harness's files or history. */
export function violationsOf(context: Pick<RunContext, 'sessions'>, session: number | null): readonly Problem[] {
  const { violations: ids } = refusalsOf(context, session);
  return ids.length === 0 ? [] : [{ code: 'tool-violation', params: { count: ids.length }, ids }];
}
