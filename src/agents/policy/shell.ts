// A shell line → every simple command it would run, wherever it hides: in substitutions, functions, `sh -c`, here-documents.
// Read by a real parser, never by pattern. What cannot be read is said so, and nothing is guessed. Pure.
import {
  parse,
  type CommandNode,
  type CompoundList,
  type ParsedScript,
  type Redirection,
  type Statement,
} from 'unbash';
import type { AndOr, Assignment, Command, Pipeline, SyntaxNode } from 'unbash';
import { forEachChild } from 'unbash';
import { resolve } from 'node:path';
import { argsOf, HOLE, joined, pieceOf, textsOf, type Arg, type Scope } from './words.ts';
import { programOf, printed, unwrapped, type Run, type Stream } from './run.ts';

export type ReadLine = { readonly runs: readonly Run[] } | { readonly unreadable: string };

const LONGEST_LINE = 64 * 1024;
const MOST_STEPS = 2_000;
const DEEPEST = 12;

type Values = Map<string, Arg>;
type State = {
  folders: readonly string[];
  before: readonly string[];
  vars: Values;
  readonly functions: Map<string, CommandNode | CompoundList>;
  /** Inside of an `if`, a loop and the like: what is set here may also not be set. */
  maybe: boolean;
  depth: number;
};
class Unreadable extends Error {}

/** Every command of the line. `folder`: where it starts; both absolute. Never throws, and takes bounded time. */
export function readLine(line: string, place: { readonly folder: string; readonly home: string }): ReadLine {
  const runs: Run[] = [];
  /** What no call was seen of may be called yet: it is read at the end, with arguments nobody knows. */
  const uncalled = new Map<CommandNode | CompoundList, State>();
  let steps = 0;
  const step = (): void => {
    if (++steps > MOST_STEPS) throw new Unreadable('too-much');
  };

  const scopeOf = (state: State): Scope => ({
    home: place.home,
    folders: state.folders,
    variable: (name) => state.vars.get(name) ?? null,
    inside: (part) => readInside(part, state),
    output: (script) => {
      if (script === undefined) throw new Unreadable('syntax');
      const stream = readScript(script, within(state), null);
      if (stream === null || stream.kind !== 'text') return stream?.kind === 'paths' ? stream.texts : [HOLE];
      return stream.texts.map((text) => text.trim());
    },
  });
  const within = (state: State): State => {
    if (state.depth >= DEEPEST) throw new Unreadable('too-deep');
    return { ...state, vars: new Map(state.vars), functions: new Map(state.functions), depth: state.depth + 1 };
  };

  const readScript = (script: ParsedScript, state: State, stdin: Stream): Stream => {
    if ((script.errors?.length ?? 0) > 0) throw new Unreadable('syntax');
    return readList(script.commands, state, stdin);
  };
  const readText = (text: string, state: State, stdin: Stream): Stream => {
    if (text.length > LONGEST_LINE) throw new Unreadable('too-long');
    if (text.includes('\0')) throw new Unreadable('nul');
    return readScript(parse(text), state, stdin);
  };
  const readList = (statements: readonly Statement[], state: State, stdin: Stream): Stream => {
    let last: Stream = null;
    for (const statement of statements) last = readNode(statement.command, state, stdin);
    return statements.length === 1 ? last : sum(last, statements.length);
  };

  const readNode = (node: CommandNode | Pipeline | AndOr | CompoundList, state: State, stdin: Stream): Stream => {
    step();
    switch (node.type) {
      case 'AndOr': {
        let after: { folders: readonly string[]; vars: Values } | null = null;
        let last: Stream = null;
        for (const command of node.commands) {
          last = readNode(command, state, stdin);
          after ??= { folders: state.folders, vars: new Map(state.vars) };
        }
        // the first surely ran, the others perhaps
        if (after !== null) state.folders = [...new Set([...state.folders, ...after.folders])];
        for (const [name, texts] of after?.vars ?? []) merge(state.vars, name, texts);
        return sum(last, 2);
      }
      case 'Pipeline': {
        let stream = stdin;
        for (const command of node.commands)
          stream = readNode(command, node.commands.length > 1 ? within(state) : state, stream);
        return stream;
      }
      case 'Command':
        return readCommand(node, state, stdin);
      case 'Subshell':
        return readNode(node.body, within(state), stdin);
      case 'BraceGroup':
        return readNode(node.body, state, stdin);
      case 'CompoundList':
        return readList(node.commands, state, stdin);
      case 'Redirected': {
        const targets = redirections(node.redirects, state);
        add({ words: [], ...targets, sets: [], stdin, folders: state.folders });
        return readNode(node.command, state, targets.stdin ?? stdin) === null ? null : { kind: 'unknown' };
      }
      case 'Function': {
        const [name = ''] = textsOf(node.name, scopeOf(state));
        state.functions.set(name, node.body);
        if (node.body.type !== 'CompoundList' && callsItself(node, name)) add(plain(['fork-bomb'], state));
        uncalled.set(node.body, state);
        return null;
      }
      case 'For':
      case 'Select': {
        const words = (node.wordlist ?? []).flatMap((word) => argsOf(word, scopeOf(state)));
        const texts = node.wordlist === undefined ? [HOLE] : words.flat().slice(0, 48);
        state.vars.set(textsOf(node.name, scopeOf(state))[0] ?? '', texts.length === 0 ? [HOLE] : texts);
        perhaps(state, () => readNode(node.body, state, stdin));
        return { kind: 'unknown' };
      }
      case 'If': {
        readNode(node.clause, state, stdin);
        perhaps(state, () => {
          readNode(node.then, state, stdin);
          for (const other of node.elif) {
            readNode(other.clause, state, stdin);
            readNode(other.then, state, stdin);
          }
          if (node.else !== undefined) readNode(node.else, state, stdin);
        });
        return { kind: 'unknown' };
      }
      case 'While':
        perhaps(state, () => {
          readNode(node.clause, state, stdin);
          readNode(node.body, state, stdin);
        });
        return { kind: 'unknown' };
      case 'Case':
        textsOf(node.word, scopeOf(state));
        perhaps(state, () => {
          for (const item of node.items) {
            for (const word of item.pattern) textsOf(word, scopeOf(state));
            readNode(item.body, state, stdin);
          }
        });
        return { kind: 'unknown' };
      case 'Coproc':
        return readNode(node.body, within(state), stdin);
      case 'ArithmeticFor':
        perhaps(state, () => readNode(node.body, state, stdin));
        readInside(node, state);
        return { kind: 'unknown' };
      case 'TestCommand':
      case 'ArithmeticCommand':
        readInside(node, state);
        return { kind: 'text', texts: [''] };
    }
  };

  /** Commands in substitutions of a node that is no command itself. */
  const readInside = (node: SyntaxNode, state: State): void =>
    forEachChild(node, (child) => {
      step();
      if (child.type === 'CompoundList' || child.type === 'Statement') return;
      if ('script' in child) scopeOf(state).output(child.script);
      else readInside(child, state);
    });

  const perhaps = (state: State, read: () => unknown): void => {
    const { maybe, folders } = state;
    state.maybe = true;
    read();
    state.maybe = maybe;
    state.folders = [...new Set([...folders, ...state.folders])];
  };

  const readFunction = (body: CommandNode | CompoundList, state: State, args: readonly Arg[]): Stream => {
    uncalled.delete(body);
    const inner = within(state);
    args.slice(0, 9).forEach((arg, at) => inner.vars.set(String(at + 1), arg));
    inner.vars.set('@', args.flat().length === 0 ? [HOLE] : args.flat().slice(0, 48));
    return readNode(body, inner, null);
  };

  const assign = ({ name, value, index }: Assignment, state: State): Arg => {
    if (index !== undefined) textsOf(index, scopeOf(state));
    const texts =
      value.type === 'ArrayValue'
        ? value.elements.flatMap((word) => textsOf(word, scopeOf(state))).slice(0, 48)
        : textsOf(value, scopeOf(state));
    if (state.maybe) merge(state.vars, name, texts);
    else state.vars.set(name, texts);
    return texts;
  };

  const redirections = (redirects: readonly Redirection[], state: State) => {
    const writes: Arg[] = [];
    const reads: Arg[] = [];
    let stdin: Stream = null;
    for (const redirect of redirects) {
      if (redirect.type === 'HereDoc') {
        const { parts, text } = redirect.body;
        const texts = parts === undefined ? [text] : joined(parts.map((part) => pieceOf(part, scopeOf(state), false)));
        stdin = { kind: 'text', texts };
        continue;
      }
      const texts = redirect.target === undefined ? [HOLE] : textsOf(redirect.target, scopeOf(state));
      if (redirect.operator === '<<<') stdin = { kind: 'text', texts };
      else if (redirect.operator === '<') {
        reads.push(texts);
        stdin = { kind: 'local' };
      } else if (redirect.operator.endsWith('&') && texts.every((text) => /^(\d+|-|\d+-)$/.test(text))) continue;
      else writes.push(texts);
    }
    return { writes, reads, stdin };
  };

  const readCommand = (node: Command, state: State, piped: Stream): Stream => {
    const assigned: string[] = [];
    for (const part of node.prefix)
      if (part.type === 'Assignment') {
        assign(part, node.name === undefined ? state : { ...state, vars: new Map(state.vars) });
        assigned.push(part.name);
      }
    const words: Arg[] = node.name === undefined ? [] : [...argsOf(node.name, scopeOf(state))];
    for (const arg of node.args) {
      if (arg.type === 'Word') words.push(...argsOf(arg, scopeOf(state)));
      else {
        const texts = assign(arg, state);
        words.push(texts.map((text) => `${arg.name}=${text}`));
        assigned.push(arg.name);
      }
    }
    const { writes, reads, stdin } = redirections(node.redirects, state);
    return read({ words, writes, reads, sets: assigned, stdin: stdin ?? piped, folders: state.folders }, state);
  };

  /** One command with its words known: what it starts in turn is read as well. Returns what it prints. */
  const read = (run: Run, state: State): Stream => {
    step();
    add(run);
    const name = programOf(run.words[0]);
    const called = state.functions.get(name);
    if (called !== undefined && state.depth < DEEPEST) return readFunction(called, state, run.words.slice(1));
    if (name === 'cd' || name === 'pushd') {
      change(run.words.slice(1), state);
      return { kind: 'text', texts: [''] };
    }
    if (name === 'read' || name === 'mapfile' || name === 'readarray') {
      const lines =
        run.stdin?.kind === 'text' ? run.stdin.texts.flatMap((text) => text.split('\n')).slice(0, 48) : null;
      const texts = run.stdin?.kind === 'paths' ? run.stdin.texts : (lines ?? [HOLE]);
      for (const [word = ''] of run.words.slice(1)) if (!word.startsWith('-')) state.vars.set(word, texts);
      return null;
    }
    for (const part of unwrapped(run)) {
      if ('words' in part) {
        const last = read({ ...part, folders: state.folders }, state);
        if (part.words !== run.words && part.tells) return last;
      } else
        for (const text of part.texts) {
          if (text.includes(HOLE)) add(plain(['unknown-code', name], state));
          else readText(text, part.isOwn ? state : within(state), run.stdin);
        }
    }
    return printed(run);
  };

  const change = (args: readonly Arg[], state: State): void => {
    const to = args.find(([word = '']) => !/^-[LPe@]+$|^--$/.test(word)) ?? [place.home];
    const next = to.flatMap((text) =>
      text === '-' ? state.before : state.folders.map((from) => (text.startsWith(HOLE) ? HOLE : resolve(from, text))),
    );
    state.before = state.folders;
    state.folders = [...new Set(state.maybe ? [...state.folders, ...next] : next)].slice(0, 16);
  };

  const add = (run: Run): void => {
    if (runs.length >= MOST_STEPS) throw new Unreadable('too-much');
    runs.push(run);
  };
  const plain = (words: readonly string[], state: State): Run => ({
    words: words.map((word) => [`${MARK}${word}`]),
    writes: [],
    reads: [],
    sets: [],
    stdin: null,
    folders: state.folders,
  });

  try {
    const { folder } = place;
    if (line.includes(HOLE) || line.includes(MARK)) throw new Unreadable('private-character');
    const functions = new Map<string, CommandNode | CompoundList>();
    const state: State = {
      folders: [folder],
      before: [folder],
      vars: new Map(START),
      functions,
      maybe: false,
      depth: 0,
    };
    readText(line, state, null);
    for (const [body, scope] of uncalled) readFunction(body, scope, []);
    return { runs };
  } catch (error) {
    // the stack is as bounded as the line, but not by us
    if (error instanceof RangeError) return { unreadable: 'too-deep' };
    if (error instanceof Unreadable) return { unreadable: error.message };
    throw error;
  }
}

/** In front of a finding that stands in the list of runs in place of a command; no program has this name. */
export const MARK = '\uE001';
const START: readonly (readonly [string, Arg])[] = [
  ['TMPDIR', ['/tmp']],
  ['IFS', [' ']],
];

function merge(vars: Values, name: string, texts: Arg): void {
  const all = [...new Set([...(vars.get(name) ?? []), ...texts])];
  vars.set(name, all.length > 48 ? [HOLE] : all);
}

const sum = (last: Stream, parts: number): Stream => (parts === 1 || last === null ? last : { kind: 'unknown' });

/** A function that starts itself more than once or in the background. */
function callsItself(node: SyntaxNode, name: string): boolean {
  let calls = 0;
  let background = false;
  const look = (at: SyntaxNode): void =>
    forEachChild(at, (child) => {
      if (child.type === 'Command' && child.name?.value === name) calls++;
      if (child.type === 'Statement' && child.background === true) background = true;
      look(child);
    });
  look(node);
  return calls > 1 || (calls === 1 && background);
}
