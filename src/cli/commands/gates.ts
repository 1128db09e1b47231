// `harness gates`: the questions that wait for a person.
import { findGate, listGates, paperOf } from '../../app/look/questions.ts';
import { openView } from '../../app/open/view.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { gateJson, showGate, showGates, showPaper } from '../show/gates.ts';
import { partOf } from '../subcommand.ts';

export const gates: CommandSpec = {
  name: 'gates',
  args: '[ls|show] [gate]',
  options: [{ flags: '--all', about: 'those that are answered or withdrawn too' }],
  examples: ['harness gates', 'harness gates show g-3', 'harness gates --all --json'],
  async run({ args, options, caller }) {
    const part = partOf('gates', args, { ls: [], show: ['GATE'] }, 'show');
    if (!part.ok) return part;
    const view = await openView(caller);
    if (!view.ok) return view;
    const [word] = part.value.words;
    if (word !== undefined) {
      const record = findGate(view.value, word);
      if (!record.ok) return record;
      const paper = record.value.closed === null ? paperOf(view.value, record.value) : null;
      const lines = [...showPaper(paper), ...showGate(record.value, caller)];
      return ok({ exit: 0, json: { gate: { ...gateJson(record.value, caller), paper } }, lines });
    }
    const records = listGates(view.value, { open: options['all'] !== true });
    if (!records.ok) return records;
    const json = { gates: records.value.map((record) => gateJson(record, caller)) };
    return ok({ exit: 0, json, lines: showGates(records.value, caller) });
  },
};
