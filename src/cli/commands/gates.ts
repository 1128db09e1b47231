// `harness gates`: the questions waiting for an answer.
import { findGate, listGates, gateDocument } from '../../app/look/questions.ts';
import { openProjectView } from '../../app/open/project-view.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { gateJson, showGate, showGates, showDocument } from '../show/gates.ts';
import { parseSubcommand } from '../subcommand.ts';

export const gates: CommandSpec = {
  name: 'gates',
  args: '[ls|show] [gate]',
  options: [{ flags: '--all', about: 'include answered and withdrawn questions' }],
  examples: ['harness gates', 'harness gates show g-3', 'harness gates --all --json'],
  async run({ args, options, caller }) {
    const part = parseSubcommand('gates', args, { ls: [], show: ['GATE'] }, 'show');
    if (!part.ok) return part;
    const view = await openProjectView(caller);
    if (!view.ok) return view;
    const [word] = part.value.words;
    if (word !== undefined) {
      const record = findGate(view.value, word);
      if (!record.ok) return record;
      const document = record.value.closed === null ? gateDocument(view.value, record.value) : null;
      const lines = [...showDocument(document), ...showGate(record.value, caller)];
      return ok({ exit: 0, json: { gate: { ...gateJson(record.value, caller), paper: document } }, lines });
    }
    const records = listGates(view.value, { open: options['all'] !== true });
    if (!records.ok) return records;
    const json = { gates: records.value.map((record) => gateJson(record, caller)) };
    return ok({ exit: 0, json, lines: showGates(records.value, caller) });
  },
};
