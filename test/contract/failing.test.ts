// Every test of a run can be made to fail from outside, by the real runners: a run that hides failures is found out by it.
// Runners that are installed for recordings only are tried with HARNESS_INSTALL=1.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { failingFor } from '../../src/verify/reports/failing.ts';
import { isThere, LIVE_RUNNERS, produce } from './live-runners.ts';

const CAN = ['node', 'node-18', 'node-20', 'node-22', 'vitest', 'pytest', 'jest', 'mocha'];
const runners = LIVE_RUNNERS.filter(
  ({ name, install }) => CAN.includes(name) && (install === undefined || process.env['HARNESS_INSTALL'] === '1'),
);

test.each(runners)('$name fails every test that it is told to fail', { timeout: 180_000 }, async (runner) => {
  if (!(await isThere(runner))) {
    console.warn(`SKIPPED: ${runner.name}, because \`${runner.probe}\` does not work here`);
    return;
  }
  const { text, root, exit } = await produce(runner, 'green', (at) => {
    const { command } = runner;
    const how = failingFor(runner.adapter.runner, at, { command, word: 'w3f1', scripts: {} });
    if (how === null) throw new Error(`${command} cannot be told to fail`);
    const path = join(at, how.file.path);
    mkdirSync(dirname(path));
    writeFileSync(path, how.file.text);
    return how.command;
  });
  const parsed = text === null ? null : runner.adapter.parse(text, root);
  const cases = parsed?.ok === true ? parsed.value.cases : [];
  expect(
    cases.filter(({ status }) => status === 'passed'),
    exit.stdout + exit.stderr,
  ).toEqual([]);
  expect(cases.filter(({ status }) => status === 'failed').length, exit.stdout + exit.stderr).toBeGreaterThan(0);
  expect(exit.code).not.toBe(0);
});
