// `harness gates`: the questions waiting for an answer.
import * as operations from '../../app/operations/gates.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { showDocument, showGate, showGates } from '../show/gates.ts';
import { parseSubcommand } from '../subcommand.ts';

export const gates: CommandSpec = {
  name: 'gates',
  args: '[ls|show] [gate]',
  options: [{ flags: '--all', about: 'include answered and withdrawn questions' }],
  examples: ['harness gates', 'harness gates show g-3', 'harness gates --all --json'],
  async run({ args, options, caller }) {
    const part = parseSubcommand('gates', args, { ls: [], show: ['GATE'] }, 'show');
    if (!part.ok) return part;
    const [word] = part.value.words;
    if (word !== undefined) {
      const one = await operations.gate.run(caller, { gate: word });
      if (!one.ok) return one;
      const { record, document } = one.value.detail;
      return ok({ exit: 0, json: one.value.answer, lines: [...showDocument(document), ...showGate(record, caller)] });
    }
    const all = await operations.gates.run(caller, { all: options['all'] === true });
    return all.ok ? ok({ exit: 0, json: all.value.answer, lines: showGates(all.value.detail, caller) }) : all;
  },
};
