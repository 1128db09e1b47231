// `harness show`: an item, or a run.
import { failure } from '../../model/failure.ts';
import { err } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { items } from './items.ts';
import { runs } from './runs.ts';

/** As runs are named, and the newest one. */
const RUN = /^(?:r-\d{8}.*|last)$/;

export const show: CommandSpec = {
  name: 'show',
  args: '<item-or-run>',
  options: [],
  examples: ['harness show 12', 'harness show task-003', 'harness show last'],
  async run(call) {
    const [word = ''] = call.args;
    if (word === '')
      return err(failure('usage', { what: 'no item and no run is named', hint: 'harness items, or harness runs' }));
    return (RUN.test(word) ? runs : items).run({ ...call, args: ['show', word] });
  },
};
