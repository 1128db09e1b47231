// Commands that an agent runs through us: in the work folder, marked, with the end of their output kept, ended as a group.
import { spawn } from 'node:child_process';
import { Buffer } from 'node:buffer';
import { processGroup, type ProcessGroup } from '../../host/process-tree.ts';
import { inBox } from '../../host/sandbox/level.ts';
import type { SessionSpec } from '../port.ts';

export type TerminalExit = { readonly exitCode: number | null; readonly signal: string | null };
export type TerminalSpec = {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  /** How many bytes of the output are kept, from its end. */
  readonly keepBytes: number;
  /** Ended after this time, in milliseconds; null: never. */
  readonly wallMs: number | null;
};
export type Terminals = {
  create(spec: TerminalSpec): string;
  /** Null for an id that does not exist (any more). */
  output(id: string): { output: string; truncated: boolean; exitStatus: TerminalExit | null } | null;
  waitForExit(id: string): Promise<TerminalExit> | null;
  kill(id: string): boolean;
  release(id: string): boolean;
  killAll(): void;
};

type Terminal = {
  readonly group: ProcessGroup;
  readonly exit: Promise<TerminalExit>;
  kept: Buffer;
  truncated: boolean;
  done: TerminalExit | null;
};

export function openTerminals(session: Pick<SessionSpec, 'token' | 'box'>): Terminals {
  const terminals = new Map<string, Terminal>();
  let made = 0;
  const kill = (terminal: Terminal): void => {
    if (terminal.done === null) terminal.group.signal('SIGKILL');
  };
  return {
    create(spec) {
      const id = `terminal-${++made}`;
      terminals.set(id, start(spec, session));
      return id;
    },
    output(id) {
      const terminal = terminals.get(id);
      if (terminal === undefined) return null;
      return { output: wholeCharacters(terminal.kept), truncated: terminal.truncated, exitStatus: terminal.done };
    },
    waitForExit: (id) => terminals.get(id)?.exit ?? null,
    kill(id) {
      const terminal = terminals.get(id);
      if (terminal !== undefined) kill(terminal);
      return terminal !== undefined;
    },
    release(id) {
      const terminal = terminals.get(id);
      if (terminal !== undefined) kill(terminal);
      return terminals.delete(id);
    },
    killAll() {
      for (const terminal of terminals.values()) kill(terminal);
    },
  };
}

function start(spec: TerminalSpec, { token, box }: Pick<SessionSpec, 'token' | 'box'>): Terminal {
  const { argv, env } = inBox(box, spec.argv, spec.env);
  const [program = '', ...args] = argv;
  const child = spawn(program, args, {
    cwd: spec.cwd,
    env: { ...env, HARNESS_TOKEN: token },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const group = processGroup(child);
  const exit = new Promise<TerminalExit>((resolve) => {
    const wall = spec.wallMs === null ? undefined : setTimeout(() => group.signal('SIGKILL'), spec.wallMs);
    const settle = (exitCode: number | null, signal: string | null): void => {
      clearTimeout(wall);
      terminal.done ??= { exitCode, signal };
      resolve(terminal.done);
    };
    child.once('close', settle);
    child.once('error', (error) => {
      keep(terminal, Buffer.from(`${error.message}\n`), spec.keepBytes);
      settle(127, null);
    });
  });
  const terminal: Terminal = { group, exit, kept: Buffer.alloc(0), truncated: false, done: null };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => keep(terminal, chunk, spec.keepBytes));
  return terminal;
}

function keep(terminal: Terminal, chunk: Buffer, keepBytes: number): void {
  const joined = Buffer.concat([terminal.kept, chunk]);
  terminal.truncated ||= joined.length > keepBytes;
  terminal.kept = joined.length > keepBytes ? joined.subarray(joined.length - keepBytes) : joined;
}

/** Cutting at a byte can split a character: the rest of one at the front is dropped. */
function wholeCharacters(bytes: Buffer): string {
  let from = 0;
  while (from < Math.min(4, bytes.length) && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  return bytes.toString('utf8', from);
}
