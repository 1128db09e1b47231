// Every test of a run can be made to fail from outside, by the real runners: a run that hides failures is found out by it.
// Runners that are installed for recordings only are tried with HARNESS_INSTALL=1.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isThere, LIVE_RUNNERS, produce } from './live-runners.ts';

const CAN = ['node', 'node-18', 'node-20', 'node-22', 'vitest', 'pytest', 'jest', 'mocha'];
const runners = LIVE_RUNNERS.filter(
  ({ name, install }) => CAN.includes(name) && (install === undefined || process.env['HARNESS_INSTALL'] === '1'),
);

test.each(runners)('$name fails every test when it is made to', { timeout: 180_000 }, async (runner) => {
  if (!(await isThere(runner))) {
    console.warn(`SKIPPED: ${runner.name}, because \`${runner.probe}\` does not work here`);
    return;
  }
  const { text, root, exit } = await produce(runner, 'green', (at) => {
    const { command } = runner;
    const folder = join(at, '.w3f1');
    const failing = runner.runner.failEveryTest?.({ command, folder, word: 'w3f1', scripts: {} }) ?? null;
    if (failing === null) throw new Error(`${command} cannot be made to fail`);
    mkdirSync(folder);
    writeFileSync(join(folder, failing.name), failing.text);
    return failing.command;
  });
  const parsed = text === null ? null : runner.runner.parse(text, root);
  const cases = parsed?.ok === true ? parsed.value.cases : [];
  expect(
    cases.filter(({ status }) => status === 'passed'),
    exit.stdout + exit.stderr,
  ).toEqual([]);
  expect(cases.filter(({ status }) => status === 'failed').length, exit.stdout + exit.stderr).toBeGreaterThan(0);
  expect(exit.code).not.toBe(0);
});

const STUBS = runners.filter(({ name, runner }) => runner.newTest !== undefined && !name.startsWith('node-'));

test.each(STUBS)('$name fails the one test of a stub, and no other', { timeout: 180_000 }, async (runner) => {
  if (!(await isThere(runner))) {
    console.warn(`SKIPPED: ${runner.name}, because \`${runner.probe}\` does not work here`);
    return;
  }
  const { newTest, parse } = runner.runner;
  const { text, root, exit } = await produce(runner, 'green', (at) => {
    const path = join(at, (newTest?.path ?? '').replaceAll('{slug}', 'w3f1-it').replaceAll('{slug_}', 'w3f1_it'));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, newTest?.stub(`It's "größer", \\ and \${so}`, ['*/ first', `then ''' "`]) ?? '');
    return runner.command;
  });
  const parsed = text === null ? null : parse(text, root);
  const cases = parsed?.ok === true ? parsed.value.cases : [];
  const failed = cases.filter(({ status }) => status === 'failed');
  expect(failed.map(({ file }) => file).join(), exit.stdout + exit.stderr).toContain('w3f1');
  expect(failed).toHaveLength(1);
  expect(cases.length).toBeGreaterThan(1);
});
