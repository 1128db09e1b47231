// One of several options, asked on the terminal: shown a line each, taken by a name that is one of them.
import { columns } from './show/table.ts';
import type { Caller } from './command.ts';

export type Choice = { readonly id: string; readonly about: string };

/**
 * null: nobody can be asked, or nothing was typed. `other`: says whether what is none of them will do all the same; without it only an
 * option will, and it is asked again.
 */
export async function choose(
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
