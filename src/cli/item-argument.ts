// The item a command is about: as an argument, or by --feature as the reference has it.
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { textOf, type CommandCall, type OptionSpec } from './command.ts';

export const FEATURE_OPTION: OptionSpec = { flags: '--feature <n>', about: 'the feature, instead of ITEM' };

/** `12` and `#12` are one name. Null where none is named; two different ones are a `usage` failure. */
export function itemOf(call: CommandCall): Result<string | null> {
  const bare = (word: string | null): string | null => word?.replace(/^#/, '') ?? null;
  const [item, feature] = [bare(call.args[0] ?? null), bare(textOf(call, 'feature'))];
  if (item !== null && feature !== null && item !== feature)
    return err(failure('usage', { what: `two features are named: ${item} and ${feature}`, hint: 'name one of them' }));
  return ok(item ?? feature);
}

/** The same for a command that is about nothing else. */
export function itemNeeded(call: CommandCall, command: string): Result<string> {
  const item = itemOf(call);
  if (!item.ok) return item;
  const hint = `harness ${command} 12, or harness items`;
  return item.value === null || item.value === ''
    ? err(failure('usage', { what: 'no feature is named', hint }))
    : ok(item.value);
}
