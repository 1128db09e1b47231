// The item argument of a command: positional, or by --feature.
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { textOf, type CommandCall, type OptionSpec } from './command.ts';

export const FEATURE_OPTION: OptionSpec = { flags: '--feature <n>', about: 'the item, instead of ITEM' };

/** `12` and `#12` are the same item. Null: none given. Fails with `usage` if both forms name different items. */
export function itemOf(call: CommandCall): Result<string | null> {
  const bare = (word: string | null): string | null => word?.replace(/^#/, '') ?? null;
  const [item, feature] = [bare(call.args[0] ?? null), bare(textOf(call, 'feature'))];
  if (item !== null && feature !== null && item !== feature)
    return err(failure('usage', { what: `two items are named: ${item} and ${feature}`, hint: 'name one of them' }));
  return ok(item ?? feature);
}

/** For commands that need an item. */
export function itemNeeded(call: CommandCall, command: string): Result<string> {
  const item = itemOf(call);
  if (!item.ok) return item;
  const hint = `harness ${command} 12, or harness items`;
  return item.value === null || item.value === ''
    ? err(failure('usage', { what: 'no item is named', hint }))
    : ok(item.value);
}
