// An Io at a power failure: what was appended and not waited for is on no disk until the next append to the file that is.
import type { Io } from '../../src/host/io.ts';

/** `loses`: of which files. */
export function losingIo(io: Io, loses: (path: string) => boolean = () => true): Io {
  const held = new Map<string, string>();
  const settle = (path: string): string => {
    const before = held.get(path) ?? '';
    held.delete(path);
    return before;
  };
  return {
    ...io,
    append(path, text, how) {
      if (how === undefined || !loses(path)) io.append(path, `${settle(path)}${String(text)}`);
      else held.set(path, `${held.get(path) ?? ''}${String(text)}`);
    },
    replace(path, text, how) {
      settle(path);
      io.replace(path, text, how);
    },
    remove(path, how) {
      settle(path);
      io.remove(path, how);
    },
  };
}
