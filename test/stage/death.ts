// A death at a chosen durable effect, for tests of what is repeatable.
import { type Io, realIo } from '../../src/host/io.ts';

export class Death extends Error {}

/** Dies at the nth durable effect, before it or after it. */
export function dyingIo(at: number, when: 'before' | 'after'): Io {
  const io = realIo();
  let count = 0;
  const point = <T>(run: () => T): T => {
    count++;
    if (count === at && when === 'before') throw new Death();
    const done = run();
    if (count === at) throw new Death();
    return done;
  };
  return {
    append: (...args) => point(() => io.append(...args)),
    replace: (...args) => point(() => io.replace(...args)),
    replaceAll: (files) => files.forEach(({ path, text }) => point(() => io.replace(path, text))),
    remove: (...args) => point(() => io.remove(...args)),
    async effect(_name, run) {
      const mine = ++count;
      if (mine === at && when === 'before') throw new Death();
      const done = await run();
      if (mine === at) throw new Death();
      return done;
    },
  };
}
