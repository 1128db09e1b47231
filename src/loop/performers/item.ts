// An item as one action of the loop: its own machine, driven with its own journal. Performing it again resumes it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageQueue } from '../../engine/message-queue.ts';
import type { ActionOf, Blocked, Parked, Performer, Performers } from '../../engine/types.ts';
import type { Actions, ItemOutcome } from '../../model/action.ts';
import { readText } from '../../host/files.ts';
import type { ItemId } from '../../model/item.ts';
import { ok, type Result } from '../../model/result.ts';
import { holdOf } from '../holds.ts';
import { forgetMessages } from '../item-messages.ts';
import { adoptBaselineAt } from '../records/baseline.ts';
import { NO_USAGE } from '../../model/usage.ts';
import { contextIn, type RunContext } from '../run-context.ts';
import { keepState } from '../records/kept-state.ts';
import { reportItem } from '../records/reports.ts';
import { fileName } from '../token.ts';
import { takeCommitsOffBranch } from './cut-turn.ts';
import { recordLeft } from './left-sessions.ts';
import { recordCosts } from './remember.ts';
import { repeatable } from './repeatable.ts';

/** `began`: phases that were announced in this run. */
export const items = (
  run: RunContext,
  performersIn: (context: RunContext) => Performers<Actions>,
  messages: MessageQueue,
  began: Set<string> = new Set(),
): Performer<ActionOf<Actions, 'item'>, ItemOutcome> => ({
  async perform({ item, lane: number, session, resumes, landsFirst }, action): Promise<ItemOutcome | Parked | Blocked> {
    const base = resumes ?? action.token;
    const journal = join(run.workspaceDir, 'items', `${fileName(base)}.jsonl`);
    // Before it is brought to the tip, which then stays where it is until this item has landed or ended.
    if (landsFirst === true) await run.lanes?.takeTurn(item);
    await run.lanes?.starts.enter(item, action.signal);
    const opened = await atTip(run, number, item, existsSync(journal));
    if (!opened.ok) {
      run.lanes?.starts.leave(item);
      run.lanes?.endTurn(item);
      return { blocked: opened.failure };
    }
    const context = opened.value === run ? run : { ...opened.value, notify: namedBy(run, item, session) };
    context.notify({ type: 'item-started', level: 'important', session, item });
    const machine = context.machine.item({ item, session, lane: number, run: context.run, config: context.config });
    const inbox = messages.branch(item);
    // It was held while no process worked on it: its session ends now.
    if (holdOf(run, item) !== null) inbox.post({ type: 'pause' });
    const driving = machine.drive({
      io: context.io,
      clock: context.clock,
      performers: performersIn(context),
      journal,
      file: context.ledger,
      base,
      messages: inbox,
      signal: action.signal,
      limit: 4,
      inPhase({ name, round }) {
        const phase = `${item} ${name} ${round}`;
        if (began.has(phase)) return;
        began.add(phase);
        const data = { machine: context.machine.name, phase: name, round };
        context.notify({ type: 'phase-began', level: 'important', session, item, data });
      },
    });
    const end = await driving.finally(() => {
      inbox.close();
      run.lanes?.starts.leave(item);
      run.lanes?.endTurn(item);
      run.lanes?.shares.release(number);
    });
    switch (end.end) {
      case 'outcome': {
        const { outcome } = end;
        const left = await recordLeft(context, { item, from: session, base });
        if (!left.ok) return { blocked: left.failure };
        showLedger(context);
        keepState(run);
        if (outcome.result === 'landed') forgetMessages(context, item);
        reportItem(context, action.token, { item, session, outcome });
        context.notify({
          type: 'item-ended',
          level: 'important',
          session,
          item,
          data: { result: outcome.result, reason: outcome.reason, commit: outcome.commit },
        });
        return outcome;
      }
      case 'waiting': {
        const [gate = ''] = end.on;
        // Its agent is done: what it cost counts for the items that continue.
        if (context.sessions.record(session).turns > 0) {
          const counted = recordCosts(context, session, item, { waits: true });
          if (!counted.ok) return { blocked: counted.failure };
        }
        const uncommitted = await takeCommitsOffBranch(context, { item, session, token: base });
        if (!uncommitted.ok) return { blocked: uncommitted.failure };
        return { ...WAITS, gate, resumes: base };
      }
      case 'stopped':
        return { parked: 'stopped' };
      case 'blocked':
        return { blocked: end.failure };
    }
  },
  probe: repeatable,
});

/** Several items are at work: each event says of which it is. */
const namedBy =
  ({ notify }: RunContext, item: ItemId, session: number): RunContext['notify'] =>
  (event) =>
    notify({ item, session, ...event });

/** The work tree of the lane, at the tip of the branch unless the item is under way in it. */
async function atTip(run: RunContext, lane: number, item: ItemId, isUnderWay: boolean): Promise<Result<RunContext>> {
  const opened = await contextIn(run, lane, item);
  if (!opened.ok || isUnderWay || opened.value === run) return opened;
  const brought = await opened.value.bring();
  if (!brought.ok) return brought;
  const adopted = await adoptBaselineAt(opened.value, 'HEAD');
  return adopted.ok ? opened : adopted;
}

/** Of several items people see the one that ended last. */
function showLedger({ ledger, stateDir, machine, io }: RunContext): void {
  const shown = join(stateDir, machine.ledger);
  const text = ledger === shown ? ok(null) : readText(ledger);
  if (text.ok && text.value !== null) io.replace(shown, text.value, 'may-be-lost');
}

/** It has not ended: no report is written. */
const WAITS = {
  result: 'gate',
  reason: 'gate',
  failure: null,
  problems: [],
  commit: null,
  evidence: null,
  usage: NO_USAGE,
} as const;
