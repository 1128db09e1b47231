// A shell line → the simple commands that it would run, read from the syntax tree of a real parser: those in substitutions,
// functions, loops and here-documents, and those that other programs start (`sh -c`, `xargs`, `env`). Pure; nothing is run.
import { forEachChild, parse } from 'unbash';
import type { Assignment, Command, ParsedScript, Redirection, Statement, SyntaxNode } from 'unbash';
import { expandParts, expandWord, FILE_CONTENTS, isDynamic, resolveFrom, UNKNOWN, type ShellScope } from './expand.ts';
import { isFind, printedBy, programOf, startedBy, type ProgramCall, type Code } from './programs.ts';

export type SimpleCommand = ProgramCall & {
  /** Targets of its redirections. */
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  /** Names of variables that are set in front of it or by it. */
  readonly assigns: readonly string[];
  /** What it hands to an interpreter. */
  readonly code: readonly Code[];
  /** No command but a function that calls itself without end. */
  readonly isForkBomb?: true;
};
export type ReadLine = { readonly commands: readonly SimpleCommand[] } | { readonly unreadable: string };

const MAX_LINE_LENGTH = 64 * 1024;
const MAX_COMMANDS = 2_000;
const MAX_STEPS = 10_000;
const MAX_DEPTH = 12;
/** Of all values of variables together, in the places where they are used. */
const MAX_EXPANDED_LENGTH = 1024 * 1024;
/** More folders than this count as unknown. */
const MAX_FOLDERS = 8;

type State = {
  folders: readonly string[];
  previousFolders: readonly string[];
  readonly variables: Map<string, string>;
  readonly functions: Map<string, SyntaxNode>;
  readonly depth: number;
};
/** Why the line cannot be read. */
class Unreadable extends Error {}

/** Every command of the line, which starts in `folder`. Both paths are absolute. Never throws, and takes bounded time. */
export function readLine(line: string, { folder, home }: { readonly folder: string; readonly home: string }): ReadLine {
  const folders = [folder];
  const variables = new Map(Object.entries({ HOME: home, PWD: folder, TMPDIR: '/tmp', IFS: ' ' }));
  const reader = new LineReader(home);
  try {
    if (isDynamic(line)) return { unreadable: 'private-character' };
    const functions = new Map<string, SyntaxNode>();
    reader.readText(line, { folders, previousFolders: folders, variables, functions, depth: 0 }, null);
    reader.readUncalledFunctions();
    return { commands: reader.commands };
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message };
    if (error instanceof RangeError) return { unreadable: 'too-deep' }; // the parser and the reader recurse
    throw error;
  }
}

function subshell(state: State): State {
  if (state.depth >= MAX_DEPTH) throw new Unreadable('too-deep');
  const { variables, functions, depth } = state;
  return { ...state, variables: new Map(variables), functions: new Map(functions), depth: depth + 1 };
}

/** Every `read…` returns what the node prints. `stdin` is what it can read; null: nothing is attached. */
class LineReader {
  readonly commands: SimpleCommand[] = [];
  readonly #home: string;
  /** A function may be called by something that is not read here: at the end it is read with unknown arguments. */
  readonly #uncalled = new Map<SyntaxNode, State>();
  #steps = 0;
  #expandedLength = 0;

  constructor(home: string) {
    this.#home = home;
  }

  readText(text: string, state: State, stdin: string | null): string {
    if (text.length > MAX_LINE_LENGTH) throw new Unreadable('too-long');
    if (text.includes('\0')) throw new Unreadable('nul');
    return this.#readScript(parse(text), state, stdin);
  }

  readUncalledFunctions(): void {
    for (const [body, state] of this.#uncalled) this.#read(body, subshell(state), null);
  }

  #readScript(script: ParsedScript | undefined, state: State, stdin: string | null): string {
    if (script === undefined || (script.errors?.length ?? 0) > 0) throw new Unreadable('syntax');
    return this.#readStatements(script.commands, state, stdin);
  }

  #readStatements(statements: readonly Statement[], state: State, stdin: string | null): string {
    const printed = statements.map(({ command, background }) =>
      this.#read(command, background === true ? subshell(state) : state, stdin),
    );
    return printed.length === 1 ? (printed[0] ?? '') : UNKNOWN;
  }

  #read(node: SyntaxNode, state: State, stdin: string | null): string {
    if (++this.#steps > MAX_STEPS) throw new Unreadable('too-much');
    switch (node.type) {
      case 'Command':
        return this.#readCommand(node, state, stdin);
      case 'Pipeline': {
        let input = stdin;
        for (const command of node.commands)
          input = this.#read(command, node.commands.length > 1 ? subshell(state) : state, input);
        return input ?? UNKNOWN;
      }
      case 'AndOr': {
        const [first, ...others] = node.commands;
        if (first !== undefined) this.#read(first, state, stdin);
        this.#readPerhaps(others, state, stdin);
        return UNKNOWN;
      }
      case 'Script':
        return this.#readScript(node, subshell(state), stdin);
      case 'CompoundList':
        return this.#readStatements(node.commands, state, stdin);
      case 'Subshell':
        return this.#read(node.body, subshell(state), stdin);
      case 'BraceGroup':
        return this.#read(node.body, state, stdin);
      case 'Redirected': {
        const redirected = this.#redirections(node.redirects, state);
        this.#addEmpty(state, redirected);
        return this.#read(node.command, state, redirected.stdin ?? stdin);
      }
      case 'Function':
        state.functions.set(node.name.value, node.body);
        this.#uncalled.set(node.body, state);
        if (isForkBomb(node.body, node.name.value)) this.#addEmpty(state, { isForkBomb: true });
        return '';
      case 'For':
      case 'Select': {
        const values = (node.wordlist ?? []).flatMap((word) => expandWord(word, this.#scope(state)));
        for (const value of values.length === 0 ? [UNKNOWN] : values) {
          state.variables.set(node.name.value, value);
          this.#read(node.body, state, stdin);
        }
        return UNKNOWN;
      }
      case 'Word':
        return expandWord(node, this.#scope(state)).join(' ');
      default:
        forEachChild(node, (child) => this.#readPerhaps([child], state, stdin));
        return UNKNOWN;
    }
  }

  /** What a branch changes may have changed: afterwards such a variable is unknown, and the folder is either. */
  #readPerhaps(branch: readonly SyntaxNode[], state: State, stdin: string | null): void {
    const { folders } = state;
    const variables = [...state.variables];
    for (const node of branch) this.#read(node, state, stdin);
    for (const [name, value] of variables) if (state.variables.get(name) !== value) state.variables.set(name, UNKNOWN);
    const either = [...new Set([...folders, ...state.folders])];
    state.folders = either.length > MAX_FOLDERS ? [UNKNOWN] : either;
  }

  #scope(state: State): ShellScope {
    return {
      home: this.#home,
      variable: (name) => {
        const value = /^[?#$!]$/.test(name) ? '0' : (state.variables.get(name) ?? UNKNOWN);
        if ((this.#expandedLength += value.length) > MAX_EXPANDED_LENGTH) throw new Unreadable('too-much');
        return value;
      },
      output: (script) => this.#readScript(script, subshell(state), null).trim(),
      visit: (node) => forEachChild(node, (child) => void this.#read(child, state, null)),
    };
  }

  #readCommand(node: Command, state: State, piped: string | null): string {
    const assigns: string[] = [];
    const words = node.name === undefined ? [] : [...expandWord(node.name, this.#scope(state))];
    for (const part of [...node.prefix, ...node.args]) {
      if (part.type === 'Word') words.push(...expandWord(part, this.#scope(state)));
      if (part.type !== 'Assignment') continue;
      assigns.push(part.name);
      const isOwn = node.name === undefined || node.args.some((arg) => arg === part);
      const value = this.#assign(part, isOwn ? state : subshell(state));
      if (node.name !== undefined && isOwn) words.push(`${part.name}=${value}`);
    }
    const redirected = this.#redirections(node.redirects, state);
    const call = { ...redirected, words, assigns, folders: state.folders, stdin: redirected.stdin ?? piped };
    return this.#readCall(call, state);
  }

  /** One command with its words known, and the commands that it starts. */
  #readCall(call: Omit<SimpleCommand, 'code'>, state: State): string {
    const { words, stdin } = call;
    const started = startedBy(call);
    this.#add({ ...call, code: started.filter((one) => 'text' in one) });
    const name = programOf(words);
    const args = words.slice(1);
    const called = state.functions.get(name);
    if (called !== undefined) {
      this.#uncalled.delete(called);
      const inner = subshell(state);
      inner.functions.delete(name); // a function that calls itself is read once
      for (const [at, arg] of args.entries()) inner.variables.set(String(at + 1), arg);
      inner.variables.set('@', args.join(' '));
      return this.#read(called, inner, stdin);
    }
    if (name === 'cd' || name === 'pushd') this.#changeFolder(args, state);
    if (/^(read|mapfile|readarray)$/.test(name))
      for (const arg of args) state.variables.set(arg, stdin?.includes('\n') === false ? stdin : UNKNOWN);
    let printed: string | null = null;
    for (const one of started) {
      if ('words' in one) {
        const inner = { writes: [], reads: [], assigns: [], folders: state.folders, ...one };
        printed = this.#readCall(inner, state);
      } else if (one.language !== 'other' && !one.text.includes(FILE_CONTENTS)) {
        printed = this.readText(one.text, one.language === 'eval' ? state : subshell(state), stdin);
      }
    }
    return printed === null || isFind(name) ? printedBy(call) : printed;
  }

  #add(command: SimpleCommand): void {
    if (this.commands.push(command) > MAX_COMMANDS) throw new Unreadable('too-much');
  }

  #addEmpty({ folders }: State, more: Partial<SimpleCommand>): void {
    this.#add({ words: [], writes: [], reads: [], assigns: [], code: [], folders, stdin: null, ...more });
  }

  #changeFolder(args: readonly string[], state: State): void {
    const to = args.find((arg) => !/^-[LPe@]+$|^--$/.test(arg)) ?? this.#home;
    const from = state.folders;
    state.folders = to === '-' ? state.previousFolders : from.map((folder) => resolveFrom(folder, to));
    state.previousFolders = from;
    state.variables.set('PWD', state.folders.length === 1 ? (state.folders[0] ?? UNKNOWN) : UNKNOWN);
  }

  #assign({ name, value, index }: Assignment, state: State): string {
    const scope = this.#scope(state);
    if (index !== undefined) expandWord(index, scope);
    const elements = value.type === 'ArrayValue' ? value.elements : [value];
    const text = elements.flatMap((word) => expandWord(word, scope)).join(' ');
    state.variables.set(name, text);
    return text;
  }

  #redirections(redirects: readonly Redirection[], state: State): Pick<SimpleCommand, 'writes' | 'reads' | 'stdin'> {
    const scope = this.#scope(state);
    const writes: string[] = [];
    const reads: string[] = [];
    let stdin: string | null = null;
    for (const redirect of redirects) {
      if (redirect.type === 'HereDoc') {
        const { parts, text } = redirect.body;
        stdin = parts === undefined ? text : expandParts(parts, scope);
        continue;
      }
      const targets = redirect.target === undefined ? [UNKNOWN] : expandWord(redirect.target, scope);
      if (redirect.operator === '<<<') stdin = targets.join(' ');
      else if (redirect.operator === '<') {
        reads.push(...targets);
        stdin = FILE_CONTENTS;
      } else if (!redirect.operator.endsWith('&') || targets.some((text) => !/^(\d+-?|-)$/.test(text))) {
        writes.push(...targets);
      }
    }
    return { writes, reads, stdin };
  }
}

/** Whether a function calls itself more than once, or in the background. */
function isForkBomb(body: SyntaxNode, name: string): boolean {
  let calls = 0;
  const count = (node: SyntaxNode, isBackground: boolean): void =>
    forEachChild(node, (child) => {
      if (child.type === 'Command' && child.name?.value === name) calls += isBackground ? 2 : 1;
      count(child, isBackground || (child.type === 'Statement' && child.background === true));
    });
  count(body, false);
  return calls > 1;
}
