// `harness abort`: stops everything and clears all stored progress.
import { abort as abortTarget, type AbortReport } from '../../app/handover/abort.ts';
import { openTarget } from '../../app/open/target.ts';
import type { Json } from '../../model/json.ts';
import { ok } from '../../model/result.ts';
import type { Caller, CommandSpec } from '../command.ts';
import { consent } from '../consent.ts';
import { EXIT } from '../exit-codes.ts';
import { itemOf } from '../item-argument.ts';
import { holdOne } from '../show/held.ts';
import { workerJson, workerWords } from '../show/worker.ts';

export const abort: CommandSpec = {
  name: 'abort',
  args: '[item]',
  options: [],
  examples: ['harness abort', 'harness abort --yes', 'harness abort 12'],
  async run(call) {
    const { caller } = call;
    const item = itemOf(call);
    if (!item.ok) return item;
    if (item.value !== null) return holdOne(caller, item.value, 'abort');
    const { text } = caller.catalogue;
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const agreed = await consent(caller, {
      action: 'harness abort',
      shown: [
        text('abort.what'),
        ...(['abort.stops', 'abort.keeps', 'abort.attempt', 'abort.clears'] as const).map((key) => `  - ${text(key)}`),
      ],
      question: text('abort.question'),
    });
    if (!agreed.ok) return agreed;
    if (!agreed.value)
      return ok({ exit: EXIT.done, json: { aborted: false, result: 'declined' }, lines: [text('change.none')] });
    const aborted = await abortTarget(target.value);
    if (!aborted.ok) return aborted;
    return ok({ exit: EXIT.done, json: jsonOf(aborted.value), lines: linesOf(aborted.value, caller) });
  },
};

function linesOf({ worker, sessions, gates }: AbortReport, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  return [
    ...(worker === null || worker.run === null ? [] : [text('abort.stopped', workerWords(worker))]),
    ...sessions.map(({ item, session, attempt }) =>
      attempt === null ? text('abort.session', { item, session }) : text('abort.kept', { item, session, attempt }),
    ),
    ...(sessions.some(({ isLeft }) => isLeft) ? [caller.tint('yellow', text('abort.left'))] : []),
    ...(gates.length === 0 ? [] : [text('abort.gates', { gates: gates.join(', ') })]),
    text('abort.done'),
  ];
}

const jsonOf = ({ worker, sessions, gates }: AbortReport): { readonly [key: string]: Json } => ({
  aborted: true,
  result: 'aborted',
  live: workerJson(worker),
  sessions: sessions.map(({ item, session, attempt, isLeft }) => ({ item, session, attempt, tree_left: isLeft })),
  gates: [...gates],
});
