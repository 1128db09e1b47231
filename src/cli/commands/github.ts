// `harness github sync`: the issues of the repository and the items of the list.
import { sync } from '../../app/operations/sync.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { issueLine } from '../show/issues.ts';
import { parseSubcommand } from '../subcommand.ts';

export const github: CommandSpec = {
  name: 'github',
  args: '[sync]',
  options: [],
  examples: ['harness github sync'],
  async run({ args, caller }) {
    const part = parseSubcommand('github', args, { sync: [] }, null);
    if (!part.ok) return part;
    const done = await sync.run(caller, {});
    if (!done.ok) return done;
    const { answer } = done.value;
    const lines = answer.acts.flatMap(
      ({ act, number, item, words }) => issueLine({ do: act, number, words }, item, caller) ?? [],
    );
    const nothing = lines.length === 0 ? [caller.catalogue.text('issues.nothing')] : [];
    const queued = answer.result === 'queued' ? [caller.catalogue.text('issues.queued')] : [];
    return ok({ exit: 0, json: answer, lines: [...lines, ...nothing, ...queued] });
  },
};
