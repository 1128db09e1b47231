// A configuration that lies outside of the repository: named by --config, it stands for the repository's own.
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CART_STEPS, makeRepo } from '../support/repo.ts';

const SCENARIO = JSON.stringify({ schema: 1, sessions: [{ turns: [[...CART_STEPS, 'claim']] }] });

test('a run with the configuration of another folder lands an item', async () => {
  const repo = makeRepo();
  const around = dirname(repo.root);
  writeFileSync(join(around, 'other.yaml'), repo.read('.harness.yaml').replace('.scenario.yaml', '../scenario.yaml'));
  writeFileSync(join(around, 'scenario.yaml'), SCENARIO);
  rmSync(join(repo.root, '.harness.yaml'));
  repo.git('commit', '-qam', 'no configuration here');
  const ran = await repo.harness('run', '--json', '--config', join(around, 'other.yaml'));
  expect([ran.code, ran.json()]).toMatchObject([0, { result: 'landed', landed: ['2'] }]);
});

test('without a configuration a run names the agent that it would start, before anything is spent', async () => {
  const repo = makeRepo();
  rmSync(join(repo.root, '.harness.yaml'));
  repo.git('commit', '-qam', 'no configuration');
  const ran = await repo.harness('run');
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toContain('No configuration file: the agent is claude');
});
