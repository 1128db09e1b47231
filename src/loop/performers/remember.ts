// Records that can be rebuilt: baseline, file sizes, costs, the record of a session. Values are absolute, so that
// writing one again changes nothing.
import { join } from 'node:path';
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, RememberAsk, RememberOutcome } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import { ok, type Result } from '../../model/result.ts';
import { readText } from '../../host/files.ts';
import { takeBaseline } from '../records/baseline.ts';
import { readCosts, renderCosts, withRaise, withSession } from '../records/costs.ts';
import type { Json } from '../../model/json.ts';
import { keepForPerson } from '../records/manual.ts';
import { writeSessionRecord } from '../records/session.ts';
import { takeSizes } from '../records/sizes.ts';
import type { Lane } from '../lane.ts';
import { repeatable } from './repeatable.ts';

export const memories = (lane: Lane): Performer<ActionOf<Actions, 'remember'>, RememberOutcome> => ({
  async perform(ask) {
    if (ask.what === 'manual') return keepForPerson(lane, ask.session, ask.input);
    const written = await write(lane, ask);
    return written.ok ? { file: written.value } : { blocked: written.failure };
  },
  probe: repeatable,
});

type Written = Result<string>;

async function write(lane: Lane, ask: RememberAsk): Promise<Written> {
  const input = ask.input as { readonly [key: string]: never };
  switch (ask.what) {
    case 'baseline':
      return takeBaseline(lane, {
        session: ask.session,
        passing: input['passing'] === null ? null : String(input['passing']),
        total: Number(input['total']),
        tree: String(input['tree']),
        suite: input['suite'] === 'green' ? 'green' : 'red',
      });
    case 'sizes':
      return takeSizes(lane, ask.session);
    case 'costs':
      return addCosts(lane, ask.session, String(input['item']));
    case 'session':
      return writeSessionRecord(lane, ask.session, ask.input);
    case 'budget':
      return raiseBudget(lane, ask.input);
    case 'manual':
      break;
  }
  throw new Bug(`nothing is remembered as ${ask.what}`);
}

function addCosts(lane: Lane, session: number, item: string): Written {
  const file = join(lane.stateDir, 'costs.yaml');
  const text = readText(file);
  if (!text.ok) return text;
  const before = readCosts(text.value, file);
  if (!before.ok) return before;
  const { usage, startedAt } = lane.sessions.record(session);
  const budgets = {
    per_session_usd: lane.config.costs.perSessionUsd,
    per_feature_usd: lane.config.costs.perFeatureUsd,
    total_project_usd: lane.config.costs.totalProjectUsd,
  };
  lane.io.replace(file, renderCosts(withSession(before.value, { session, item, started: startedAt, usage }, budgets)));
  return ok(file);
}

function raiseBudget(lane: Lane, input: Json): Written {
  const file = join(lane.stateDir, 'costs.yaml');
  const text = readText(file);
  if (!text.ok) return text;
  const before = readCosts(text.value, file);
  if (!before.ok) return before;
  const raise = input as unknown as Parameters<typeof withRaise>[1];
  lane.io.replace(file, renderCosts(withRaise(before.value, raise)));
  return ok(file);
}
