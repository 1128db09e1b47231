// `harness runs`: the runs, newest first, or one of them as a timeline.
import * as operations from '../../app/operations/history.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { showRuns, showTimeline } from '../show/runs.ts';
import { parseSubcommand } from '../subcommand.ts';

export const runs: CommandSpec = {
  name: 'runs',
  args: '[ls|show] [run]',
  options: [],
  examples: ['harness runs', 'harness runs show last'],
  async run({ args, caller }) {
    const part = parseSubcommand('runs', args, { ls: [], show: ['RUN'] }, 'show');
    if (!part.ok) return part;
    const [name] = part.value.words;
    if (name !== undefined) {
      const one = await operations.run.run(caller, { run: name });
      return one.ok ? ok({ exit: 0, json: one.value.answer, lines: showTimeline(one.value.answer, caller) }) : one;
    }
    const all = await operations.runs.run(caller, {});
    return all.ok ? ok({ exit: 0, json: all.value.answer, lines: showRuns(all.value.answer.runs, caller) }) : all;
  },
};
