// `harness costs`: what the work has cost, by item, role or model.
import { costs as operation } from '../../app/operations/history.ts';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { textOf, type CommandSpec } from '../command.ts';
import { showCosts } from '../show/runs.ts';

const WAYS = ['item', 'role', 'model'] as const;

export const costs: CommandSpec = {
  name: 'costs',
  args: '',
  options: [{ flags: '--by <way>', about: 'item (the default), role or model' }],
  examples: ['harness costs', 'harness costs --by model'],
  async run(call) {
    const word = textOf(call, 'by') ?? 'item';
    const by = WAYS.find((way) => way === word);
    if (by === undefined)
      return err(
        failure('usage', { what: `--by must be ${WAYS.join(', ')}, not '${word}'`, hint: 'harness costs --help' }),
      );
    const read = await operation.run(call.caller, {});
    if (!read.ok) return read;
    const { answer } = read.value;
    return ok({ exit: 0, json: answer, lines: showCosts(answer, answer[`by_${by}`], by, call.caller) });
  },
};
