// The smallest start of the program, one file that bin/harness.cjs loads before anything else: it prints the kept answer of a command that
// only looks, if that still holds (src/app/look/kept-answers.ts), and else leaves the call to the whole program.
import { writeSync } from 'node:fs';
import { printKept, slotOf } from '../app/look/kept-answers.ts';
import { codeOf } from '../host/error-code.ts';
import { askedLine } from './asked-line.ts';

/** The exit code; null: nothing was printed, and the call has to be answered. */
export function glance(argv: readonly string[], env: { readonly [name: string]: string | undefined }): number | null {
  const line = askedLine(argv, env);
  const slot = line === null ? null : slotOf(line);
  if (slot === null) return null;
  let isBegun = false;
  try {
    return printKept(slot, Date.now(), (bytes) => {
      isBegun = true;
      print(bytes);
    });
  } catch (error) {
    if (!isBegun) return null;
    return codeOf(error) === 'EPIPE' ? 0 : 1; // as in main.ts
  }
}

/** Directly: the stream takes longer to make than the answer takes to check. */
function print(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      sleep(); // a pipe that another program has made not to wait
    }
  }
}

const sleep = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
