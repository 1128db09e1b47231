// `harness rollback ITEM` and `harness message ITEM TEXT`: one item, while others are at work.
import { message as operation } from '../../app/operations/hold.ts';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { itemNeeded } from '../item-argument.ts';
import { holdOne } from '../show/held.ts';

export const rollback: CommandSpec = {
  name: 'rollback',
  args: '[item]',
  options: [],
  examples: ['harness rollback 12'],
  async run(call) {
    const item = itemNeeded(call, 'rollback');
    return item.ok ? holdOne(call.caller, item.value, 'rollback') : item;
  },
};

export const message: CommandSpec = {
  name: 'message',
  args: '[item] [text]',
  options: [],
  examples: ['harness message 12 "Use the existing date picker"'],
  async run(call) {
    const item = itemNeeded(call, 'message');
    if (!item.ok) return item;
    const [, words = ''] = call.args;
    if (words.trim() === '')
      return err(
        failure('usage', { what: 'no text is given', hint: 'harness message 12 "Use the existing date picker"' }),
      );
    const done = await operation.run(call.caller, { item: item.value, text: words });
    if (!done.ok) return done;
    const { answer, detail } = done.value;
    const about = { item: answer.item, title: detail.subject.title };
    const key = answer.at_work ? 'message.at-work' : 'message.next';
    return ok({ exit: 0, json: answer, lines: [call.caller.catalogue.text(key, about)] });
  },
};
