// The questions of a workflow before its machine runs, on the terminal: what becomes of a session that is there, mode, and models.
import type { Person } from '../app/workflow/begin.ts';
import { sessionTold } from '../app/workflow/told.ts';
import type { TextKey } from '../host/sentences/en/all.ts';
import { choose, type Choice } from './choose.ts';
import type { Caller } from './command.ts';
import { tellLines } from './show/tells.ts';

const MODES = ['standard', 'single', 'multi'] as const;
const PRESETS = ['default', 'all-opus', 'balanced', 'economy'] as const;

export function workflowPerson(asking: Caller): Person {
  let caller = asking;
  const choices = (question: string, ids: readonly string[], params = {}): readonly Choice[] =>
    ids.map((id) => ({ id, about: caller.catalogue.text(`workflow.${question}-${id}` as TextKey, params) }));
  const ask = (question: TextKey, all: readonly Choice[], params: { readonly [name: string]: string }, other?: true) =>
    choose(caller, {
      choices: all,
      question: caller.catalogue.text(question, { options: all.map(({ id }) => id).join(', '), ...params }),
      ...(other === undefined ? {} : { other }),
    });
  return {
    async speak(lang) {
      caller = await asking.asSpoken(lang);
    },
    async session(file, options) {
      const { text } = caller.catalogue;
      const told = sessionTold(file);
      const mark = text(told.isV1 ? 'workflow.there-v1' : 'workflow.there');
      for (const line of tellLines(told.lines, 'workflow', caller, mark)) caller.say(line);
      caller.say(text('workflow.next', { step: told.next ?? '' }));
      const phase = text(`workflow.line.${told.phase}`);
      return ask('workflow.session', choices('session', options, { phase }), {});
    },
    conflict: (skill, options) => ask('workflow.conflict', choices('conflict', options), { skill }),
    async mode(recommended) {
      if (caller.noInput || caller.json) return null;
      const said = await ask('workflow.mode', choices('mode', MODES), { recommended });
      return MODES.find((mode) => mode === said) ?? recommended;
    },
    async models(recommended, wrong) {
      if (caller.noInput || caller.json) return null;
      if (wrong !== null)
        caller.say(
          caller.catalogue.text('workflow.models-wrong', {
            wrong: wrong.wrong.join(', '),
            allowed: wrong.allowed.join(', '),
          }),
        );
      return (await ask('workflow.models', choices('models', PRESETS), { recommended }, true)) ?? recommended;
    },
    tell(what) {
      const { text } = caller.catalogue;
      const line =
        what === 'resumed-set-up'
          ? text('workflow.resumed-set-up')
          : text('workflow.docs-path-invalid', { path: what.invalid });
      caller.say(caller.paint('yellow', line));
    },
  };
}
