// Owns the program while it lives: its process and its messages as one thing, and why it went away.
import { setTimeout as pause } from 'node:timers/promises';
import { failure, type Failure } from '../../model/failure.ts';
import type { SessionSpec } from '../port.ts';
import { openProgram } from '../program.ts';
import { crashed } from './errors.ts';
import { missing } from './find.ts';
import { argumentsOf, environmentOf } from './settings.ts';
import { openWire, type Wire } from './wire.ts';

export type Server = {
  readonly wire: Wire;
  /** Resolves when the program is gone, with why, as far as it says. Never rejects. */
  readonly gone: Promise<Failure>;
  /** Ends what its tools left running, and keeps the program. Does nothing in a box, where all of it is one tree. */
  sweep(): Promise<void>;
  /** Its input ends, which is its word to go; then by force. */
  end(patienceMs: number): Promise<void>;
};

export type Hooks = {
  readonly onTold: (method: string, params: unknown) => void;
  readonly onAsked: (method: string, params: unknown) => Promise<unknown>;
};

/** What a program wrote last is waited for no longer than this: a child of its own can hold its output open. */
const LAST_OUTPUT_MS = 300;

export function startServer(argv: readonly string[], spec: SessionSpec, hooks: Hooks): Server {
  const program = openProgram(spec);
  const [command = '', ...args] = [...argv, ...argumentsOf(spec)];
  const child = program.start({ command, args, cwd: spec.cwd, env: environmentOf(spec) });
  const gone = Promise.withResolvers<Failure>();
  const wire = openWire(child.stdin, child.stdout, {
    ...hooks,
    onHopeless(line) {
      gone.resolve(failure('agent-malformed', { provider: 'codex', what: 'not-the-protocol', line }));
      void program.end(0);
    },
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.once('error', (error: NodeJS.ErrnoException) => {
    if (child.pid === undefined) gone.resolve(whyMissing(error, command));
  });
  child.once('exit', (code, signal) => {
    void Promise.race([closed, pause(LAST_OUTPUT_MS, undefined, { ref: false })]).then(() => {
      const words = signal === null ? `exit code ${code}` : signal;
      gone.resolve(crashed({ words, stderr: program.stderr() }));
    });
  });
  void gone.promise.then(() => wire.end());
  return {
    wire,
    gone: gone.promise,
    sweep: () => (spec.box === undefined ? program.sweep() : Promise.resolve()),
    end(patienceMs) {
      child.stdin.end();
      return program.end(patienceMs);
    },
  };
}

const whyMissing = (error: NodeJS.ErrnoException, command: string): Failure =>
  missing(error.code === 'ENOENT' ? 'not-found' : 'program-unusable', command);
