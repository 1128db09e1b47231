// Subcommands, such as `items show 12`: which one is meant, and whether its arguments are complete.
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';

/** The argument names of each subcommand; optional ones end with `?`. The first subcommand is the default without arguments. */
export type Subcommands<N extends string> = { readonly [name in N]: readonly string[] };
export type Subcommand<N extends string> = { readonly name: N; readonly words: readonly string[] };

/** `otherwise`: the subcommand if the first word names none. Fails with `usage`. */
export function parseSubcommand<N extends string>(
  command: string,
  args: readonly string[],
  parts: Subcommands<N>,
  otherwise: NoInfer<N> | null,
): Result<Subcommand<N>> {
  const isPart = (word: string): word is N => Object.hasOwn(parts, word);
  const names = Object.keys(parts).filter(isPart);
  const [first, ...rest] = args;
  const named = names.find((name) => name === first);
  const name = named ?? (first === undefined ? names[0] : otherwise);
  const hint = `harness ${command} --help`;
  if (name === undefined || name === null)
    return err(failure('usage', { what: `'${first ?? ''}' is not one of ${names.join(', ')}`, hint }));
  const words = named === undefined ? args : rest;
  const missing = parts[name].filter((word) => !word.endsWith('?'))[words.length];
  if (missing !== undefined)
    return err(failure('usage', { what: `'harness ${command} ${name}' needs ${missing}`, hint }));
  const stray = words[parts[name].length];
  if (stray !== undefined)
    return err(
      failure('usage', { what: `'${stray}' is an unexpected argument of 'harness ${command} ${name}'`, hint }),
    );
  return ok({ name, words });
}
