// Notices before a run: settings without effect, and inferred settings.
import type { Target } from '../app/open/target.ts';
import type { Caller } from './command.ts';

export function showNotices(target: Target, caller: Caller): void {
  const { text } = caller.catalogue;
  if (target.inert.length > 0)
    caller.say(caller.paint('yellow', text('notice.inert', { keys: target.inert.join(', ') })));
  for (const { key, value, from } of target.inferred)
    caller.say(caller.paint('dim', text('notice.inferred', { key, value, from })));
}
