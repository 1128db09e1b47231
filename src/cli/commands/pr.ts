// `harness pr ITEM`: a pull request for a landed item.
import { pr as operation } from '../../app/operations/pr.ts';
import { printable } from '../../host/formatter.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { FEATURE_OPTION, itemNeeded } from '../item-argument.ts';

export const pr: CommandSpec = {
  name: 'pr',
  args: '[item]',
  options: [
    FEATURE_OPTION,
    { flags: '--checks', about: 'show the checks of the pull request; a local forge runs its ci first' },
  ],
  examples: ['harness pr 12', 'harness pr 12 --checks'],
  async run(call) {
    const { caller } = call;
    const { text } = caller.catalogue;
    const item = itemNeeded(call, 'pr');
    if (!item.ok) return item;
    const done = await operation.run(caller, { item: item.value, checks: call.options['checks'] === true });
    if (!done.ok) return done;
    const { answer } = done.value;
    const { number, url, branch, base, head, checks } = answer;
    const said = checks?.checks.map(({ name, state }) =>
      text('pr.check', { name: printable(name), state: text(`pr.check-${state}`) }),
    );
    return ok({
      exit: 0,
      json: answer,
      lines: [
        text(`pr.${answer.result}`, { number, url: printable(url), item: answer.item }),
        text('pr.branch', { branch, base, commit: head.slice(0, 12) }),
        ...(answer.state === 'merged' ? [text('pr.is-merged')] : []),
        ...(answer.state === 'closed' ? [text('pr.is-closed')] : []),
        ...(answer.asked > 0 ? [text('pr.asked', { count: answer.asked, item: answer.item })] : []),
        ...(said?.length === 0 ? [text('pr.no-checks')] : (said ?? [])),
      ],
    });
  },
};
