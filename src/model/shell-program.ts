// The program that a line of shell starts first, as far as the line shows it.

/** Words of the shell itself (POSIX and bash). */
const BUILT_IN =
  /^(?:[:.[{}!]|\[\[|alias|bg|break|builtin|caller|case|cd|command|continue|declare|do|done|echo|elif|else|enable|esac|eval|exec|exit|export|false|fg|fi|for|function|getopts|hash|if|in|jobs|kill|let|local|printf|pwd|read|readonly|return|select|set|shift|shopt|source|test|then|time|times|trap|true|type|typeset|ulimit|umask|unalias|unset|until|wait|while)$/;

const ASSIGNMENT = /^[A-Za-z_]\w*=[^\s'"$`\\]*\s+/;
const FOLDER_FIRST = /^cd\s+[^\s'"$`\\;&|<>()]+\s*(?:&&|;)\s*/;

/** null: a word of the shell, or the line does not show it in plain letters. */
export function programOf(line: string): string | null {
  let rest = line.trim();
  for (const skipped of [FOLDER_FIRST, ASSIGNMENT]) while (skipped.test(rest)) rest = rest.replace(skipped, '');
  const [word = ''] = /^[^\s;&|<>()]+/.exec(rest) ?? [];
  return /^[\w./+@-]+$/.test(word) && !word.startsWith('-') && !BUILT_IN.test(word) ? word : null;
}

/** Whether the program is a file of the project, which a piece of work may have to make. */
export const isOfProject = (program: string): boolean =>
  program.includes('/') && !/^\/|(?:^|\/)(?:node_modules|\.?venv|\.tox|\.nox|vendor)\//.test(program);
