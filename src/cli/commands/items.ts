// `harness items`: the list, or one item.
import { detailJson, itemJson, listItems, showItem } from '../../app/backlog/items.ts';
import { openProjectView } from '../../app/open/project-view.ts';
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
    const view = await openProjectView(caller);
    if (!view.ok) return view;
    const [word] = part.value.words;
    if (word !== undefined) {
      const detail = await showItem(view.value, word);
      if (!detail.ok) return detail;
      return ok({ exit: 0, json: { item: detailJson(detail.value) }, lines: showDetail(detail.value, caller) });
    }
    const list = await listItems(view.value);
    if (!list.ok) return list;
    const json = { items: list.value.items.map(itemJson) };
    return ok({ exit: 0, json, lines: caller.json ? [] : showItems(list.value, view.value.playbook, caller) });
  },
};
