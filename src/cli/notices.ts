// Notices before a run: no configuration file, settings without effect, inferred settings, and budgets that cannot act.
import { blindLimits, type BlindLimit } from '../app/config/blind-limits.ts';
import type { Params } from '../model/failure.ts';
import type { Target } from '../app/open/target.ts';
import type { Caller } from './command.ts';

export function showNotices(target: Target, caller: Caller): void {
  const { text } = caller.catalogue;
  // Without a word a user's quota would be spent by an agent that they never named.
  if (target.config.source === null)
    caller.say(
      caller.paint('yellow', text('notice.unconfigured', { provider: target.config.agents.default.provider })),
    );
  if (target.inert.length > 0)
    caller.say(caller.paint('yellow', text('notice.inert', { keys: target.inert.join(', ') })));
  for (const { key, value, from } of target.inferred)
    caller.say(caller.paint('dim', text('notice.inferred', { key, value, from })));
  for (const one of blindLimits(target.config)) caller.say(caller.paint('yellow', text('notice.blind', blindOf(one))));
}

/** The parameters of `notice.blind`. */
export const blindOf = ({ agent, why, keys }: BlindLimit): Params => ({
  agent,
  why: `blind-${why}`,
  keys: keys.join(', '),
});
