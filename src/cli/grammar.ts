// Parses the words of a call with commander: the command's options, help, and usage errors.
import { Command, CommanderError, Option } from 'commander';
import type { CommandSpec, OptionSpec, OptionValue } from './command.ts';

type Options = { readonly [name: string]: OptionValue };
export type Words =
  | { readonly kind: 'call'; readonly args: readonly string[]; readonly options: Options }
  | { readonly kind: 'help'; readonly text: string; readonly options: Options }
  | { readonly kind: 'mistake'; readonly what: string };

export function parseWithCommander(
  spec: CommandSpec,
  summary: string,
  words: readonly string[],
  globals: readonly OptionSpec[],
): Words {
  const command = commanderOf(spec, summary, globals);
  try {
    command.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed' || error.code === 'commander.help')
      return { kind: 'help', text: helpText(command, spec), options: command.opts<Options>() };
    return {
      kind: 'mistake',
      what: error.message
        .replace(/^error: /, '')
        .split('\n')
        .join(' '),
    };
  }
  return { kind: 'call', args: command.args, options: command.opts<Options>() };
}

/** Finds the global options among words that cannot be parsed otherwise. */
export function parseGlobals(words: readonly string[], globals: readonly OptionSpec[]): Options {
  const bare = new Command().exitOverride().allowUnknownOption().allowExcessArguments().helpOption(false);
  bare.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  for (const { flags } of globals) bare.addOption(new Option(flags));
  try {
    bare.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return bare.opts<Options>();
}

function commanderOf(spec: CommandSpec, summary: string, globals: readonly OptionSpec[]): Command {
  const command = new Command(`harness ${spec.name}`);
  command
    .description(summary)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  for (const arg of spec.args.split(' ').filter((a) => a !== '')) command.argument(arg);
  for (const { flags, about, many } of spec.options) command.addOption(optionOf(flags, about, many === true));
  for (const { flags, about } of globals) command.addOption(new Option(flags, about).helpGroup('Everywhere:'));
  command.addHelpOption(new Option('-h, --help', 'show this help').helpGroup('Everywhere:'));
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
