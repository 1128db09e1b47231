// `harness pause`: ends the live session and keeps its work; no run starts until `harness resume`.
import { pause as operation } from '../../app/operations/steer.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { workerWords } from '../show/worker.ts';

export const pause: CommandSpec = {
  name: 'pause',
  args: '',
  options: [],
  examples: ['harness pause', 'harness resume'],
  async run({ caller }) {
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
