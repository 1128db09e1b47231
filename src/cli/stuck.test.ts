import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const ended = (work: string) => {
  const file = pathToFileURL(join(import.meta.dirname, 'stuck.ts')).href;
  const program = `
    import { stuck } from ${JSON.stringify(file)};
    process.exitCode = await Promise.race([${work}, stuck(process)]).catch((error) => (console.log(error.message), 1));
  `;
  // Imported by a script, as the program is: there an open promise alone makes no other exit code.
  const argv = ['-e', `import('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(program))})`];
  const { status, stdout } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  return { status, stdout: stdout.trim() };
};

test('work that waits for what nothing brings any more ends with an error, not with 0', () => {
  expect(ended('new Promise(() => {})')).toEqual({
    status: 1,
    stdout: 'nothing is left to wait for, and the work is not done',
  });
  expect(ended('new Promise((resolve) => setTimeout(resolve, 5).unref())')).toMatchObject({ status: 1 });
});
test('work that ends has its own code', () => {
  expect(ended('new Promise((resolve) => setTimeout(() => resolve(7), 5))')).toEqual({ status: 7, stdout: '' });
});
