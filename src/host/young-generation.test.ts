import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Keeps what it makes for a while, as the run does with lists: without a limit the young generation grows to 128 MB. */
const program = (first: string): string => `
  import { getHeapSpaceStatistics } from 'node:v8';
  ${first}
  let kept = [];
  for (let round = 0; round < 12; round += 1) {
    kept = Array.from({ length: 150_000 }, (_, n) => ({ n, text: "text " + n }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  console.log(getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20);
`;
const megabytes = (first: string): number =>
  Number(
    execFileSync(process.execPath, ['--input-type=module', '--no-warnings', '-e', program(first)], {
      encoding: 'utf8',
    }),
  );

test('the young generation of a process stays small, and the process ends by itself', () => {
  const module = pathToFileURL(join(import.meta.dirname, 'young-generation.ts')).href;
  const limited = megabytes(`import { limitYoungGeneration } from ${JSON.stringify(module)}; limitYoungGeneration();`);
  expect(limited).toBeLessThanOrEqual(megabytes('') / 2);
});
