// `harness skip ITEM --reason TEXT` leaves an item out; `harness unblock ITEM` lets the items start that depend on it.
import * as operations from '../../app/operations/change.ts';
import { ok } from '../../model/result.ts';
import { textOf, type CommandSpec } from '../command.ts';
import { FEATURE_OPTION, itemNeeded } from '../item-argument.ts';
import { showChanged } from '../show/changed.ts';

export const skip: CommandSpec = {
  name: 'skip',
  args: '[item]',
  options: [
    FEATURE_OPTION,
    { flags: '--reason <text>', about: 'why; shown with the item' },
    { flags: '--unblock', about: 'items that depend on it may start' },
  ],
  examples: ['harness skip 12 --reason "Blocked on external API"', 'harness skip 12 --reason "Not ours" --unblock'],
  async run(call) {
    const { caller } = call;
    const { text } = caller.catalogue;
    const item = itemNeeded(call, 'skip');
    if (!item.ok) return item;
    const reason = textOf(call, 'reason') ?? '';
    const asked = { item: item.value, reason, unblock: call.options['unblock'] === true };
    const done = await operations.skip.run(caller, asked);
    if (!done.ok) return done;
    const { answer, detail } = done.value;
    const { id, title, passes, dependents } = detail.subject;
    const key = answer.unblock ? 'skip.frees' : 'skip.blocks';
    const waiting = dependents.length === 0 ? [] : [text(key, { items: dependents.join(', ') })];
    const said = {
      done: [text('skip.done', { item: id, title, reason: answer.reason }), ...waiting],
      already: [text(passes ? 'skip.landed' : 'skip.already', { item: id, title })],
      file: detail.file,
    };
    return ok({ exit: 0, json: answer, lines: showChanged(detail.changed, said, caller) });
  },
};

export const unblock: CommandSpec = {
  name: 'unblock',
  args: '[item]',
  options: [FEATURE_OPTION],
  examples: ['harness unblock 12'],
  async run(call) {
    const { caller } = call;
    const item = itemNeeded(call, 'unblock');
    if (!item.ok) return item;
    const done = await operations.unblock.run(caller, { item: item.value });
    if (!done.ok) return done;
    const { answer, detail } = done.value;
    const { id, title } = detail.subject;
    const line = caller.catalogue.text(detail.isAgain ? 'unblock.again' : 'unblock.done', { item: id, title });
    const lines = showChanged(detail.changed, { done: [line], already: [line], file: detail.file }, caller);
    return ok({ exit: 0, json: answer, lines });
  },
};
