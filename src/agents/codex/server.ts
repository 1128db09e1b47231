// Owns the program while it lives: its process and its messages as one thing, and why it went away.
import { failure, type Failure } from '../../model/failure.ts';
import type { SessionSpec } from '../port.ts';
import { startProgram } from '../program.ts';
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

/** On TERM the program ends its own shells first. */
const GRACE_MS = { program: 3_000, leftovers: 0 };

export function startServer(argv: readonly string[], spec: SessionSpec, hooks: Hooks): Server {
  const { cwd, token, box } = spec;
  const all = [...argv, ...argumentsOf(spec)];
  const program = startProgram({ argv: all, cwd, env: environmentOf(spec), token, box, graceMs: GRACE_MS });
  const { child } = program;
  const gone = Promise.withResolvers<Failure>();
  const wire = openWire(child.stdin, child.stdout, {
    ...hooks,
    onHopeless(line) {
      gone.resolve(failure('agent-malformed', { provider: 'codex', what: 'not-the-protocol', line }));
      void program.end(0);
    },
  });
  void program.exited.then(({ error, code, signal }) => {
    if (error !== null) return gone.resolve(whyMissing(error, all[0] ?? ''));
    return gone.resolve(crashed({ words: signal ?? `exit code ${code}`, stderr: program.stderr() }));
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
