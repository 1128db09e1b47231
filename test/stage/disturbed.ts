// A user who does something at a chosen durable call of the harness, which continues afterwards.
import { type Io, realIo } from '../../src/host/io.ts';

/** Before the nth durable call; 0: never. `calls`: their names so far. */
export function disturbedIo(at: number, user: () => void): { readonly io: Io; readonly calls: readonly string[] } {
  const io = realIo();
  const calls: string[] = [];
  const point = <T>(name: string, run: () => T): T => {
    calls.push(name);
    if (calls.length === at) user();
    return run();
  };
  return {
    calls,
    io: {
      append: (path, text, how) => point(`append ${path}`, () => io.append(path, text, how)),
      replace: (path, text) => point(`replace ${path}`, () => io.replace(path, text)),
      replaceAll: (files) => files.forEach(({ path, text }) => point(`replace ${path}`, () => io.replace(path, text))),
      remove: (...args) => point(`remove ${args[0]}`, () => io.remove(...args)),
      effect: (name, run) => point(`effect ${name}`, () => io.effect(name, run)),
    },
  };
}
