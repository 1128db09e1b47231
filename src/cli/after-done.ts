// What a person chooses on a terminal at the end of a run that has done everything: maintenance, another item, or the end.
import type { RunMode } from '../model/run.ts';
import { add } from './commands/add.ts';
import { canAsk, type Caller } from './command.ts';

/** Milliseconds between two checks of maintenance, unless `--every` says otherwise. */
export const MAINTAIN_MS = 3_600_000;

/** A person is at a terminal, and did not ask for an answer that a program reads. */
export const canChoose = (caller: Caller): boolean => canAsk(caller) && caller.onScreen && !caller.quiet;

/** Only where `canChoose`. The mode of the run that follows; null: none does. */
export async function chooseWhatFollows(mode: RunMode, caller: Caller): Promise<RunMode | null> {
  const { text, failure } = caller.catalogue;
  for (;;) {
    const typed = (await caller.ask(text('attend.done')))?.trim().toLowerCase() ?? '';
    // W and H: the same words in German.
    if (/^(m|w)/.test(typed)) {
      caller.say(text('attend.maintains'));
      return { ...mode, untilDone: true, maxSessions: null, maxItems: null, maintainMs: MAINTAIN_MS };
    }
    if (!/^(a|h)/.test(typed)) return null;
    const added = await add.run({ args: [], options: {}, caller });
    if (!added.ok) {
      const { title, fix } = failure(added.failure);
      for (const line of [title, ...fix.map((step) => `→ ${step}`)]) caller.say(line);
      continue;
    }
    for (const line of added.value.lines) caller.print(line);
    if (added.value.exit === 0 && (await caller.confirm(text('attend.work-on-it')))) return mode;
  }
}
