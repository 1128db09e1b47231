// An Io that dies at its n-th durable call: before it, in the middle of it, or just after. What is dead writes no more.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { realIo, type Io } from '../../src/host/io.ts';

export type Mode = 'before' | 'torn' | 'after';
export const MODES: readonly Mode[] = ['before', 'torn', 'after'];

export class Death extends Error {
  override readonly name = 'Death';
}

/** `at`: 1-based number of the durable call to die at; 0 never dies. `onDeath` runs once, when it happens. */
export function dyingIo(at: number, mode: Mode, onDeath: () => void = () => undefined, real: Io = realIo()) {
  const calls: string[] = [];
  let isDead = false;
  const die = (): never => {
    isDead = true;
    onDeath();
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
  const io: Io = {
    append: (path, text) =>
      around(
        `append ${path}`,
        () => {
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, text.slice(0, text.length >> 1), { flag: 'a' });
        },
        () => real.append(path, text),
      ),
    replace: (path, text) =>
      around(
        `replace ${path}`,
        () => {
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(`${path}.dead.tmp`, text.slice(0, text.length >> 1));
        },
        () => real.replace(path, text),
      ),
    remove: (path) =>
      around(
        `remove ${path}`,
        () => undefined,
        () => real.remove(path),
      ),
    async effect(name, run) {
      const isHit = hit(`effect ${name}`);
      if (isHit && mode !== 'after') die();
      const value = await run();
      if (isDead) throw new Death('a dead harness learns nothing');
      if (isHit) die();
      return value;
    },
  };
  return { io, calls, isDead: () => isDead };
}
