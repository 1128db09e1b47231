// `harness stop`: ends the live run after its session, or with --now in the middle of it.
import { stop as operation } from '../../app/operations/steer.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { workerWords } from '../show/worker.ts';

export const stop: CommandSpec = {
  name: 'stop',
  args: '',
  options: [{ flags: '--now', about: 'in the middle of the session; the next run resumes it' }],
  examples: ['harness stop', 'harness stop --now'],
  async run({ caller, options }) {
    const done = await operation.run(caller, { now: options['now'] === true });
    if (!done.ok) return done;
    const { live, taken, now } = done.value.answer;
    const { text } = caller.catalogue;
    if (live === null) return ok({ exit: 0, json: done.value.answer, lines: [text('stop.none')] });
    const state = live.run === null ? 'steer.other' : !taken ? 'steer.untaken' : now ? 'stop.now' : 'stop.after';
    return ok({ exit: 0, json: done.value.answer, lines: [text(state, workerWords(live))] });
  },
};
