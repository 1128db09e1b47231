// The end of an agent's session: it has no process any more, the harness's files are as before, and what was changed of them is reported.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ActionOf, Performer } from '../../engine/types.ts';
import { endOrphans } from '../../host/process-tree.ts';
import type { Actions, CloseOutcome } from '../../model/action.ts';
import { amountsOf, measuresOf, type Unit } from '../../model/budget.ts';
import type { Usage } from '../../model/usage.ts';
import { sweepLocks } from '../../repos/sweep.ts';
import { closeTamperGuard, hasTamperGuard } from '../../verify/tamper-guard.ts';
import { takeEdits } from '../closed-files.ts';
import { putDeletedBack } from '../installed.ts';
import type { RunContext, RunSettings } from '../run-context.ts';
import { guardOf } from '../sessions.ts';
import { processToken } from '../token.ts';
import { noteClosed } from './newer-commits.ts';
import { repeatable } from './repeatable.ts';

const MOST_NAMED = 10;

export const closes = (context: RunContext): Performer<ActionOf<Actions, 'close'>, CloseOutcome> => ({
  async perform({ session }) {
    const live = context.sessions.drop(session);
    await live?.close();
    const known = context.sessions.pointer(session);
    if (known === null) return { usage: context.sessions.record(session).usage, tampering: [] };
    if (live?.hasEndedAll() !== true) await endOrphans(processToken(context, known.token));
    const used = context.sessions.record(session);
    context.lanes?.shares.close(context.lane, amountsOf(used.usage, used.ms));
    const noted = await noteClosed(context, known.folder);
    if (!noted.ok) return { blocked: noted.failure };
    const events = join(known.folder, 'events.jsonl');
    if (existsSync(events))
      context.io.replace(
        join(context.stateDir, 'sessions', String(session), 'events.jsonl'),
        readFileSync(events),
        'may-be-lost', // a copy for people
      );
    const { usage } = context.sessions.record(session);
    const blind = blindFor(context, usage);
    if (blind !== null) context.notify({ type: 'budget-blind', level: 'important', session, data: { blind } });
    // A lock that the agent's git left, or the agent itself, would stop the landing.
    sweepLocks(context.git, context.clock.now());
    const back = putDeletedBack(context);
    if (back.length > 0)
      context.notify({
        type: 'ignored-back',
        level: 'important',
        session,
        data: { count: back.length, files: back.slice(0, MOST_NAMED).join(', ') },
      });
    if (!hasTamperGuard(guardOf(known.folder))) return { usage, tampering: [] };
    const closed = closeTamperGuard(context.io, { into: guardOf(known.folder) });
    if (!closed.ok) return { blocked: closed.failure };
    takeEdits(context, session, closed.value);
    for (const problem of closed.value.problems)
      context.notify({
        type: 'tampering',
        level: 'critical',
        session,
        data: { code: problem.code, ...problem.params },
      });
    return { usage, tampering: closed.value.problems };
  },
  probe: repeatable,
});

/** A budget without effect is reported: tokens were used, and their cost is unknown; or none were reported. */
function blindFor({ config }: RunSettings, usage: Usage): 'money' | 'tokens' | null {
  const isSet = (unit: Unit): boolean => measuresOf(config).some((one) => one.unit === unit);
  if (usage.inputTokens + usage.outputTokens === 0) return usage.source === 'none' && isSet('tokens') ? 'tokens' : null;
  return usage.costUsd === null && isSet('usd') ? 'money' : null;
}
