// The words of a command line, and which of them are a plain call: nothing here loads a command or commander (parse.ts does).
import type { OptionSpec } from './command.ts';

export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flags: '-C, --repo <dir>', about: 'the repository to work on (also HARNESS_REPO)' },
  { flags: '--config <file>', about: 'the configuration file' },
  { flags: '--json', about: 'print one JSON object on stdout' },
  { flags: '--no-input', about: 'never ask; an open question exits with 8' },
  { flags: '-y, --yes', about: 'answer yes to confirmations; never answers a gate' },
  { flags: '--lang <code>', about: 'en or de' },
  { flags: '--color <when>', about: 'auto, always or never' },
  { flags: '-q, --quiet', about: 'print the result only, no progress' },
  { flags: '-v, --verbose', about: 'print more details' },
];

/** Splits the command line at the command word; options like -C take the next word. */
export function split(argv: readonly string[]): { head: string[]; word: string | null; rest: string[] } {
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] ?? '';
    if (/^(-C|--repo|--config|--lang|--color)$/.test(word)) i += 1;
    else if (!word.startsWith('-')) return { head: argv.slice(0, i), word, rest: argv.slice(i + 1) };
  }
  return { head: [...argv], word: null, rest: [] };
}

export const isVersionFlag = (word: string): boolean => word === '-V' || word === '--version';

type SimpleCall = {
  readonly args: readonly string[];
  readonly options: { readonly [name: string]: string | boolean };
};

/** Parses arguments and global options only; null if there is anything else. */
export function parseSimple(words: readonly string[], globals: readonly OptionSpec[]): SimpleCall | null {
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

/** Calls whose answers are kept (src/app/look/kept-answers.ts), with the words that they may have. What shows one thing of many is not kept. */
const KEPT = new Map<string, { readonly words: readonly string[]; readonly flags: readonly string[] }>([
  ['status', { words: [], flags: [] }],
  ['items', { words: ['ls'], flags: [] }],
  ['gates', { words: ['ls'], flags: ['--all'] }],
  ['version', { words: [], flags: [] }],
]);

/** The repository that a call names, if its answer may be kept. */
export function keepable(argv: readonly string[]): { readonly repo: string | null } | null {
  const { head, word, rest } = split(argv);
  const isVersion = word === null && head.some(isVersionFlag);
  const allowed = KEPT.get(isVersion ? 'version' : (word ?? ''));
  if (allowed === undefined) return null;
  const words = isVersion ? head.filter((one) => !isVersionFlag(one)) : [...head, ...rest];
  const plain = parseSimple(
    words.filter((one) => !allowed.flags.includes(one)),
    GLOBAL_OPTIONS,
  );
  if (plain === null || plain.args.length > 1 || !plain.args.every((one) => allowed.words.includes(one))) return null;
  const repo = plain.options['repo'];
  return { repo: typeof repo === 'string' ? repo : null };
}
