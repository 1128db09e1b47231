// `harness completion bash|zsh|fish`: a script that completes commands and options, made from the table of commands.
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { entryOf } from '../../model/entry.ts';
import type { CommandSpec, OptionSpec } from '../command.ts';
import { GLOBAL_OPTIONS } from '../words.ts';

const SHELLS: { readonly [shell: string]: (commands: readonly Command[]) => string } = { bash, zsh, fish };

/** The table of commands, as far as it is needed: it loads this file, and not the other way round. */
type Table = { readonly [name: string]: { readonly summary: string; load(): Promise<CommandSpec> } };

export const completionOf = (table: Table): CommandSpec => ({
  name: 'completion',
  args: '<shell>',
  options: [],
  examples: [
    'harness completion bash > ~/.local/share/bash-completion/completions/harness',
    'harness completion zsh > "${fpath[1]}/_harness"',
    'harness completion fish > ~/.config/fish/completions/harness.fish',
  ],
  async run({ args: [shell = ''] }) {
    const made = entryOf(SHELLS, shell);
    if (made === undefined)
      return err(failure('usage', { what: `'${shell}' is not bash, zsh or fish`, hint: 'harness completion bash' }));
    const script = made(await commandsOf(table));
    return ok({ exit: 0, json: { shell, script }, lines: [script.trimEnd()] });
  },
});

type Command = {
  readonly name: string;
  readonly about: string;
  /** Its subcommands, as its first argument names them: `[ls|show]`. */
  readonly words: readonly string[];
  readonly options: readonly OptionSpec[];
};

const commandsOf = (table: Table): Promise<readonly Command[]> =>
  Promise.all(
    Object.entries(table).map(async ([name, entry]) => {
      const { args, options } = await entry.load();
      const words = /^[[<]([\w-]+(?:\|[\w-]+)+)[\]>]/.exec(args)?.[1]?.split('|') ?? [];
      return { name, about: entry.summary, words, options: [...options, ...GLOBAL_OPTIONS] };
    }),
  );

const flagsOf = (options: readonly OptionSpec[]): readonly string[] =>
  options.flatMap(({ flags }) => flags.match(/--?[\w-]+/g) ?? []);
/** For a word in single quotes. */
const quoted = (text: string): string => text.replaceAll("'", '’');

function bash(commands: readonly Command[]): string {
  const cases = commands.map(
    ({ name, words, options }) => `    ${name}) words='${[...words, ...flagsOf(options)].join(' ')}' ;;`,
  );
  return `# bash completion of harness
_harness() {
  local word=\${COMP_WORDS[COMP_CWORD]} command= words= one
  for one in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $one in -*) ;; *) command=$one; break ;; esac
  done
  case $command in
    '') words='${commands.map(({ name }) => name).join(' ')} ${flagsOf(GLOBAL_OPTIONS).join(' ')}' ;;
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _harness harness
`;
}

function zsh(commands: readonly Command[]): string {
  const described = commands.map(({ name, about }) => `    '${name}:${quoted(about).replaceAll(':', '\\:')}'`);
  const cases = commands.map(
    ({ name, words, options }) => `    ${name}) compadd -- ${[...words, ...flagsOf(options)].join(' ')} ;;`,
  );
  return `#compdef harness
_harness() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  local command=\${\${words[2,CURRENT-1]:#-*}[1]}
  case $command in
    '') _describe command commands ;;
${cases.join('\n')}
  esac
  [[ -n $command ]] && _files
}
_harness "$@"
`;
}

function fish(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const lines = commands.flatMap(({ name, about, words, options }) => [
    `complete -c harness -f -n 'not __fish_seen_subcommand_from ${names}' -a ${name} -d '${quoted(about)}'`,
    ...(words.length === 0
      ? []
      : [`complete -c harness -n '__fish_seen_subcommand_from ${name}' -a '${words.join(' ')}'`]),
    ...options.flatMap(({ flags, about: what }) => {
      const long = /--([\w-]+)/.exec(flags)?.[1];
      return long === undefined
        ? []
        : [`complete -c harness -n '__fish_seen_subcommand_from ${name}' -l ${long} -d '${quoted(what)}'`];
    }),
  ]);
  return `${lines.join('\n')}\n`;
}
