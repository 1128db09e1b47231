// `harness items`: the list, or one item.
import * as operations from '../../app/operations/items.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { showDetail, showItems } from '../show/items.ts';
import { parseSubcommand } from '../subcommand.ts';

export const items: CommandSpec = {
  name: 'items',
  args: '[ls|show] [item]',
  options: [],
  examples: [
    'harness items',
    'harness items show 12',
    `harness items --json | jq '.items[] | select(.status == "ready")'`,
  ],
  async run({ args, caller }) {
    const part = parseSubcommand('items', args, { ls: [], show: ['ITEM'] }, 'show');
    if (!part.ok) return part;
    const [word] = part.value.words;
    if (word !== undefined) {
      const one = await operations.item.run(caller, { item: word });
      return one.ok ? ok({ exit: 0, json: one.value.answer, lines: showDetail(one.value.detail, caller) }) : one;
    }
    const all = await operations.items.run(caller, {});
    if (!all.ok) return all;
    const { list, playbook } = all.value.detail;
    return ok({ exit: 0, json: all.value.answer, lines: caller.json ? [] : showItems(list, playbook, caller) });
  },
};
