// `harness answer`, `approve` and `reject`: answer a gate. The first answer wins.
import { findGate } from '../../app/look/questions.ts';
import { answer as answers } from '../../app/operations/steer.ts';
import { openProjectView } from '../../app/open/project-view.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { run } from './run.ts';
import { listOf, textOf, type Answer, type CommandCall, type CommandSpec } from '../command.ts';

const RUN = [
  { flags: '--run', about: 'then continue the work, as `harness run` does' },
  { flags: '--until-done', about: 'with --run: session after session' },
];
const NOTE = { flags: '-m, --message <note>', about: 'why, or what to do; passed to the agent' };

export const answer: CommandSpec = {
  name: 'answer',
  args: '<gate> <option>',
  options: [NOTE, ...RUN, { flags: '--field <key=value>', about: 'a field of the question', many: true }],
  examples: [
    'harness answer g-3 retry',
    'harness answer g-3 retry --run',
    'harness answer g-3 skip -m "waits for the new API"',
  ],
  async run(call) {
    const [gate = '', choice = ''] = call.args;
    const [field] = listOf(call, 'field');
    if (field !== undefined)
      return err(failure('usage', { what: `${gate} has no fields`, hint: `harness gates show ${gate}` }));
    return reply(call, gate, { option: choice, note: textOf(call, 'message') ?? '' });
  },
};

export const approve: CommandSpec = {
  name: 'approve',
  args: '<gate>',
  options: [NOTE, ...RUN],
  examples: ['harness approve g-3'],
  run(call) {
    return reply(call, call.args[0] ?? '', { option: null, note: textOf(call, 'message') ?? '' });
  },
};

export const reject: CommandSpec = {
  name: 'reject',
  args: '<gate>',
  options: [NOTE, ...RUN, { flags: '--reason <note>', about: 'same as --message' }],
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
    return reply(call, gate, { option: no, note });
  },
};

async function reply(
  call: CommandCall,
  gate: string,
  said: { option: string | null; note: string },
): Promise<Result<Answer>> {
  const isRun = call.options['run'] === true;
  if (!isRun && call.options['untilDone'] === true)
    return err(failure('usage', { what: '--until-done needs --run', hint: `harness answer ${gate} OPTION --run` }));
  const replied = await answers.run(call.caller, { gate, ...said });
  if (!replied.ok) return replied;
  const { answer: given } = replied.value;
  const { text } = call.caller.catalogue;
  const answered = text('gate.answered', { gate: given.gate, option: given.option });
  if (!isRun) return ok({ exit: 0, json: given, lines: [answered, `→ ${text('gates.then')}`] });
  call.caller.say(answered);
  const { untilDone } = call.options;
  const ran = await run.run({ ...call, args: [], options: untilDone === undefined ? {} : { untilDone } });
  // A live run takes the answer by itself.
  if (!ran.ok && ran.failure.reason === 'locked')
    return ok({ exit: 0, json: { ...given, run: null }, lines: [text('gates.live')] });
  if (!ran.ok) return ran;
  return ok({ ...ran.value, json: ran.value.json && { ...ran.value.json, answered: given } });
}
