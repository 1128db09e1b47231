// Parses a command line. Only the called command is loaded, and commander (grammar.ts) only for calls with more than arguments
// and global options: loading it takes as long as a short command.
import { LANGUAGES, parseLanguage } from '../host/language.ts';
import { failure, type Failure } from '../model/failure.ts';
import type { CommandSpec, OptionValue } from './command.ts';
import { COMMANDS, findCommand } from './commands.ts';
import { GLOBAL_OPTIONS, isVersionFlag, parseSimple, split } from './words.ts';

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

/** A mistake in the command line is returned as a `usage` failure, never thrown. */
export async function parseCall(argv: readonly string[]): Promise<Parsed> {
  const parsed = await parseWords(argv);
  const { lang, color } = parsed.globals;
  const wrong =
    lang !== null && parseLanguage(lang) === null
      ? `--lang must be ${LANGUAGES.join(' or ')}, not '${lang}'`
      : color !== null && !COLORS.includes(color)
        ? `--color must be auto, always or never, not '${color}'`
        : null;
  if (parsed.kind === 'failure' || wrong === null) return parsed;
  return { kind: 'failure', globals: parsed.globals, failure: usage(wrong, 'harness --help') };
}
const COLORS = ['auto', 'always', 'never'];

async function parseWords(argv: readonly string[]): Promise<Parsed> {
  const { head, word, rest } = split(argv);
  const plainHead = parseSimple(head, GLOBAL_OPTIONS);
  const globalsOnly = globalsOf(
    plainHead?.options ?? (await import('./grammar.ts')).parseGlobals(head, GLOBAL_OPTIONS),
  );
  if (word === null) {
    if (head.some(isVersionFlag)) return parseWords([...head.filter((w) => !isVersionFlag(w)), 'version']);
    const stray = head.find((w) => w.startsWith('-') && !/^(-h|--help)$/.test(w) && !isGlobal(w));
    if (stray !== undefined)
      return { kind: 'failure', globals: globalsOnly, failure: usage(`unknown option '${stray}'`, 'harness --help') };
    return { kind: 'help', command: null, text: null, globals: globalsOnly };
  }
  if (word === 'help') return parseWords([...rest.slice(0, 1), ...head, '--help']);
  const found = findCommand(word);
  if (!found) {
    const near = nearest(word);
    return {
      kind: 'failure',
      globals: { ...globalsOnly, json: globalsOnly.json || rest.includes('--json') },
      failure: usage(`unknown command '${word}'`, near === null ? 'harness --help' : `harness ${near}`),
    };
  }
  const spec = await found.entry.load();
  const words = [...head, ...rest];
  const plain = parseSimple(words, GLOBAL_OPTIONS);
  if (plain !== null && fits(spec, plain.args.length))
    return { kind: 'call', command: spec, ...plain, globals: globalsOf(plain.options) };
  const { parseWithCommander } = await import('./grammar.ts');
  const read = parseWithCommander(spec, found.entry.summary, words, GLOBAL_OPTIONS);
  if (read.kind === 'call') return { ...read, command: spec, globals: globalsOf(read.options) };
  if (read.kind === 'help') return { kind: 'help', command: spec, text: read.text, globals: globalsOf(read.options) };
  const globals = { ...globalsOnly, json: globalsOnly.json || argv.includes('--json') };
  return { kind: 'failure', globals, failure: usage(read.what, `harness ${spec.name} --help`) };
}

/** Whether the command accepts this number of arguments. */
function fits({ args }: CommandSpec, count: number): boolean {
  const wanted = args.split(' ').filter((arg) => arg !== '');
  return count <= wanted.length && count >= wanted.filter((arg) => arg.startsWith('<')).length && !args.includes('...');
}

const usage = (what: string, hint: string): Failure => failure('usage', { what, hint });

const isGlobal = (word: string): boolean =>
  GLOBAL_OPTIONS.some(({ flags }) => flags.split(/[ ,]+/).includes(word.split('=')[0] ?? ''));

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

/** What spends money, stops a run or changes what is there is never the answer to a typing mistake. */
const NEVER_GUESSED: ReadonlySet<string> = new Set([
  'init',
  'pause',
  'stop',
  'freeze',
  'abort',
  'handoff',
  'override',
  'manual-verify',
  'answer',
  'approve',
  'reject',
]);
const isGuessed = (name: string, { group }: { readonly group: string }): boolean =>
  !NEVER_GUESSED.has(name) && (group !== 'WORK' || name === 'verify');

/** The most similar command: a prefix, or one or two letters different. */
function nearest(word: string): string | null {
  const scored = Object.entries(COMMANDS)
    .flatMap(([command, entry]) =>
      [command, ...(entry.aliases ?? [])].map((name) => ({
        name,
        isSafe: isGuessed(command, entry),
        isSteering: entry.group === 'STEER',
        far: name.startsWith(word) ? 0 : distance(name, word),
      })),
    )
    .sort((a, b) => a.far - b.far);
  const best = scored.find(({ isSafe }) => isSafe);
  // Who meant another command gets none that changes something in its place.
  const isMeant = best?.isSteering !== true || best.far === scored[0]?.far;
  return best !== undefined && isMeant && best.far <= Math.max(1, word.length >> 2) + 1 ? best.name : null;
}

/** Letters to add, leave out, replace or exchange with their neighbour. */
function distance(a: string, b: string): number {
  let [older, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (older[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced, swapped));
    }
    [older, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
