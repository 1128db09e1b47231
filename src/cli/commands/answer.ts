// `harness answer`, `approve` and `reject`: answer a gate. The first answer wins.
import { answerGate, findGate, type Reply } from '../../app/look/questions.ts';
import { openProjectView } from '../../app/open/project-view.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { listOf, textOf, type Answer, type CommandCall, type CommandSpec } from '../command.ts';

const NOTE = { flags: '-m, --message <note>', about: 'why, or what to do; passed to the agent' };

export const answer: CommandSpec = {
  name: 'answer',
  args: '<gate> <option>',
  options: [NOTE, { flags: '--field <key=value>', about: 'a field of the question', many: true }],
  examples: ['harness answer g-3 retry', 'harness answer g-3 skip -m "waits for the new API"'],
  async run(call) {
    const [gate = '', choice = ''] = call.args;
    const [field] = listOf(call, 'field');
    if (field !== undefined)
      return err(failure('usage', { what: `${gate} has no fields`, hint: `harness gates show ${gate}` }));
    return reply(call, gate, { choice, note: textOf(call, 'message') ?? '' });
  },
};

export const approve: CommandSpec = {
  name: 'approve',
  args: '<gate>',
  options: [NOTE],
  examples: ['harness approve g-3'],
  run(call) {
    return reply(call, call.args[0] ?? '', { choice: { recommended: true }, note: textOf(call, 'message') ?? '' });
  },
};

export const reject: CommandSpec = {
  name: 'reject',
  args: '<gate>',
  options: [NOTE, { flags: '--reason <note>', about: 'same as --message' }],
  examples: ['harness reject g-3 -m "the plan forgets the mobile layout"'],
  async run(call) {
    const [gate = ''] = call.args;
    const note = textOf(call, 'message') ?? textOf(call, 'reason') ?? '';
    const view = await openProjectView(call.caller);
    if (!view.ok) return view;
    const found = findGate(view.value, gate);
    if (!found.ok) return found;
    const { id, options } = found.value.gate;
    const no = ['reject', 'failed'].find((id_) => options.some((option) => option.id === id_));
    if (no === undefined) {
      const others = options.map((option) => option.id).join(', ');
      const what = `${id} cannot be rejected; its options are ${others}`;
      return err(failure('usage', { what, hint: `harness answer ${id} OPTION` }));
    }
    if (note.trim() === '') return err(failure('reason-needed', { command: `harness reject ${id}` }));
    return reply(call, gate, { choice: no, note });
  },
};

async function reply(call: CommandCall, word: string, said: Reply): Promise<Result<Answer>> {
  const view = await openProjectView(call.caller);
  if (!view.ok) return view;
  const replied = await answerGate(view.value, word, said);
  if (!replied.ok) return replied;
  const { record, answer: given } = replied.value;
  const { id, item } = record.gate;
  const { text } = call.caller.catalogue;
  return ok({
    exit: 0,
    json: { gate: id, item, option: given.option, note: given.note, by: given.by, at: given.at },
    lines: [text('gate.answered', { gate: id, option: given.option }), `→ ${text('gates.then')}`],
  });
}
