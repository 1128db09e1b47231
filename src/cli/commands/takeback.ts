// `harness takeback [ITEM]`: verifies the user's work and gives it back to the harness.
import type { ChangeResult } from '../../app/backlog/changes.ts';
import { askNext, openTarget, type Target } from '../../app/open/target.ts';
import {
  inspectReturnedWork,
  markDone,
  markFailing,
  reverify,
  finishTakeback,
  type ReturnedWork,
  type TakebackVerdict,
} from '../../app/handover/takeback.ts';
import type { Json } from '../../model/json.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { Answer, Caller, CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { FEATURE_OPTION, itemOf } from '../item-argument.ts';
import { changedJson } from '../../app/backlog/changes.ts';
import { showChanged } from '../show/changed.ts';
import { showReturnedWork, showTakebackVerdict, manualChecksOf } from '../show/takeback.ts';

export const takeback: CommandSpec = {
  name: 'takeback',
  args: '[item]',
  options: [FEATURE_OPTION],
  examples: ['harness takeback', 'harness takeback --yes', 'harness takeback 13'],
  async run(call) {
    const { caller } = call;
    const item = itemOf(call);
    if (!item.ok) return item;
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const returned = await inspectReturnedWork(target.value, item.value);
    if (!returned.ok) return returned;
    if (returned.value !== null) return takeBack(target.value, returned.value, caller);
    return ok({
      exit: EXIT.done,
      json: { taken_back: false, was_handed_off: false },
      lines: [caller.catalogue.text('takeback.none')],
    });
  },
};

async function takeBack(target: Target, returned: ReturnedWork, caller: Caller): Promise<Result<Answer>> {
  const { text } = caller.catalogue;
  for (const line of showReturnedWork(returned, caller)) caller.say(line);
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const release = caller.onInterrupt(end, end);
  const proved = await reverify(target, returned, stop.signal);
  release();
  if (!proved.ok) return proved;
  // Interrupted checks have no result: it is still handed off.
  if (stop.signal.aborted)
    return ok({
      exit: EXIT.interrupted,
      json: { taken_back: false, was_handed_off: true },
      lines: [text('takeback.cut')],
    });
  for (const line of showTakebackVerdict(proved.value, returned, caller)) caller.say(line);
  const failing = await markFailing(target, proved.value.failing);
  if (!failing.ok) return failing;
  const marked = await offer(target, returned, proved.value, caller);
  if (!marked.ok) return marked;
  const settled = await finishTakeback(target, returned.note);
  if (!settled.ok) return settled;
  const next = await askNext(target, null);
  const { own, regressions } = proved.value;
  const holds = own?.holds !== false && regressions.length === 0 && proved.value.failing.length === 0;
  return ok({
    exit: holds ? EXIT.done : EXIT.verification,
    json: jsonOf(returned, proved.value, { marked: marked.value, next: next.next }),
    lines: [
      ...linesOf(returned, proved.value, marked.value, { target, caller }),
      next.next === null ? text('takeback.done') : text('takeback.next', { item: next.next }),
    ],
  });
}

/** Offers to mark the item as done. Null: not offered, or declined. */
async function offer(
  target: Target,
  { subject }: ReturnedWork,
  { own, regressions }: TakebackVerdict,
  caller: Caller,
): Promise<Result<ChangeResult | null>> {
  if (subject === null || subject.passes || own === null || !isProof(own) || regressions.length > 0) return ok(null);
  const question = [
    ...manualChecksOf(subject, caller),
    caller.catalogue.text('takeback.question', { item: subject.id }),
  ];
  return (await caller.confirm(question.join('\n'))) ? markDone(target, subject, own) : ok(null);
}

/** The item's own test ran, and all checks passed. */
const isProof = (own: Verdict): boolean =>
  own.holds && own.checks.some(({ name, passed }) => name === 'feature' && passed);

function linesOf(
  { subject }: ReturnedWork,
  proved: TakebackVerdict,
  marked: ChangeResult | null,
  { target, caller }: { readonly target: Target; readonly caller: Caller },
): readonly string[] {
  const { text } = caller.catalogue;
  const lines: string[] = [];
  if (subject !== null && marked !== null) {
    const words = { item: subject.id, title: subject.title };
    const file = target.config.paths.backlog;
    lines.push(
      ...showChanged(
        marked,
        { done: [text('takeback.marked', words)], already: [text('manual.already', words)], file },
        caller,
      ),
    );
  } else if (subject !== null && subject.passes)
    lines.push(text('manual.already', { item: subject.id, title: subject.title }));
  else if (subject !== null) lines.push(text('takeback.unmarked', { item: subject.id }));
  for (const { id, dependents } of proved.failing)
    lines.push(text('takeback.failing', { item: id, items: dependents.join(', ') }));
  lines.push(
    proved.baseline === null ? text('takeback.baseline-kept') : text('takeback.baseline', { count: proved.baseline }),
  );
  return lines;
}

const jsonOf = (
  { note, commits, subject, claimed, branch }: ReturnedWork,
  { own, suite, regressions, failing, baseline }: TakebackVerdict,
  { marked, next }: { readonly marked: ChangeResult | null; readonly next: string | null },
): { readonly [key: string]: Json } => ({
  taken_back: true,
  was_handed_off: true,
  since: note.since,
  commits: commits.map(({ id, subject: line }) => ({ id, subject: line })),
  branch,
  item: subject?.id ?? null,
  claimed: claimed.map(({ id }) => id),
  passed: own?.holds ?? null,
  checks: [...(own?.checks ?? []), ...(suite === own ? [] : (suite?.checks ?? []))],
  evidence: own?.evidence ?? suite?.evidence ?? null,
  regressions: [...regressions],
  failing: failing.map(({ id }) => id),
  marked: marked !== null && marked.result !== 'queued',
  ...(marked === null ? { result: 'unmarked', commit: null, behind: null } : changedJson(marked)),
  baseline,
  next,
});
