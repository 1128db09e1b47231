// Whether this process stays alive for a child of it.
import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

/** Whether this process waits for the child and its pipes before it ends by itself. */
export function holdProcess(child: ChildProcess, isHeld: boolean): void {
  for (const one of [child, child.stdin, child.stdout, child.stderr]) {
    if (!(one === child || one instanceof Socket)) continue;
    if (isHeld) one.ref();
    else one.unref();
  }
}
