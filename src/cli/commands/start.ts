// `harness PLAYBOOK`, for a playbook with its own command: starts its work, then runs as `harness run` does.
import { openStart, startBy } from '../../app/run/start.ts';
import type { StartCommand, StartUser } from '../../engine/start.ts';
import type { PlaybookManifest } from '../../engine/manifest.ts';
import { ok } from '../../model/result.ts';
import { textOf, type Caller, type CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { narrator } from '../show/narrator.ts';
import { statusLines } from '../show/status-lines.ts';
import { drive } from './run.ts';
import { columns } from '../show/table.ts';

export const startCommand = (playbook: PlaybookManifest, command: StartCommand): CommandSpec => ({
  name: playbook.name,
  args: command.args,
  options: command.options,
  examples: command.examples,
  async run(call) {
    const { caller } = call;
    const read = await command.load();
    const begin = read(call.args, (name) => textOf(call, name));
    if (!begin.ok) return begin;
    const opened = await openStart(caller, playbook);
    if (!opened.ok) return opened;
    const target = opened.value;
    const started = await startBy(target, begin.value, startUser(caller, playbook), narrator(caller));
    if (!started.ok) return started;
    if (started.value.do === 'stop') {
      const { text, result } = started.value;
      return ok({ exit: EXIT.done, json: { result }, lines: [caller.catalogue.text(text)] });
    }
    const { runOptions, setUp } = started.value;
    const asked = { ...target, config: { ...target.config, runOptions } };
    const untilDone = target.machine.runs === 'until-done';
    const mode = { work: true, only: null, untilDone, maxSessions: null, maxItems: null };
    const answer = await drive(asked, mode, `harness ${playbook.name}`, await caller.inUserLanguage());
    if (!answer.ok || setUp === undefined || answer.value.json === null) return answer;
    return ok({ ...answer.value, json: { ...answer.value.json, set_up: setUp } });
  },
});

function startUser(caller: Caller, { name }: PlaybookManifest): StartUser {
  let speaking = caller;
  const text: StartUser['text'] = (key, params) => speaking.catalogue.text(key, params);
  return {
    language: caller.language,
    async speak(language) {
      speaking = await caller.inUserLanguage(language);
    },
    choose({ key, choices, params = {}, other }) {
      const question = text(key, { options: choices.join(', '), ...params });
      const all = choices.map((id) => ({ id, about: text(`${key}-${id}`, params) }));
      return choose(speaking, { choices: all, question, ...(other === undefined ? {} : { other }) });
    },
    canBeAsked: !caller.noInput && !caller.json,
    text,
    say(key, params, style) {
      const line = text(key, params);
      speaking.say(style === 'warning' ? speaking.paint('yellow', line) : line);
    },
    show(lines, title) {
      for (const line of statusLines(lines, name, speaking, text(title))) speaking.say(line);
    },
  };
}

type Choice = { readonly id: string; readonly about: string };

/**
 * Asks the user to choose. Null: questions are not possible, or the answer was empty. With `other` any answer is accepted;
 * otherwise an unknown option is asked again.
 */
async function choose(
  caller: Caller,
  ask: { readonly choices: readonly Choice[]; readonly question: string; readonly other?: true },
): Promise<string | null> {
  if (caller.noInput || caller.json) return null;
  for (const row of columns(ask.choices.map(({ id, about }) => ['  ', id, about]))) caller.say(row);
  for (;;) {
    const typed = (await caller.ask(ask.question))?.trim() ?? '';
    if (typed === '') return null;
    const chosen = ask.choices.find(({ id }) => id === typed.toLowerCase());
    if (chosen !== undefined) return chosen.id;
    if (ask.other === true) return typed;
    caller.say(caller.catalogue.text('choice.unknown', { option: typed }));
  }
}
