// The flags that the harness adds to a runner's command change nothing that a test sees: neither arguments nor NODE_OPTIONS.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isThere, LIVE_RUNNERS, produce } from './live-runners.ts';

const ASSERTIONS = `
  const seen = process.argv.join(' ');
  if (/--json|--ci|--outputFile|--reporter/.test(seen)) throw new Error('arguments: ' + seen);
  if (/--json|--reporter/.test(process.argv.slice(2).join(' '))) throw new Error('sliced');
  if (process.env.NODE_OPTIONS !== undefined) throw new Error('NODE_OPTIONS: ' + process.env.NODE_OPTIONS);
`;
const CASES = [
  {
    name: 'jest',
    file: 'seen.test.js',
    text: `test('sees no flags', () => {${ASSERTIONS}});\n`,
    command: 'jest --runInBand seen.test.js',
  },
  { name: 'mocha', file: 'seen.cjs', text: `it('sees no flags', () => {${ASSERTIONS}});\n`, command: 'mocha seen.cjs' },
] as const;

test.each(CASES)('$name: a test that runs in its process sees the command as the user wrote it', async (one) => {
  const runner = LIVE_RUNNERS.find(({ name }) => name === one.name);
  if (runner === undefined || !(await isThere(runner))) throw new Error(`${one.name} is not there`);
  const { text, root, exit } = await produce(runner, 'green', (folder) => {
    writeFileSync(join(folder, one.file), one.text);
    return one.command;
  });
  const parsed = text === null ? null : runner.runner.parse(text, root);
  const cases =
    parsed?.ok === true ? parsed.value.cases.map(({ name, status, message }) => [name, status, message]) : exit;
  expect(cases).toEqual([['sees no flags', 'passed', '']]);
});
