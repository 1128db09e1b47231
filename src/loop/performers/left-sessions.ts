// Sessions of an item that a pause, a lost position or a stage that began again cut: no step of theirs comes any more. What they used is counted, and each
// has a record, so that the money of a run is the money of its sessions.
import { existsSync } from 'node:fs';
import { bookedOn, type ItemId } from '../../model/item.ts';
import { ok, type Result } from '../../model/result.ts';
import { recordCosts } from './remember.ts';
import type { RunContext } from '../run-context.ts';
import { recordOf, writeSessionRecord } from '../records/session.ts';

/** Once the item has ended. `from`: the session that the loop gave it; roles have later ones. `base`: of the tokens of its actions. Repeatable. */
export async function recordLeft(
  context: RunContext,
  { item, from, base }: { readonly item: ItemId; readonly from: number; readonly base: string },
): Promise<Result<null>> {
  for (const session of context.sessions.begun(from)) {
    if (existsSync(recordOf(context, session))) continue;
    const known = context.sessions.pointer(session);
    // What roles do for the whole project on its way is on no item.
    const isOwn = known?.item === item || (known?.item === undefined && known?.token.startsWith(`${base}/`) === true);
    if (known === null || !isOwn) continue;
    const booked = bookedOn({ item: known.item ?? null, role: known.role ?? '' });
    await context.sessions.drop(session)?.close();
    const { usage, turns } = context.sessions.record(session);
    if (turns === 0 && usage.inputTokens + usage.outputTokens === 0) continue;
    const costs = recordCosts(context, session, booked);
    if (!costs.ok) return costs;
    const role = known.role === undefined ? {} : { role: known.role };
    const lost = {
      item: booked,
      ...role,
      completed: false,
      termination: 'error',
      result: 'failed',
      reason: 'session-lost',
    };
    const written = writeSessionRecord(context, session, lost);
    if (!written.ok) return written;
  }
  return ok(null);
}
