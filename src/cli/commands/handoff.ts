// `harness handoff`: ends active sessions and leaves the work to the user.
import { handOff, type HandoffReport } from '../../app/handover/handoff.ts';
import { openTarget } from '../../app/open/target.ts';
import { openProjectView } from '../../app/open/project-view.ts';
import { ok } from '../../model/result.ts';
import type { Json } from '../../model/json.ts';
import { stoppable, type Caller, type CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { itemOf } from '../item-argument.ts';
import { holdOne } from '../show/held.ts';
import { workerJson, workerWords } from '../show/worker.ts';

export const handoff: CommandSpec = {
  name: 'handoff',
  args: '[item]',
  options: [],
  examples: ['harness handoff', 'harness handoff 12', 'harness takeback'],
  async run(call) {
    const { caller } = call;
    const item = itemOf(call);
    if (!item.ok) return item;
    if (item.value !== null) return holdOne(caller, item.value, 'handoff');
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const view = await openProjectView(caller);
    if (!view.ok) return view;
    caller.say(caller.catalogue.text('handoff.begun'));
    const handed = await stoppable(caller, (signal) => handOff(target.value, view.value, signal));
    if (!handed.ok) return handed;
    return ok({ exit: EXIT.done, json: jsonOf(handed.value), lines: linesOf(handed.value, caller) });
  },
};

function linesOf(handed: HandoffReport, caller: Caller): readonly string[] {
  const { text, outcome } = caller.catalogue;
  const { note, wasHandedOff, worker, taken, item, landed, total } = handed;
  const percent = total === 0 ? 0 : Math.floor((100 * landed) / total);
  const share = `  ${text('handoff.share', { landed, total, percent })}`;
  if (!note.settled) {
    const words = worker === null ? { command: 'harness', pid: '?' } : workerWords(worker);
    const state = worker?.run === null ? 'steer.other' : taken ? 'handoff.ending' : 'steer.untaken';
    return [text('handoff.noted'), caller.tint('yellow', text(state, words)), share, text('handoff.again')];
  }
  const reason = item?.reason ?? null;
  const about =
    item === null
      ? [text('handoff.nothing')]
      : [
          text('handoff.item', {
            item: item.subject.id,
            title: item.subject.title,
            session: item.session ?? '',
            reason: reason === null ? '' : outcome(reason),
          }),
          item.subject.testFile === null
            ? text('manual.no-file')
            : text('manual.file', { file: item.subject.testFile }),
          ...(item.work === null ? [] : [text('handoff.work', { ref: item.work })]),
          ...(item.command === null ? [] : [text('manual.run', { command: item.command })]),
        ];
  return [
    text(wasHandedOff ? 'handoff.already' : 'handoff.done', { since: note.since }),
    ...about.map((line) => `  ${line}`),
    share,
    text('handoff.then'),
  ];
}

const jsonOf = ({
  note,
  wasHandedOff,
  worker,
  taken,
  item,
  landed,
  total,
}: HandoffReport): { readonly [key: string]: Json } => ({
  handed_off: true,
  was_handed_off: wasHandedOff,
  since: note.since,
  by: note.by,
  head: note.head,
  branch: note.branch,
  settled: note.settled,
  live: workerJson(worker),
  taken,
  item: item && {
    id: item.subject.id,
    title: item.subject.title,
    test_file: item.subject.testFile,
    command: item.command,
    session: item.session,
    reason: item.reason,
    work: item.work,
  },
  items: { landed, total },
});
