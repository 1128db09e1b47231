// An Io that dies at its n-th durable call: before it, in the middle of it, or just after. What is dead writes no more.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { realIo, type Io } from '../../src/host/io.ts';

export type Mode = 'before' | 'torn' | 'after';
export const MODES: readonly Mode[] = ['before', 'torn', 'after'];

export class Death extends Error {
  override readonly name = 'Death';
}

/** No process has this pid: a file that a dead process left is distinguished from one that the live process is writing. */
const DEAD_PID = 2 ** 22 + 1;

export type Tear = (effect: Promise<unknown>) => Promise<unknown>;
export type DyingIo = { readonly io: Io; readonly calls: readonly string[]; readonly isDead: () => boolean };

/**
 * `at`: 1-based number of the durable call to die at; 0 never dies. An effect that is torn has been begun, continues until `tear`
 * resolves and, like a process whose starter was killed, beyond. `tear` is given the effect that it may wait for.
 */
export function dyingIo(at: number, mode: Mode, tear: Tear = () => Promise.resolve(), real: Io = realIo()): DyingIo {
  const calls: string[] = [];
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Death(`${mode} #${at} ${calls.at(-1) ?? ''}`);
  };
  const hit = (name: string): boolean => {
    if (isDead) throw new Death('a dead harness writes nothing');
    calls.push(name);
    return calls.length === at;
  };
  const around = (name: string, torn: () => void, run: () => void): void => {
    const isHit = hit(name);
    if (isHit && mode === 'before') die();
    if (isHit && mode === 'torn') {
      torn();
      die();
    }
    run();
    if (isHit) die();
  };
  const half = (path: string, text: string | Uint8Array, flag: 'a' | 'w'): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.slice(0, text.length >> 1), { flag });
  };
  const io: Io = {
    append: (path, text, how) =>
      around(
        `append ${path}`,
        () => half(path, text, 'a'),
        () => real.append(path, text, how),
      ),
    replace: (path, text) =>
      around(
        `replace ${path}`,
        () => half(`${path}.${DEAD_PID}.tmp`, text, 'w'),
        () => real.replace(path, text),
      ),
    // Each file is a call of its own: what is new when it dies in between is what would be.
    replaceAll: (files) => files.forEach(({ path, text }) => io.replace(path, text)),
    remove: (path) =>
      around(
        `remove ${path}`,
        () => undefined,
        () => real.remove(path),
      ),
    async effect(name, run) {
      const isHit = hit(`effect ${name}`);
      if (isHit && mode === 'before') die();
      const running = run();
      if (isHit && mode === 'torn') {
        running.catch(() => undefined);
        await tear(running);
        die();
      }
      const value = await running;
      if (isDead) throw new Death('a dead harness learns nothing');
      if (isHit) die();
      return value;
    },
  };
  return { io, calls, isDead: () => isDead };
}
