// `harness memory`: what the sessions of a machine remember.
import { memory as operation } from '../../app/operations/memory.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { showMemory } from '../show/memory.ts';

export const memory: CommandSpec = {
  name: 'memory',
  args: '[role]',
  options: [],
  examples: ['harness memory', 'harness memory worker'],
  async run({ caller, args: [role] }) {
    const read = await operation.run(caller, role === undefined ? {} : { role });
    if (!read.ok) return read;
    const { answer } = read.value;
    return ok({ exit: 0, json: answer, lines: showMemory(answer, caller) });
  },
};
