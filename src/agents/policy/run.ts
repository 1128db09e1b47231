// One simple command with its words known: which commands and scripts it starts in turn, and what it prints. Pure.
import { basename, dirname } from 'node:path';
import { entryOf } from '../../model/entry.ts';
import { HOLE, type Arg } from './words.ts';

/** What stands on a command's stdin or comes out of it: known text, paths below known folders, a file's bytes, anything. */
export type Stream =
  | null
  | { readonly kind: 'text' | 'paths'; readonly texts: Arg }
  | { readonly kind: 'local' | 'unknown' };

export type Run = {
  /** Its name and its arguments; empty where only a redirection stands. */
  readonly words: readonly Arg[];
  /** What its redirections write and read. */
  readonly writes: readonly Arg[];
  readonly reads: readonly Arg[];
  /** Variables that are set in front of it, or by it. */
  readonly sets: readonly string[];
  readonly stdin: Stream;
  /** The folders it may run in; absolute. */
  readonly folders: readonly string[];
};

/** What a command starts: another command (`tells`: whose output is its own), or shell text (`isOwn`: in this very shell). */
type Started = (Run & { readonly tells: boolean }) | { readonly texts: Arg; readonly isOwn: boolean };

const SHELLS = /^(ba|z|da|k|a|fi)?sh$/;
/** Programs that run the rest of their words, with those of their options that take a word of their own. */
const FRONTS: { readonly [name: string]: RegExp } = {
  command: /^$/,
  builtin: /^$/,
  exec: /^-a$/,
  nohup: /^$/,
  setsid: /^$/,
  time: /^-[fo]$/,
  nice: /^-n$/,
  ionice: /^-[cnp]$/,
  chrt: /^$/,
  taskset: /^$/,
  stdbuf: /^-[ioe]$/,
  unbuffer: /^$/,
  chronic: /^$/,
  busybox: /^$/,
  toybox: /^$/,
  env: /^-[uC]$|^--(unset|chdir)$/,
  timeout: /^-[sk]$|^--(signal|kill-after)$/,
  watch: /^-n$|^--interval$/,
  sudo: /^-[ughpCTRD]$/,
  doas: /^-[uC]$/,
  npx: /^-p$|^--package$/,
  bunx: /^$/,
  dotenv: /^-[ev]$/,
  'cross-env': /^$/,
  strace: /^-[eo]$/,
  xvfb: /^$/,
  'xvfb-run': /^-[ensp]$/,
  flock: /^-[wE]$/,
};
/** The same behind a word of their own: `poetry run X`. */
const SECOND = /^(poetry|uv|pipenv|hatch|rye|pdm|bundle|npm|pnpm|yarn|bun|mise|direnv|nix) (run|exec|dlx|x)$/;

/** The program's name without its folder, in small letters; '' where it is not known. */
export function programOf(word: Arg | undefined): string {
  const [name = ''] = word ?? [];
  return word?.length === 1 ? basename(name).replace(/\.exe$/i, '') : '';
}

export function unwrapped(run: Run): readonly Started[] {
  const name = programOf(run.words[0]);
  const args = run.words.slice(1);
  const first = (at: number): string => args[at]?.[0] ?? '';
  const child = (words: readonly Arg[], more: Partial<Run> & { tells?: boolean } = {}): readonly Started[] =>
    words.length === 0 ? [] : [{ ...run, words, writes: [], reads: [], sets: [], tells: more.tells ?? true, ...more }];
  const script = (texts: Arg, isOwn = false): readonly Started[] => [{ texts, isOwn }];

  if (SHELLS.test(name)) return shell(run, args);
  if (name === 'eval') return script(combined(args), true);
  if (name === 'trap') return args.length > 1 && first(0) !== '-' ? script(args[0] ?? []) : [];
  if (name === 'alias') return args.flatMap((arg) => script(arg.map((text) => text.replace(/^[^=]*=?/, ''))));
  if (name === 'source' || name === '.')
    return args[0]?.some((text) => text.startsWith('/dev/')) === true ? script([HOLE]) : [];
  if (name === 'xargs' || name === 'parallel') return child(fed(run, args), { stdin: null });
  if (name === 'find' || name === 'fd') return found(args).flatMap((words) => child(words, { tells: false }));
  if (name === 'script' || name === 'su' || name === 'npx' || name === 'runuser') {
    const at = args.findIndex(([word = '']) => /^(-q?c|--command|--call)$/.test(word));
    if (at >= 0) return script(args[at + 1] ?? [HOLE]);
  }
  if (name === 'git') {
    const at = args.findIndex(([word = '']) => word === 'foreach' || word === 'run');
    const isStarter = args.slice(0, at).some(([word = '']) => word === 'submodule' || word === 'bisect');
    return at >= 0 && isStarter ? script(combined(args.slice(at + 1))) : [];
  }
  const options = entryOf(FRONTS, name);
  if (options === undefined) return SECOND.test(`${name} ${first(0)}`) ? child(rest(args.slice(1), /^$/, name)) : [];
  if (name === 'env') {
    const at = args.findIndex(([word = '']) => /^-S|^--split-string/.test(word));
    if (at >= 0) return script(first(at) === '-S' ? combined(args.slice(at + 1)) : [HOLE]);
  }
  if (name === 'command' && /^-[vV]/.test(first(0))) return [];
  if (name === 'watch') return script(combined(rest(args, options, name)));
  return child(rest(args, options, name));
}

/** What is left when options, their values and assignments are taken from the front. */
function rest(args: readonly Arg[], takesWord: RegExp, name: string): readonly Arg[] {
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at]?.[0] ?? '';
    if (word === '--') return args.slice(at + 1);
    if (takesWord.test(word)) at++;
    else if (!word.startsWith('-') && !(/^\w+=/.test(word) && /env|sudo|doas/.test(name))) break;
  }
  return args.slice(name === 'timeout' || name === 'flock' || name === 'taskset' || name === 'chrt' ? at + 1 : at);
}

function shell(run: Run, args: readonly Arg[]): readonly Started[] {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]?.[0] ?? '';
    if (/^-\w*c\w*$/.test(word)) {
      const text = args.slice(at + 1).find(([next = '']) => !/^[-+]\w+$/.test(next));
      return [{ texts: text ?? [HOLE], isOwn: false }];
    }
    if (/^[-+]o$|^--(rc|init-)file$/.test(word)) at++;
    else if (word === '-s' || word === '-' || word === '/dev/stdin') break;
    else if (!/^[-+]/.test(word)) return word.startsWith('/dev/fd/') ? [{ texts: [HOLE], isOwn: false }] : [];
  }
  if (run.stdin === null || run.stdin.kind === 'local') return [];
  return [{ texts: run.stdin.kind === 'text' ? run.stdin.texts : [HOLE], isOwn: false }];
}

/** The command of `xargs` with what it is fed. */
function fed(run: Run, args: readonly Arg[]): readonly Arg[] {
  let replace: string | null = programOf(run.words[0]) === 'parallel' ? '{}' : null;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at]?.[0] ?? '';
    if (word === '-I' || word === '-i') {
      replace = word === '-I' ? (args[++at]?.[0] ?? '{}') : '{}';
    } else if (/^-I./.test(word)) replace = word.slice(2);
    else if (/^-[nPLdasEj]$|^--(max-args|max-procs|delimiter|arg-file|jobs)$/.test(word)) at++;
    else if (!word.startsWith('-')) break;
  }
  const words = args.slice(at);
  const colons = words.findIndex(([word = '']) => word === ':::');
  const given = colons >= 0 ? words.slice(colons + 1).flat() : textsOn(run.stdin);
  const command = colons >= 0 ? words.slice(0, colons) : words;
  if (replace === null || !command.some((arg) => arg.some((text) => text.includes(replace))))
    return command.length === 0 ? [] : [...command, given];
  return command.map((arg) =>
    arg.flatMap((text) => (text.includes(replace) ? given.map((one) => text.replaceAll(replace, one)) : [text])),
  );
}

const textsOn = (stdin: Stream): Arg => {
  if (stdin?.kind === 'paths') return stdin.texts;
  if (stdin?.kind !== 'text') return [HOLE];
  const words = stdin.texts.flatMap((text) => text.split(/[\s\0]+/)).filter((text) => text !== '');
  return words.length === 0 || words.length > 48 ? [HOLE] : words;
};

/** The commands of `find … -exec`, with what was found in place of `{}`. */
function found(args: readonly Arg[]): readonly (readonly Arg[])[] {
  const here = rootsOf(args).map((root) => `${root}/${HOLE}`);
  const commands: (readonly Arg[])[] = [];
  for (let at = 0; at < args.length; at++) {
    if (!/^-(exec|execdir|ok|okdir|x|X|-exec|-exec-batch)$/.test(args[at]?.[0] ?? '')) continue;
    const end = args.findIndex(([word = ''], n) => n > at && (word === ';' || word === '+'));
    const words = args.slice(at + 1, end < 0 ? undefined : end);
    commands.push(
      words.map((arg) =>
        arg.flatMap((text) => (text.includes('{}') ? here.map((one) => text.replaceAll('{}', one)) : [text])),
      ),
    );
    if (end >= 0) at = end;
  }
  return commands;
}

/** Where `find` looks. */
export function rootsOf(args: readonly Arg[]): Arg {
  const end = args.findIndex(([word = '']) => /^[-(!]/.test(word) && !/^-[HLPDO]/.test(word));
  const roots = args
    .slice(0, end < 0 ? undefined : end)
    .flat()
    .filter((text) => !text.startsWith('-'));
  return roots.length === 0 ? ['.'] : roots;
}

const combined = (args: readonly Arg[]): Arg => {
  let texts: readonly string[] = [''];
  for (const arg of args) {
    const next = texts.flatMap((before) => arg.map((text) => (before === '' ? text : `${before} ${text}`)));
    texts = next.length > 48 ? [HOLE] : next;
  }
  return texts;
};

const known = (texts: Arg): Stream => ({ kind: 'text', texts });
const UNKNOWN: Stream = { kind: 'unknown' };

/** What comes out of it, as far as its words say so. */
export function printed(run: Run): Stream {
  const name = programOf(run.words[0]);
  const args = run.words.slice(1);
  const plain = args.filter(([word = '']) => !/^-./.test(word));
  const all = combined(plain);
  const has = (pattern: RegExp): boolean => args.some(([word = '']) => pattern.test(word));
  switch (name) {
    case 'echo':
      return known(
        combined(has(/^-\w*e/) ? args.slice(1) : has(/^-n/) ? args.slice(1) : args).map((text) =>
          has(/^-\w*e/) ? unescaped(text) : text,
        ),
      );
    case 'printf':
      return known(formatted(args));
    case 'true':
    case 'false':
    case 'test':
    case '[':
    case 'mkdir':
    case 'rm':
    case 'touch':
      return known(['']);
    case 'pwd':
      return known(run.folders);
    case 'basename':
      return plain.length === 1 ? known(all.map((text) => (text.endsWith(HOLE) ? 'name' : basename(text)))) : UNKNOWN;
    case 'dirname':
      return plain.length === 1 ? known(all.map((text) => (text.startsWith(HOLE) ? HOLE : dirname(text)))) : UNKNOWN;
    case 'mktemp':
      return plain.length === 0 && !has(/^-p|^--tmpdir/) ? known([`/tmp/${HOLE}`]) : UNKNOWN;
    case 'which':
      return known([`/usr/bin/${HOLE}`]);
    case 'date':
    case 'nproc':
    case 'seq':
    case 'wc':
    case 'id':
    case 'whoami':
    case 'hostname':
    case 'uname':
    case 'uuidgen':
      return args.flat().some((text) => text.includes('/') || text.includes(HOLE)) && name !== 'wc'
        ? UNKNOWN
        : known(['0']);
    case 'find':
    case 'fd':
      return has(/^-(printf|exec|execdir|fprint)/)
        ? UNKNOWN
        : { kind: 'paths', texts: rootsOf(args).map((root) => `${root}/${HOLE}`) };
    case 'ls':
      return { kind: 'paths', texts: [`./${HOLE}`] };
    case 'git':
      return gitPrints(run, args);
    case 'grep':
    case 'rg':
      if (has(/^-\w*l|^--files/)) {
        const roots = plain.slice(has(/^--files$/) ? 0 : 1).flat();
        return { kind: 'paths', texts: roots.length === 0 ? [`./${HOLE}`] : roots.map((root) => `${root}/${HOLE}`) };
      }
      return plain.length <= 1 ? passed(run.stdin) : UNKNOWN;
    case 'cat':
    case 'tee':
      return name === 'tee' || plain.length === 0 || (plain.length === 1 && all[0] === '-')
        ? run.stdin
        : { kind: 'local' };
    case 'sort':
    case 'head':
    case 'tail':
    case 'uniq':
    case 'tac':
      return plain.length === 0 || run.stdin !== null ? passed(run.stdin) : { kind: 'local' };
    default:
      return UNKNOWN;
  }
}

/** A part of what came in: paths stay paths, a file's lines stay a file's. */
const passed = (stdin: Stream): Stream => (stdin?.kind === 'paths' || stdin?.kind === 'local' ? stdin : UNKNOWN);

function gitPrints(run: Run, args: readonly Arg[]): Stream {
  const words = args.map(([word = '']) => word);
  if (words.includes('--show-toplevel')) return known(run.folders);
  if (words.some((word) => /^--(git-dir|git-common-dir|absolute-git-dir|git-path)$/.test(word))) return known(['.git']);
  if (words[0] === 'ls-files' || words.includes('--name-only')) return { kind: 'paths', texts: [`./${HOLE}`] };
  return words[0] === 'rev-parse' || words[0] === 'describe' ? known(['0']) : UNKNOWN;
}

function formatted(args: readonly Arg[]): Arg {
  const [format, ...values] = args;
  if (format === undefined || format.length !== 1) return [HOLE];
  let next = 0;
  let isKnown = true;
  const text = unescaped(format[0] ?? '').replace(/%(.)/g, (_, kind: string) => {
    if (kind === '%') return '%';
    const value = values[next++];
    if (kind !== 's' && kind !== 'd') isKnown = false;
    if (value?.length !== 1) return HOLE;
    return value[0] ?? '';
  });
  const left = values.slice(next).flat();
  return isKnown && !text.includes(HOLE) ? [[text, ...left].join('\n')] : [HOLE];
}

const unescaped = (text: string): string =>
  text
    .replace(/\\x([0-9a-fA-F]{1,2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\0?([0-7]{1,3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t');
