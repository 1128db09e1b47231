// `harness status`: the most frequent command, so it loads only what it needs.
import { status as operation } from '../../app/operations/status.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { showStatus } from '../show/status.ts';

export const status: CommandSpec = {
  name: 'status',
  args: '',
  options: [{ flags: '-w, --watch', about: 'show it again at each change, until Ctrl-C' }],
  examples: ['harness status', 'harness status --watch', 'harness status --json | jq .items'],
  async run({ caller, options }) {
    if (options['watch'] === true) return (await import('../show/live/watch-status.ts')).watchStatus(caller);
    const read = await operation.run(caller, {});
    if (!read.ok) return read;
    const { answer, detail } = read.value;
    return ok({ exit: 0, json: answer, lines: caller.json ? [] : showStatus(detail, caller, () => Date.now()) });
  },
};
