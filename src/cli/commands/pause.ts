// `harness pause`: ends the live session and keeps its work; no run starts until `harness resume`.
import { ok } from '../../model/result.ts';
import { pause as pauseTarget } from '../../app/handover/steer.ts';
import { openTarget } from '../../app/open/target.ts';
import type { CommandSpec } from '../command.ts';
import { workerJson, workerWords } from '../show/worker.ts';

export const pause: CommandSpec = {
  name: 'pause',
  args: '',
  options: [],
  examples: ['harness pause', 'harness resume'],
  async run({ caller }) {
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const { worker, taken, wasPaused } = await pauseTarget(target.value);
    const { text } = caller.catalogue;
    const state =
      worker === null
        ? [text(wasPaused ? 'pause.already' : 'pause.now')]
        : [
            ...(wasPaused ? [text('pause.already')] : []),
            text(worker.run === null ? 'steer.other' : taken ? 'pause.run' : 'steer.untaken', workerWords(worker)),
          ];
    const json = { paused: true, was_paused: wasPaused, live: workerJson(worker), taken };
    return ok({ exit: 0, json, lines: [...state, text('steer.resume')] });
  },
};
