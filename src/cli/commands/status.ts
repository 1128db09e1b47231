// `harness status`: the most frequent command, so it loads only what it needs.
import { status as operation } from '../../app/operations/status.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { showStatus } from '../show/status.ts';

export const status: CommandSpec = {
  name: 'status',
  args: '',
  options: [],
  examples: ['harness status', 'harness status --json | jq .items'],
  async run({ caller }) {
    const read = await operation.run(caller, {});
    if (!read.ok) return read;
    const { answer, detail } = read.value;
    return ok({ exit: 0, json: answer, lines: caller.json ? [] : showStatus(detail, caller, () => Date.now()) });
  },
};
