// The shell script that starts one command and reports its pid and its exit code (starter.ts runs it). Text only.
import { isAbsolute } from 'node:path';
import { shellQuoted } from '../model/shell-quote.ts';

export type StartableCommand = {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: { readonly [name: string]: string };
  /** It leads no group of its own. */
  readonly staysInGroup?: boolean;
};

/** Longer command lines are left to the kernel and its limits. */
const MOST_CHARACTERS = 64 * 1024;
/** What a shell has of its own under these names cannot be set for a command alone. */
const SHELL_VARIABLES =
  /^(?:IFS|OPTIND|PPID|UID|EUID|LINENO|RANDOM|SECONDS|GROUPS|FUNCNAME|DIRSTACK|HISTCMD|BASHOPTS|SHELLOPTS|BASH_(?!ENV$).*)$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Whether a shell can start it exactly as `spawn` does. */
export function canBeScript({ argv, cwd, env }: StartableCommand): boolean {
  const [names, values] = [Object.keys(env), Object.values(env)];
  const words = [...argv, cwd, ...names, ...values];
  return (
    isAbsolute(cwd) &&
    argv[0]?.startsWith('-') === false &&
    words.reduce((sum, word) => sum + word.length, 0) <= MOST_CHARACTERS &&
    names.every((name) => VARIABLE.test(name) && !SHELL_VARIABLES.test(name)) &&
    !words.some((word) => word.includes('\0'))
  );
}

/**
 * Descriptor 3 is where the shell reports, 5 and 6 are the pipes of its commands. It keeps them open for reading only, so a command
 * that prints is ended once both it and this process are gone. Opening one end of a pipe waits for the other: 4 is open for both.
 */
export const preamble = (mkfifo: string, out: string, errors: string, input: string): string =>
  `exec 3>&1 1>/dev/null
${shellQuoted(mkfifo)} -m 600 ${shellQuoted(out)} ${shellQuoted(errors)} || exit
exec 4<>${shellQuoted(out)} 5<${shellQuoted(out)} 4>&-
exec 4<>${shellQuoted(errors)} 6<${shellQuoted(errors)} 4>&-
[ -r /proc/self/fd/5 ] && [ -r ${shellQuoted(input)} ] && echo ready >&3
`;

/**
 * One command. Not in the background, where a shell lets its commands ignore SIGINT; so it reads its own pid, of the subshell that
 * becomes the command. `setsid` before the variables would need `env`, whose arguments every user of the machine can read.
 * `input`: the file that the command reads.
 */
export function scriptOf(
  { argv, cwd, env, staysInGroup = false }: StartableCommand,
  setsid: string,
  input: string,
): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellQuoted(value)}`);
  const steps = [
    'cd -P /proc/self',
    'echo "pid ${PWD##*/}" >&3',
    `cd ${shellQuoted(cwd)}||exit 126`,
    'unset PWD OLDPWD SHLVL',
    ...(variables.length === 0 ? [] : [`export ${variables.join(' ')}`]),
    `exec ${[...(staysInGroup ? [] : [setsid]), ...argv].map(shellQuoted).join(' ')} 3>&- 5<&- 6<&-`,
  ];
  return `(${steps.join(';')}) <${shellQuoted(input)} >/proc/self/fd/5 2>/proc/self/fd/6;echo "end $?" >&3\n`;
}
