// `harness freeze` and `unfreeze`: no run starts while the repository is frozen.
import * as operations from '../../app/operations/steer.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { workerWords } from '../show/worker.ts';

export const freeze: CommandSpec = {
  name: 'freeze',
  args: '',
  options: [],
  examples: ['harness freeze', 'harness unfreeze'],
  async run({ caller }) {
    const done = await operations.freeze.run(caller, {});
    if (!done.ok) return done;
    const { live, taken, was_frozen: wasFrozen } = done.value.answer;
    const { text } = caller.catalogue;
    const state =
      live === null ? [] : ([live.run === null ? 'steer.other' : taken ? 'freeze.run' : 'steer.untaken'] as const);
    const lines = [
      text(wasFrozen ? 'freeze.already' : 'freeze.now'),
      ...state.map((key) => text(key, live === null ? {} : workerWords(live))),
    ];
    return ok({ exit: 0, json: done.value.answer, lines });
  },
};

export const unfreeze: CommandSpec = {
  name: 'unfreeze',
  args: '',
  options: [],
  examples: ['harness unfreeze'],
  async run({ caller }) {
    const done = await operations.unfreeze.run(caller, {});
    if (!done.ok) return done;
    const { was_frozen: wasFrozen } = done.value.answer;
    const line = caller.catalogue.text(wasFrozen ? 'unfreeze.now' : 'unfreeze.was');
    return ok({ exit: 0, json: done.value.answer, lines: [line] });
  },
};
