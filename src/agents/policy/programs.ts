// What is known of programs by their names: what they start, and what they print. Pure.
import { basename, dirname } from 'node:path';
import { FILE_CONTENTS, isDynamic, UNKNOWN } from './expand.ts';

/** A program and its arguments as they are when it starts. */
export type ProgramCall = {
  /** Empty for a redirection without a program. */
  readonly words: readonly string[];
  /** What it can read from a pipe, a here-document or a file; null: none of them. */
  readonly stdin: string | null;
  /** The folders it may start in; absolute. */
  readonly folders: readonly string[];
};
/** For an interpreter, in its words or, `isPiped`, on its input. `eval` runs in the shell that reads the line. */
export type Code = { readonly text: string; readonly language: 'shell' | 'eval' | 'other'; readonly isPiped: boolean };

/** The name without its folder. */
export const programOf = (words: readonly string[]): string => basename(words[0] ?? '').replace(/\.exe$/i, '');
export const operandsOf = (args: readonly string[]): readonly string[] => args.filter((arg) => !/^-./.test(arg));
export const isFind = (name: string): boolean => name === 'find' || name === 'fd';

const NO_BREAK_SPACE = '\u00A0';
/** A command as one text for patterns, where only words are separated by blanks: those inside of a word are no-break spaces. */
export const lineOf = (words: readonly string[]): string =>
  [programOf(words), ...words.slice(1)].map((word) => word.replace(/\s/g, NO_BREAK_SPACE)).join(' ');
/** A text for people. */
export const shown = (text: string): string =>
  text
    .replaceAll(NO_BREAK_SPACE, ' ')
    .replace(/[\uE000\uE001]/g, '…')
    .slice(0, 200);

/** `line`: without the options in front of the subcommand. `settings`: those of them that change what git obeys. */
export function gitCall(words: readonly string[]) {
  let folder = '.';
  const settings: string[] = [];
  let at = 1;
  for (; words[at]?.startsWith('-') === true; at++) {
    const word = words[at] ?? '';
    if (word === '-C') folder = words[++at] ?? UNKNOWN;
    else if (word === '-c') settings.push(words[++at] ?? '');
    else if (/^--(config-env|git-dir|work-tree|exec-path=|namespace|super-prefix)/.test(word))
      settings.push(word.replace(/^--config-env=/, ''));
  }
  return { line: lineOf(['git', ...words.slice(at)]), args: words.slice(at + 1), folder, settings };
}

/** Programs that start the command in the rest of their words: `NAME=` and the letters of its options that take a value. */
const WRAPPERS: ReadonlyMap<string, string> = new Map(
  `command= builtin= exec=a nohup= setsid= time=fo nice=n ionice=cnp chrt= taskset= stdbuf=ioe unbuffer= chronic=
  busybox= toybox= env=uC timeout=sk watch=n sudo=ughpCTRD doas=uC npx=p bunx= dotenv=ev cross-env= strace=eo
  xvfb-run=ensp flock=wE xargs=nPLdasEI parallel=jI`
    .split(/\s+/)
    .map((wrapper) => [wrapper.replace(/=.*/, ''), wrapper.replace(/.*=/, '')]),
);
const LONG_OPTION_WITH_VALUE = /^--(unset|chdir|signal|kill-after|interval|package|max-args|max-procs|delimiter|jobs)$/;
/** `npm run NAME` starts a script of the project, not a program. */
const RUNNER =
  /^(?!(npm|pnpm|bun) run)(poetry|uv|pipenv|hatch|rye|pdm|bundle|npm|pnpm|yarn|bun|mise|direnv|nix) (run|exec|dlx|x)$/;
const SHELL = /^(ba|z|da|k|a|fi)?sh$/;
const INTERPRETER = /^(node(js)?|bun|deno|tsx|python[\d.]*|pypy3?|perl|ruby|php|lua|osascript)$/;

/** The code that a call interprets. */
function codeOf({ words, stdin }: ProgramCall): readonly Code[] {
  const name = programOf(words);
  const args = words.slice(1);
  const code = (text = UNKNOWN, language: Code['language'] = 'shell') => [{ text, language, isPiped: false }];
  const piped = (text: string | null, language: Code['language'] = 'shell') =>
    text === null ? [] : [{ text, language, isPiped: true }];
  const valueOf = (option: RegExp) => args.flatMap((arg, at) => (option.test(arg) ? [args[at + 1] ?? UNKNOWN] : []))[0];
  if (SHELL.test(name)) {
    const { isCode, isInput, operand } = shellArguments(args);
    if (isCode) return code(operand);
    if (isInput) return piped(stdin);
    return operand?.startsWith('/dev/') === true ? piped(UNKNOWN) : [];
  }
  if (INTERPRETER.test(name)) {
    const text = valueOf(/^(-\w*[eEpcr]|--eval|--print|eval)$/);
    if (text !== undefined) return code(text, 'other');
    return args.every((arg) => arg === '-' || /^-[uBEsSI]+$/.test(arg)) ? piped(stdin, 'other') : [];
  }
  if (/^[gmn]?awk$/.test(name)) return args.flatMap((arg) => (arg === UNKNOWN ? [] : code(arg, 'other')));
  if (name === 'eval') return code(args.join(' '), 'eval');
  if (name === 'trap') return args.length > 1 ? code(args[0]) : [];
  if (name === 'alias') return args.flatMap((arg) => code(arg.replace(/^[^=]*=?/, '')));
  if (name === 'source' || name === '.') return args[0]?.startsWith('/dev/') === true ? piped(UNKNOWN, 'eval') : [];
  const text = name === 'script' || name === 'npx' ? valueOf(/^(-q?c|--command|--call)$/) : undefined;
  return text === undefined ? [] : code(text);
}

/** `isCode`: the first operand is code. `isInput`: the code is the input. */
function shellArguments(args: readonly string[]) {
  const at = args.findIndex((arg, n) => !/^[-+]/.test(arg) && !/^([-+]o|--(rc|init-)file)$/.test(args[n - 1] ?? ''));
  const options = at < 0 ? args : args.slice(0, at);
  return {
    operand: args[at],
    isCode: options.some((arg) => /^-\w*c/.test(arg)),
    isInput: at < 0 || options.includes('-s'),
  };
}

/** The commands that a call starts, each as its words and its input. */
function commandsOf({ words, stdin }: ProgramCall): readonly Pick<ProgramCall, 'words' | 'stdin'>[] {
  const name = programOf(words);
  const args = words.slice(1);
  if (name === 'git') {
    const at = args.findIndex((arg) => arg === 'foreach' || arg === 'run');
    return /^(submodule|bisect)$/.test(args[at - 1] ?? '') ? [{ words: args.slice(at + 1), stdin }] : [];
  }
  if (isFind(name)) {
    const starts = args.flatMap((arg, at) => (/^--?(exec|execdir|ok|okdir|exec-batch|x|X)$/.test(arg) ? [at + 1] : []));
    return starts.map((start) => {
      const end = args.findIndex((arg, at) => at >= start && /^[;+]$/.test(arg));
      const command = args.slice(start, end < 0 ? undefined : end);
      return { words: filled(command, '{}', below(searchRoots(args)).split('\n')), stdin };
    });
  }
  if (RUNNER.test(`${name} ${args[0]}`)) return [{ words: wrapped('', args.slice(1), ''), stdin }];
  const options = WRAPPERS.get(name);
  if (options === undefined || (name === 'command' && /^-[vV]/.test(args[0] ?? ''))) return [];
  const command = wrapped(name, args, options);
  if (command.length === 0 || !/^(xargs|parallel)$/.test(name)) return [{ words: command, stdin }];
  const mark = args.map((arg, at) => (args[at - 1] === '-I' ? arg : /^-I(.+)/.exec(arg)?.[1])).find(Boolean) ?? '{}';
  const input = (stdin ?? UNKNOWN).split(/[\s\0]+/).filter((text) => text !== '');
  const isMarked = command.some((word) => word.includes(mark));
  return [{ words: isMarked ? filled(command, mark, input) : [...command, ...input], stdin: null }];
}

type Started = Code | Pick<ProgramCall, 'words' | 'stdin'>;
/** The code that a call interprets, or else the commands that it starts. A first word with blanks in it is a shell line. */
export function startedBy(call: ProgramCall): readonly Started[] {
  const code = codeOf(call);
  if (code.length > 0) return code;
  return commandsOf(call).flatMap(({ words, stdin }): readonly Started[] => {
    if (words.length === 0) return [];
    return /\s/.test(words[0] ?? '')
      ? [{ text: words.join(' '), language: 'shell', isPiped: false }]
      : [{ words, stdin }];
  });
}

/** What follows the options and their values, assignments, and the first operand of programs that take one. */
function wrapped(name: string, args: readonly string[], options: string): readonly string[] {
  let at = 0;
  for (; at < args.length && args[at - 1] !== '--'; at++) {
    const arg = args[at] ?? '';
    if (LONG_OPTION_WITH_VALUE.test(arg) || (/^-\w$/.test(arg) && options.includes(arg.slice(1)))) at++;
    else if (!arg.startsWith('-') && !(/^\w+=/.test(arg) && /env|sudo|doas/.test(name))) break;
  }
  return args.slice(/^(timeout|flock|taskset|chrt)$/.test(name) ? at + 1 : at);
}

const filled = (words: readonly string[], mark: string, texts: readonly string[]): readonly string[] =>
  words.flatMap((word) => (word.includes(mark) ? texts.map((text) => word.replaceAll(mark, text)) : [word]));

/** Where `find` looks. */
export function searchRoots(args: readonly string[]): readonly string[] {
  const end = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-[HLPDO]/.test(arg));
  const roots = operandsOf(args.slice(0, end < 0 ? undefined : end));
  return roots.length === 0 ? ['.'] : roots;
}

const below = (folders: readonly string[]): string => folders.map((folder) => `${folder}/${UNKNOWN}`).join('\n');

type Printing = Omit<ProgramCall, 'words'> & { readonly args: readonly string[]; readonly operands: readonly string[] };
/** What programs print, by patterns for the whole command; the first that matches counts. */
const OUTPUTS: readonly (readonly [line: RegExp, prints: (call: Printing) => string])[] = [
  [/^echo(?!.* -\w*e)( |$)/, ({ args }) => args.filter((arg) => arg !== '-n').join(' ')],
  [/^printf [^%\\]*$/, ({ args }) => args[0] ?? ''],
  [/^pwd$|^git .*--show-toplevel/, ({ folders }) => (folders.length === 1 ? (folders[0] ?? '') : UNKNOWN)],
  [/^basename [^-\s\uE000\uE001]\S*$/, ({ operands }) => basename(operands[0] ?? '')],
  [/^dirname [^-\s\uE000\uE001]\S*$/, ({ operands }) => dirname(operands[0] ?? '')],
  [/^mktemp( -[dqu]+)*$/, () => `/tmp/${UNKNOWN}`],
  [/^(date|nproc|seq|id|whoami|hostname|uname|wc)( [^/]*)?$/, () => '0'],
  [/^(find|fd)( |$)(?!.*-(printf|exec|fprint))/, ({ args }) => below(searchRoots(args))],
  [/^(grep|rg) (.* )?(-\w*l|--files)/, ({ operands }) => below(operands.length > 1 ? operands.slice(1) : ['.'])],
  [/^ls( |$)|^git (.* )?(ls-files|--name-only)( |$)/, () => below(['.'])],
  [/^(tee|cat$)/, ({ stdin }) => stdin ?? UNKNOWN],
  [/^cat /, () => FILE_CONTENTS],
  // A part of a known text is unknown; a part of the names of files is still below their folder.
  [
    /^(sort|head|tail|uniq|tac|grep)( |$)/,
    ({ stdin }) => (isDynamic(stdin ?? FILE_CONTENTS) ? (stdin ?? FILE_CONTENTS) : UNKNOWN),
  ],
];

/** What a call prints, as far as its words say. */
export function printedBy({ words, ...call }: ProgramCall): string {
  const line = lineOf(words);
  const args = words.slice(1);
  return OUTPUTS.find(([pattern]) => pattern.test(line))?.[1]({ ...call, args, operands: operandsOf(args) }) ?? UNKNOWN;
}
