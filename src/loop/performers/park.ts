// Items that wait for an answer: which of them can continue, and their work out of the work tree and back into it.
import { join } from 'node:path';
import type { ActionOf, Blocked, Performer } from '../../engine/types.ts';
import { isWhereItWas } from '../../engine/position.ts';
import { listFolder, readText } from '../../host/files.ts';
import type { Actions } from '../../model/action.ts';
import type { LookAsk, LookOutcome, ParkAsk, ParkOutcome, UnparkOutcome } from '../../model/waiting-item.ts';
import { failure, filesNamed } from '../../model/failure.ts';
import { ok, type Result } from '../../model/result.ts';
import { forgetParked, park, parkedAsAttempt, parkedWork, unpark } from '../../repos/parked.ts';
import { stashUserWork } from '../../repos/stash.ts';
import { withdrawQuestions } from '../questions.ts';
import { putBackAfterSession } from '../installed.ts';
import { asProblem } from '../nested.ts';
import { contextIn, type RunContext } from '../run-context.ts';
import { writeSessionRecord } from '../records/session.ts';
import { LOOK_MS } from './ask.ts';
import { recordCosts } from './remember.ts';
import { fileName, namesBelow } from '../token.ts';
import { repeatable } from './repeatable.ts';

export const looks = (context: RunContext): Performer<ActionOf<Actions, 'look'>, LookOutcome> => ({
  async perform(ask, { signal }) {
    for (;;) {
      const found = await look(context, ask);
      if (!found.ok) return { blocked: found.failure };
      const { ready, over, isDueLater } = found.value;
      const isWaiting = isDueLater || ask.areOthersAtWork === true;
      if (!ask.waits || ready.length + over.length > 0 || !isWaiting) return found.value;
      await context.sleep(LOOK_MS, signal);
      if (signal.aborted) return { parked: 'stopped' };
    }
  },
  probe: repeatable,
});

async function look(context: RunContext, { items }: LookAsk): Promise<Result<LookOutcome>> {
  const over = await endedItems(context);
  const found = { ready: [] as string[], over: [] as string[], isDueLater: false };
  for (const one of items) {
    if (over.has(one.item)) {
      found.over.push(one.resumes);
      continue;
    }
    const gate = context.gates.find(one.gate);
    if (!gate.ok) return gate;
    // A question that is gone is asked again.
    const policy = gate.value?.closed === null ? gate.value.gate.policy : null;
    const isMoved = context.machine.followsEdits === true && isMovedByUser(context, one.resumes);
    if (isMoved || policy === null || (policy !== 'wait' && Date.parse(policy.at) <= context.clock.now()))
      found.ready.push(one.resumes);
    else if (policy !== 'wait') found.isDueLater = true;
  }
  return ok(found);
}

/** The user changed the file of the machine while the question was open. */
function isMovedByUser({ workspaceDir, ledger }: RunContext, resumes: string): boolean {
  const journal = readText(join(workspaceDir, 'items', `${fileName(resumes)}.jsonl`));
  const file = readText(ledger);
  if (!journal.ok || !file.ok || journal.value === null || file.value === null) return false;
  return !isWhereItWas(journal.value, file.value);
}

/** Skipped or done by what is committed: a claim in the work tree is none of it. */
async function endedItems(context: RunContext): Promise<ReadonlySet<string>> {
  const { view, backlog, config } = context;
  const file = config.paths.backlog;
  const text = (view.hasGit ? await view.readAt('HEAD', file) : null) ?? (await view.read(file));
  const list = text === null ? null : backlog.read(text, file, { allowCycles: true });
  const items = list?.ok === true ? list.value.items : [];
  const isOver = (status: string): boolean => status === 'skipped' || status === 'landed' || status === 'unproved';
  return new Set(items.filter(({ status }) => isOver(status)).map(({ id }) => id));
}

export const parks = (run: RunContext): Performer<ActionOf<Actions, 'park'>, ParkOutcome> => ({
  async perform(ask) {
    const opened = await contextIn(run, ask.lane ?? 0, ask.item);
    if (!opened.ok) return { blocked: opened.failure };
    const context = opened.value;
    const kept = await park(context.git, parkedWork(context.workspaceDir, ask), context.ledger);
    if (!kept.ok) return asProblem(kept.failure) === null ? { blocked: kept.failure } : { isParked: false };
    const installed = await putBackAfterSession(context);
    if (!installed.ok) return { blocked: installed.failure };
    const { item, session } = ask;
    context.notify({ type: 'item-parked', level: 'important', item, session });
    return { isParked: true };
  },
  probe: repeatable,
});

export const unparks = (run: RunContext): Performer<ActionOf<Actions, 'unpark'>, UnparkOutcome> => ({
  async perform(ask) {
    if (ask.to === 'attempt') return giveUp(run, ask);
    const opened = await contextIn(run, ask.lane ?? 0, ask.item);
    if (!opened.ok) return { blocked: opened.failure };
    // A lane is where its last item ended.
    const brought = (ask.lane ?? 0) === 0 ? ok(null) : await opened.value.bring();
    return brought.ok ? takeBack(opened.value, ask) : { blocked: brought.failure };
  },
  probe: repeatable,
});

async function takeBack(context: RunContext, ask: ParkAsk): Promise<UnparkOutcome | Blocked> {
  const { item, session } = ask;
  for (let tries = 0; ; tries += 1) {
    const back = await unpark(context.git, parkedWork(context.workspaceDir, ask), context.ledger);
    if (!back.ok) return { blocked: back.failure };
    if (back.value === 'back') break;
    if (context.config.dirtyTree !== 'stash' || tries > 0) {
      const { dirty } = await context.view.head();
      return { blocked: failure('dirty-tree', filesNamed(dirty)) };
    }
    const stashed = await stashUserWork(
      context.git,
      `harness: your work before #${item} continues (session ${session})`,
    );
    if (!stashed.ok) return { blocked: stashed.failure };
    context.notify({ type: 'work-stashed', level: 'critical', session, data: { stash: stashed.value } });
  }
  context.notify({ type: 'item-unparked', level: 'important', item, session });
  return { attempt: null };
}

/** The session ends without a result of its own. */
async function giveUp(context: RunContext, ask: ParkAsk): Promise<UnparkOutcome | Blocked> {
  const { item, session } = ask;
  const withdrawn = await withdrawQuestions(context, item, 'item-over');
  if (!withdrawn.ok) return { blocked: withdrawn.failure };
  const kept = await parkedAsAttempt(context.git, {
    ...parkedWork(context.workspaceDir, ask),
    session,
    why: 'item-over',
  });
  if (!kept.ok) return { blocked: kept.failure };
  const costs = recordCosts(context, session, item);
  if (!costs.ok) return { blocked: costs.failure };
  const about = { result: 'failed', reason: 'item-over', attempt: kept.value } as const;
  const recorded = writeSessionRecord(context, session, { item, completed: false, termination: 'error', ...about });
  if (!recorded.ok) return { blocked: recorded.failure };
  forgetProcedures(context, ask.resumes);
  const gone = await forgetParked(context.git, parkedWork(context.workspaceDir, ask));
  return gone.ok ? { attempt: kept.value } : { blocked: gone.failure };
}

/** The stage that asked will not end. */
function forgetProcedures({ workspaceDir, io }: RunContext, base: string): void {
  const folder = join(workspaceDir, 'procedures');
  const all = listFolder(folder);
  const begins = namesBelow(base);
  for (const { name } of all.ok ? all.value : []) if (name.startsWith(begins)) io.remove(join(folder, name));
}
