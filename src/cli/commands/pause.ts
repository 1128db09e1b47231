// `harness pause`: ends the live session and keeps its work; no run starts until `harness resume`.
import { pause as operation } from '../../app/operations/steer.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { itemOf } from '../item-argument.ts';
import { holdOne } from '../show/held.ts';
import { workerWords } from '../show/worker.ts';

export const pause: CommandSpec = {
  name: 'pause',
  args: '[item]',
  options: [],
  examples: ['harness pause', 'harness pause 12', 'harness resume'],
  async run(call) {
    const { caller } = call;
    const item = itemOf(call);
    if (!item.ok) return item;
    if (item.value !== null) return holdOne(caller, item.value, 'pause');
    const done = await operation.run(caller, {});
    if (!done.ok) return done;
    const { live, taken, was_paused: wasPaused } = done.value.answer;
    const { text } = caller.catalogue;
    const state =
      live === null
        ? [text(wasPaused ? 'pause.already' : 'pause.now')]
        : [
            ...(wasPaused ? [text('pause.already')] : []),
            text(live.run === null ? 'steer.other' : taken ? 'pause.run' : 'steer.untaken', workerWords(live)),
          ];
    return ok({ exit: 0, json: done.value.answer, lines: [...state, text('steer.resume')] });
  },
};
