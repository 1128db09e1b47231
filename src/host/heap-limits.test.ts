import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Keeps what it makes for a while, as the run does with lists: without a limit the young generation grows to 128 MB. */
const KEEPS_FOR_A_WHILE = `
  let kept = [];
  for (let round = 0; round < 12; round += 1) {
    kept = Array.from({ length: 150_000 }, (_, n) => ({ n, text: "text " + n }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  console.log(getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20);
`;
const measured = (first: string, work: string): number => {
  const program = `import { getHeapSpaceStatistics } from 'node:v8';\n${first}\n${work}`;
  const argv = ['--input-type=module', '--no-warnings', '-e', program];
  return Number(execFileSync(process.execPath, argv, { encoding: 'utf8' }));
};
const module = pathToFileURL(join(import.meta.dirname, 'heap-limits.ts')).href;
const LIMITED = `import { limitHeap } from ${JSON.stringify(module)}; limitHeap();`;

test('the young generation of a process stays small, and the process ends by itself', () => {
  expect(measured(LIMITED, KEEPS_FOR_A_WHILE)).toBeLessThanOrEqual(measured('', KEEPS_FOR_A_WHILE) / 2);
});
