// The readers of the output may leave: `harness run 2>&1 | head`, a closed terminal, a cut connection. No command fails because of it. What
// only prints ends when its reader has left; what works continues, and its state says what it did.
import { codeOf } from '../host/error-code.ts';

type Streams = Pick<NodeJS.Process, 'stdout' | 'on' | 'off'>;

/** EIO: a terminal that was closed. */
const isGone = (error: unknown): boolean => ['EPIPE', 'EIO', 'ECONNRESET'].includes(codeOf(error));

/** An answer that could not be written for another cause, such as a full disk, makes a successful command exit with `exit`. */
export function surviveLostReaders(process: NodeJS.Process, exit: number): void {
  let isLost = false;
  process.stdout.on('error', (error) => (isLost ||= !isGone(error)));
  process.stderr.on('error', () => undefined);
  process.on('exit', (code) => {
    if (isLost && code === 0) process.exitCode = exit;
  });
}

/** `left` is called when the reader of stdout has left, or the terminal was closed. Returns the function that removes it. */
export function onReaderLeft(process: Streams, left: () => void): () => void {
  process.stdout.on('error', left);
  process.on('SIGHUP', left);
  return () => {
    process.stdout.off('error', left);
    process.off('SIGHUP', left);
  };
}
