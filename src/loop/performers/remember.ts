// Records: baseline, file sizes, costs, the record of a session. Values are absolute, so writing one twice changes nothing.
import type { ActionOf, Performer } from '../../engine/types.ts';
import { textsOf } from '../../engine/definitions.ts';
import { wholeEnvironment } from '../../host/environment.ts';
import { readText } from '../../host/files.ts';
import { underShortLock } from '../../host/short-lock.ts';
import type { Actions } from '../../model/action.ts';
import { budgetsOf, CEILING_REACHED, ceilingOf } from '../../model/budget.ts';
import type { EditCall, RememberOutcome } from '../../model/remember.ts';
import type { ItemId } from '../../model/item.ts';
import { ok, type Result } from '../../model/result.ts';
import { keepPending } from '../../repos/pending-log.ts';
import { keptPath, recordPath, shownPath } from '../../repos/records.ts';
import { timedFiles } from '../record-turn.ts';
import {
  readContext,
  type RunContext,
  type RunEvents,
  type RunHost,
  type RunRepository,
  type RunSettings,
  type RunStores,
} from '../run-context.ts';
import { takeBaseline } from '../records/baseline.ts';
import { keepCompetition } from '../records/competition.ts';
import { readCosts, renderCosts, withRaise, withSession, type Costs, type SessionCost } from '../records/costs.ts';
import { keepForPerson } from '../records/manual.ts';
import { takeCuration, takeNote } from '../records/memory.ts';
import { keepReview } from '../records/review.ts';
import { writeSessionRecord } from '../records/session.ts';
import { takeSizes } from '../records/sizes.ts';
import { repeatable } from './repeatable.ts';

type Ask = ActionOf<Actions, 'remember'>;

export const memories = (context: RunContext): Performer<Ask, RememberOutcome> => ({
  async perform(ask, { token }) {
    if (ask.what === 'manual') return keepForPerson(context, ask.session, ask.manual);
    if (ask.what === 'memory') return takeNote(context, ask, token);
    if (ask.what === 'curated') return takeCuration(context, ask);
    if (ask.what === 'competition') return { file: keepCompetition(context, ask, token) };
    const written = await (ask.what === 'review' ? keepReview(context, ask, token) : write(context, ask));
    return written.ok ? { file: written.value } : { blocked: written.failure };
  },
  probe: repeatable,
  isRepeatable: true,
});

async function write(
  context: RunContext,
  ask: Exclude<Ask, { what: 'manual' | 'memory' | 'curated' | 'review' | 'competition' }>,
): Promise<Result<string>> {
  const { session } = ask;
  switch (ask.what) {
    case 'baseline':
      return takeBaseline(context, session, ask.baseline);
    case 'sizes':
      return takeSizes(context, session, ask.evidence ?? null);
    case 'costs':
      return recordCosts(context, session, ask.item);
    case 'session':
      return writeSessionRecord(context, session, ask.summary);
    case 'log':
      return keepEntry(context, session, ask.edit);
    case 'budget':
      return changeCosts(context, (costs) => withRaise(costs, ask.raise));
  }
}

export function recordCosts(
  context: RunRepository & RunSettings & RunHost & RunStores & RunEvents,
  session: number,
  item: ItemId,
  waits: Pick<SessionCost, 'waits'> = {},
): Result<string> {
  const { usage, ms, startedAt: started } = context.sessions.record(session);
  const budgets = budgetsOf(context.config);
  const ceiling = ceilingOf(context.config, wholeEnvironment());
  let total = { before: 0, now: 0 };
  const changed = changeCosts(context, (costs) => {
    const now = withSession(costs, { session, item, started, usage, ms, ...waits }, budgets);
    total = { before: tokensOf(costs), now: tokensOf(now) };
    return now;
  });
  context.lanes?.shares.release(context.lane);
  // Of money and tokens that are recorded again nothing is added: it is reached once.
  if (ceiling !== null && total.before < ceiling && total.now >= ceiling)
    context.notify({ type: CEILING_REACHED, level: 'critical', data: { ceiling, tokens: total.now } });
  return changed;
}

const tokensOf = (costs: Costs | null): number =>
  costs === null ? 0 : costs.cumulative.total_tokens.input + costs.cumulative.total_tokens.output;

async function keepEntry(context: RunContext, session: number, edit: EditCall): Promise<Result<string>> {
  const texts = await textsOf(edit, readContext(context));
  if (!texts.ok) return texts;
  const timed = timedFiles(context, JSON.stringify(['log', session]), texts.value);
  if (!timed.ok) return timed;
  const [entry] = Object.entries(timed.value);
  if (entry === undefined) return ok('');
  return ok(keepPending(context.io, context.workspaceDir, session, ...entry));
}

function changeCosts(context: RunRepository & RunHost, change: (costs: Costs | null) => Costs): Result<string> {
  const [file, shown] = [keptPath(context, 'costs.yaml'), shownPath(context, 'costs.yaml')];
  // Runs in other work trees of the repository record theirs in the same file.
  return underShortLock(context.privateDir, 'books', () => {
    const from = recordPath(context, 'costs.yaml');
    const text = readText(from);
    if (!text.ok) return text;
    const before = readCosts(text.value, from);
    if (!before.ok) return before;
    const now = renderCosts(change(before.value));
    context.io.replaceAll([
      { path: file, text: now },
      { path: shown, text: now, how: 'may-be-lost' },
    ]);
    return ok(shown);
  });
}
