// `harness retry ITEM`, `harness retry --all`: gives attempts back.
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { retry as operation } from '../../app/operations/change.ts';
import type { CommandSpec } from '../command.ts';
import { FEATURE_OPTION, itemNeeded } from '../item-argument.ts';
import { showChanged } from '../show/changed.ts';

export const retry: CommandSpec = {
  name: 'retry',
  args: '[item]',
  options: [FEATURE_OPTION, { flags: '--all', about: 'all items that have not landed' }],
  examples: ['harness retry task-003', 'harness retry --all'],
  async run(call) {
    const { caller } = call;
    const { text } = caller.catalogue;
    const isAll = call.options['all'] === true;
    const hasItem = call.args.length > 0 || call.options['feature'] !== undefined;
    if (isAll && hasItem)
      return err(failure('usage', { what: 'an item and --all exclude each other', hint: 'harness retry --all' }));
    const item = isAll ? ok(null) : itemNeeded(call, 'retry');
    if (!item.ok) return item;
    const done = await operation.run(caller, { item: item.value });
    if (!done.ok) return done;
    const { answer, detail } = done.value;
    const { items, changed, file } = detail;
    const named = items.map((id) => `#${id}`).join(', ');
    const said = {
      done: [text('retry.done', { count: items.length, items: named })],
      already: [text('retry.already', { count: items.length, items: named })],
      file,
    };
    const lines = changed.result === 'applied' ? said.done : showChanged(changed, said, caller);
    return ok({ exit: 0, json: answer, lines });
  },
};
