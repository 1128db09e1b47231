// The second word of commands that have several parts: `items show 12`. Which part is meant, and whether it has what it wants.
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';

/** Names of the words each part takes; those that may be left out end with `?`. The first part is the one without a word. */
export type Subcommands<N extends string> = { readonly [name in N]: readonly string[] };
export type Subcommand<N extends string> = { readonly name: N; readonly words: readonly string[] };

/** `otherwise`: the part that is meant where the first word names none. Fails with `usage`. */
export function parseSubcommand<N extends string>(
  command: string,
  args: readonly string[],
  parts: Subcommands<N>,
  otherwise: NoInfer<N> | null,
): Result<Subcommand<N>> {
  const names = Object.keys(parts) as N[];
  const [first, ...rest] = args;
  const named = names.find((name) => name === first);
  const name = named ?? (first === undefined ? names[0] : otherwise);
  const hint = `harness ${command} --help`;
  if (name === undefined || name === null)
    return err(failure('usage', { what: `'${first ?? ''}' is not one of ${names.join(', ')}`, hint }));
  const words = named === undefined ? args : rest;
  const missing = parts[name].filter((word) => !word.endsWith('?'))[words.length];
  if (missing !== undefined)
    return err(failure('usage', { what: `'harness ${command} ${name}' wants ${missing}`, hint }));
  const stray = words[parts[name].length];
  if (stray !== undefined)
    return err(failure('usage', { what: `'${stray}' is one word too many for 'harness ${command} ${name}'`, hint }));
  return ok({ name, words });
}
