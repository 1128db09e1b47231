// The plain case of a call: arguments and global options, nothing else.
import type { OptionSpec } from './command.ts';

export type PlainWords = {
  readonly args: readonly string[];
  readonly options: { readonly [name: string]: string | boolean };
};

/** Null where a word is anything else: somebody has to look closer. */
export function plainWords(words: readonly string[], globals: readonly OptionSpec[]): PlainWords | null {
  const args: string[] = [];
  const options: { [name: string]: string | boolean } = { input: true };
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    if (!word.startsWith('-')) {
      args.push(word);
      continue;
    }
    const flags = globals.find((one) => one.flags.split(/[ ,]+/).includes(word))?.flags;
    const long = /--([a-z]+(?:-[a-z]+)*)/.exec(flags ?? '')?.[1];
    if (flags === undefined || long === undefined) return null;
    if (flags.includes('<')) {
      i += 1;
      const value = words[i];
      if (value === undefined || value.startsWith('-')) return null;
      options[long] = value;
    } else if (long.startsWith('no-')) options[long.slice('no-'.length)] = false;
    else options[long] = true;
  }
  return { args, options };
}
