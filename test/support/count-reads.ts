// How much a piece of code asks the file system: every call that reads, and every name of a folder that is listed.
import process from 'node:process';

const SYNCS = ['fsync', 'fsyncSync', 'fdatasync', 'fdatasyncSync'] as const;
const READS = [
  'existsSync',
  'statSync',
  'lstatSync',
  'readFileSync',
  'readdirSync',
  'openSync',
  'realpathSync',
] as const;

/** Not for code that runs beside it. */
export const countReads = (run: () => unknown): Promise<number> => countCalls(READS, run);

/** How often something is waited for until it is on the disk. */
export const countSyncs = (run: () => unknown): Promise<number> => countCalls(SYNCS, run);

async function countCalls(
  names: readonly ((typeof READS)[number] | (typeof SYNCS)[number])[],
  run: () => unknown,
): Promise<number> {
  const files = process.getBuiltinModule('node:fs');
  const { syncBuiltinESMExports } = process.getBuiltinModule('node:module');
  let count = 0;
  const undo = names.map((name) => {
    const real = files[name] as (...args: readonly unknown[]) => unknown;
    const counting = (...args: readonly unknown[]): unknown => {
      const answer = real(...args);
      count += 1 + (Array.isArray(answer) ? answer.length : 0);
      return answer;
    };
    Object.assign(files, { [name]: counting });
    return () => Object.assign(files, { [name]: real });
  });
  syncBuiltinESMExports(); // named imports too
  try {
    await run();
  } finally {
    for (const back of undo) back();
    syncBuiltinESMExports();
  }
  return count;
}
