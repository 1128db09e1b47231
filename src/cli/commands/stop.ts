// `harness stop`: ends the live run after its session, or with --now in the middle of it.
import { ok } from '../../model/result.ts';
import { stop as stopTarget } from '../../app/handover/steer.ts';
import { openTarget } from '../../app/open/target.ts';
import type { CommandSpec } from '../command.ts';
import { workerJson, workerWords } from '../show/worker.ts';

export const stop: CommandSpec = {
  name: 'stop',
  args: '',
  options: [{ flags: '--now', about: 'in the middle of the session; the next run resumes it' }],
  examples: ['harness stop', 'harness stop --now'],
  async run({ caller, options }) {
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const now = options['now'] === true;
    const { worker, taken } = await stopTarget(target.value, now);
    const { text } = caller.catalogue;
    const json = { stopping: worker?.run !== undefined && worker.run !== null, now, live: workerJson(worker), taken };
    if (worker === null) return ok({ exit: 0, json, lines: [text('stop.none')] });
    const state = worker.run === null ? 'steer.other' : !taken ? 'steer.untaken' : now ? 'stop.now' : 'stop.after';
    return ok({ exit: 0, json, lines: [text(state, workerWords(worker))] });
  },
};
