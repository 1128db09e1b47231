// `harness status`: the most frequent command, so it loads only what it needs.
import { readStatus } from '../../app/look/status.ts';
import { openProjectView } from '../../app/open/project-view.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { showStatus } from '../show/status.ts';

export const status: CommandSpec = {
  name: 'status',
  args: '',
  options: [],
  examples: ['harness status', 'harness status --json | jq .items'],
  async run({ caller }) {
    const view = await openProjectView(caller);
    if (!view.ok) return view;
    const read = await readStatus(view.value);
    if (!read.ok) return read;
    const lines = caller.json ? [] : showStatus(read.value, caller, () => Date.now());
    return ok({ exit: 0, json: read.value.json, lines });
  },
};
