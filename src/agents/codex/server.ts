// The running program: its process and its messages as one thing, and why it exited.
import { failure, type Failure } from '../../model/failure.ts';
import type { SessionSpec } from '../port.ts';
import { startProgram } from '../program.ts';
import { crashed } from './errors.ts';
import { missing } from './find-program.ts';
import { argumentsOf, environmentOf } from './settings.ts';
import { openWire, type CodexWire, type CodexWireHooks } from './wire.ts';

export type Server = {
  readonly wire: CodexWire;
  /** Resolves when the program has exited, with the reason as far as it is known. Never rejects. */
  readonly exited: Promise<Failure>;
  /** Ends what its tools left running, and keeps the program. Does nothing in a box. */
  sweep(): Promise<void>;
  /** Ends its input, upon which it exits by itself within `patienceMs`; else it is ended. */
  end(patienceMs: number): Promise<void>;
};

/** On TERM the program ends its own shells first. */
const GRACE_MS = { program: 3_000, leftovers: 0 };

export function startServer(
  argv: readonly string[],
  spec: SessionSpec,
  hooks: Pick<CodexWireHooks, 'onNotification' | 'onRequest'>,
): Server {
  const { cwd, token, box } = spec;
  const all = [...argv, ...argumentsOf(spec)];
  const program = startProgram({ argv: all, cwd, env: environmentOf(spec), token, box, graceMs: GRACE_MS });
  const { child } = program;
  const exited = Promise.withResolvers<Failure>();
  const wire = openWire(child.stdin, child.stdout, {
    ...hooks,
    onHopeless(line) {
      exited.resolve(failure('agent-malformed', { provider: 'codex', what: 'not-the-protocol', line }));
      void program.end(0);
    },
  });
  void program.exited.then(({ error, code, signal }) => {
    if (error !== null) return exited.resolve(startFailure(error, all[0] ?? ''));
    return exited.resolve(crashed({ message: signal ?? `exit code ${code}`, stderr: program.stderr() }));
  });
  void exited.promise.then(() => wire.end());
  return {
    wire,
    exited: exited.promise,
    sweep: () => (spec.box === undefined ? program.sweep() : Promise.resolve()),
    end(patienceMs) {
      child.stdin.end();
      return program.end(patienceMs);
    },
  };
}

const startFailure = (error: NodeJS.ErrnoException, command: string): Failure =>
  missing(error.code === 'ENOENT' ? 'not-found' : 'program-unusable', command);
