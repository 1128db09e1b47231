// What a run writes with: nothing gets through once it is dead, and disks that forget on purpose.
import { createHash } from 'node:crypto';
import type { Io } from '../../src/host/io.ts';
import { Death } from '../crash/dying-io.ts';
import { quickIo } from '../support/quick-io.ts';
import type { Mission } from './mission.ts';

/** The first call that dies takes the whole run along; after that nothing gets through. */
export function crashingIo(mission: Mission, io: Io, isDead: () => boolean, die: () => void): Io {
  const alive = (): void => {
    if (isDead()) throw new Death('a dead harness writes nothing');
  };
  const dies = <T>(run: () => T): T => {
    alive();
    try {
      return run();
    } catch (error) {
      if (error instanceof Death) die();
      throw error;
    }
  };
  return {
    append: (path, text) => dies(() => io.append(path, text)),
    replace(path, text) {
      dies(() => io.replace(path, text));
      if (typeof text === 'string') mission.kind.written?.(mission, path, text);
    },
    replaceAll: (files) => dies(() => io.replaceAll(files)),
    remove: (path) => dies(() => io.remove(path)),
    async effect(name, run) {
      alive();
      try {
        const value = await io.effect(name, run);
        // Who dies while it lasts never learns what came of it.
        if (isDead()) return await new Promise<never>(() => undefined);
        return value;
      } catch (error) {
        if (error instanceof Death) die();
        throw error;
      }
    },
  };
}

/** A disk that forgets on purpose, for the mutants. */
export function forgetful({ mutant: { forgets } }: Pick<Mission, 'mutant'>): Io {
  const io = quickIo();
  if (!forgets) return io;
  return {
    ...io,
    append: (path, text) =>
      forgets.test(path) && createHash('md5').update(text).digest()[0]! < 60 ? undefined : io.append(path, text),
  };
}
