// From words to a command call. commander does the parsing; one command is loaded, the one that is called.
import { Command, CommanderError, Option } from 'commander';
import { failure, type Failure } from '../model/failure.ts';
import type { CommandSpec, OptionSpec, OptionValue } from './command.ts';
import { COMMANDS, findCommand } from './commands.ts';

export type Globals = {
  readonly repo: string | null;
  readonly config: string | null;
  readonly json: boolean;
  readonly noInput: boolean;
  readonly yes: boolean;
  readonly lang: string | null;
  readonly color: string | null;
  readonly quiet: boolean;
  readonly verbose: boolean;
};

export type Parsed = { readonly globals: Globals } & (
  | { readonly kind: 'help'; readonly command: CommandSpec | null; readonly text: string | null }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | {
      readonly kind: 'call';
      readonly command: CommandSpec;
      readonly args: readonly string[];
      readonly options: { readonly [name: string]: OptionValue };
    }
);

export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flags: '-C, --repo <dir>', about: 'the repository to work on (also HARNESS_REPO)' },
  { flags: '--config <file>', about: 'the configuration file' },
  { flags: '--json', about: 'answer with one JSON object on stdout' },
  { flags: '--no-input', about: 'never ask; a question stops with exit 8' },
  { flags: '-y, --yes', about: 'confirm what would be asked; never answers a gate' },
  { flags: '--lang <code>', about: 'en or de' },
  { flags: '--color <when>', about: 'auto, always or never' },
  { flags: '-q, --quiet', about: 'only the answer, no progress' },
  { flags: '-v, --verbose', about: 'more about what happens' },
];

/** Never rejects for what a person typed: that is a `usage` failure. */
export async function parseCall(argv: readonly string[]): Promise<Parsed> {
  const { head, word, rest } = split(argv);
  const globalsOnly = readGlobals(head);
  if (word === null) {
    const wantsVersion = head.includes('-V') || head.includes('--version');
    if (wantsVersion) return parseCall([...head.filter((w) => w !== '-V' && w !== '--version'), 'version']);
    const stray = head.find((w) => w.startsWith('-') && !/^(-h|--help)$/.test(w) && !isGlobal(w));
    if (stray !== undefined)
      return { kind: 'failure', globals: globalsOnly, failure: usage(`unknown option '${stray}'`, 'harness --help') };
    return { kind: 'help', command: null, text: null, globals: globalsOnly };
  }
  if (word === 'help') return parseCall([...rest.slice(0, 1), ...head, '--help']);
  const found = findCommand(word);
  if (!found) {
    const near = nearest(word);
    return {
      kind: 'failure',
      globals: globalsOnly,
      failure: usage(`unknown command '${word}'`, near === null ? 'harness --help' : `harness ${near}`),
    };
  }
  const spec = await found.entry.load();
  const command = commanderOf(spec, found.entry.summary);
  try {
    command.parse([...head, ...rest], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed' || error.code === 'commander.help')
      return { kind: 'help', command: spec, text: helpText(command, spec), globals: globalsOf(command.opts()) };
    const text = error.message.replace(/^error: /, '').split('\n');
    const globals = { ...globalsOnly, json: globalsOnly.json || argv.includes('--json') };
    return { kind: 'failure', globals, failure: usage(text.join(' '), `harness ${spec.name} --help`) };
  }
  const options = command.opts<{ [name: string]: OptionValue }>();
  return { kind: 'call', command: spec, args: command.args, options, globals: globalsOf(options) };
}

const usage = (what: string, hint: string): Failure => failure('usage', { what, hint });

/** Options before the command word belong to it; -C and its like take the next word with them. */
function split(argv: readonly string[]): { head: string[]; word: string | null; rest: string[] } {
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] ?? '';
    if (/^(-C|--repo|--config|--lang|--color)$/.test(word)) i += 1;
    else if (!word.startsWith('-')) return { head: argv.slice(0, i), word, rest: argv.slice(i + 1) };
  }
  return { head: [...argv], word: null, rest: [] };
}

const isGlobal = (word: string): boolean =>
  GLOBAL_OPTIONS.some(({ flags }) => flags.split(/[ ,]+/).includes(word.split('=')[0] ?? ''));

function commanderOf(spec: CommandSpec, summary: string): Command {
  const command = new Command(`harness ${spec.name}`);
  command
    .description(summary)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  for (const arg of spec.args.split(' ').filter((a) => a !== '')) command.argument(arg);
  for (const { flags, about, many } of spec.options) command.addOption(optionOf(flags, about, many === true));
  for (const { flags, about } of GLOBAL_OPTIONS) command.addOption(new Option(flags, about).helpGroup('Everywhere:'));
  return command;
}

function optionOf(flags: string, about: string, many: boolean): Option {
  const option = new Option(flags, about);
  return many ? option.argParser((value: string, before?: readonly string[]) => [...(before ?? []), value]) : option;
}

function helpText(command: Command, spec: CommandSpec): string {
  const examples = spec.examples.map((line) => `  ${line}`);
  return [command.helpInformation().trimEnd(), ...(examples.length > 0 ? ['', 'Examples:', ...examples] : []), ''].join(
    '\n',
  );
}

function readGlobals(head: readonly string[]): Globals {
  const bare = new Command().exitOverride().allowUnknownOption().allowExcessArguments().helpOption(false);
  bare.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  for (const { flags } of GLOBAL_OPTIONS) bare.addOption(new Option(flags));
  try {
    bare.parse([...head], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return globalsOf(bare.opts());
}

function globalsOf(o: { readonly [name: string]: unknown }): Globals {
  const text = (name: string): string | null => (typeof o[name] === 'string' ? o[name] : null);
  return {
    repo: text('repo'),
    config: text('config'),
    json: o['json'] === true,
    noInput: o['input'] === false,
    yes: o['yes'] === true,
    lang: text('lang'),
    color: text('color'),
    quiet: o['quiet'] === true,
    verbose: o['verbose'] === true,
  };
}

/** The command that was probably meant: one or two letters away, or begun with. */
function nearest(word: string): string | null {
  const names = Object.entries(COMMANDS).flatMap(([name, e]) => [name, ...(e.aliases ?? [])]);
  const scored = names
    .map((name) => ({ name, far: name.startsWith(word) ? 0 : distance(name, word) }))
    .sort((a, b) => a.far - b.far);
  const best = scored[0];
  return best && best.far <= Math.max(1, word.length >> 2) + 1 ? best.name : null;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
