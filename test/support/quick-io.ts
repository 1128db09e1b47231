// An Io that writes for real but does not wait for the disk: thousands of crashes in a test need no fsync.
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Io } from '../../src/host/io.ts';

export const quickIo = (): Io => {
  const io: Io = {
    append(path, text) {
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, text);
    },
    replace(path, text) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.next`, text);
      renameSync(`${path}.next`, path);
    },
    replaceAll: (files) => files.forEach(({ path, text }) => io.replace(path, text)),
    remove: (path) => rmSync(path, { recursive: true, force: true }),
    effect: (_name, run) => run(),
  };
  return io;
};
