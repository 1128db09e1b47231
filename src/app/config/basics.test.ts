import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readBasics } from './basics.ts';
import { resolveConfig } from './resolve.ts';

const folder = (files: { readonly [name: string]: string }): string => {
  const root = mkdtempSync(join(tmpdir(), 'basics-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
};

const WORKFLOW = '{ "version": "2.0", "task": "Fix it" }';

test.each([
  [{}],
  [{ 'package.json': '{ "name": "shop" }' }],
  [{ '.harness.yaml': '' }],
  [{ '.harness.yaml': 'project: { name: shop }\n' }],
  [{ '.harness.yaml': 'paths:\n  features: ./plan//list.json\n  state_dir: .state/\n' }],
  [{ '.harness.yaml': 'paths: { stateDir: .state }\nplaybook: { backlog: features, machine: features }\n' }],
  [{ 'harness.config.json': '{ "project": { "name": "shop" }, "playbook": "features" }' }],
  [{ '.harness.yaml': 'paths: { features: ../up.json }\n' }],
  [{ '.harness.yaml': 'paths: { features: 7 }\n' }],
  [{ '.harness.yaml': 'paths: { state_dir: .git/x }\n' }],
  [{ '.harness.yaml': 'project: { name: "" }\n' }],
  [{ '.harness.yaml': 'playbook: tasks\n' }],
  [{ 'harness-tasks.json': '{}' }],
  [{ 'harness-tasks.json': '{}', 'features.json': '{}' }],
  [{ 'harness-tasks.json': '{}', '.harness.yaml': 'project: { name: shop }\n' }],
  [{ 'harness-tasks.json': '{}', '.harness.yaml': '' }],
  [{ 'harness-tasks.json': '{}', '.harness.yaml': 'playbook:\n' }],
  [{ 'harness-tasks.json': '{}', 'plan.json': '{}', '.harness.yaml': 'paths: { features: plan.json }\n' }],
  [{ '.harness/state.json': WORKFLOW }],
  [{ '.harness/state.json': '{ "phase": "gen_ready" }' }],
  [{ '.harness/state.json': '{ "version": "3.0", "task": "Fix it" }' }],
  [{ '.harness/state.json': WORKFLOW, '.harness.yaml': 'project: { name: shop }\n' }],
  [{ '.harness.yaml': 'playbook: workflow\n' }],
  [{ '.harness.yaml': 'a: [\n' }],
  [{ '.harness.yaml': '- 1\n' }],
  [{ '.harness.yaml': 'compatibility: { on_newer_state: warn, onOlderState: abort }\n' }],
  [{ '.harness.yaml': 'compatibility: { on_newer_state: perhaps }\n' }],
  [{ '.harness.yaml': 'compatibility: no\n' }],
  [{ '.harness.yaml': 'land: branch\n' }],
  [{ '.harness.yml': 'project: {}\n' }],
])('the basics of %j equal the full resolution', async (files) => {
  const root = folder(files);
  const [basics, whole] = [await readBasics(root, null), await resolveConfig(root)];
  const config = whole.ok ? whole.value.config : null;
  const seen = config && {
    ok: true,
    value: {
      playbook: config.playbook.backlog,
      project: config.project.name,
      backlog: config.paths.backlog,
      progress: config.paths.progress,
      stateDir: config.paths.stateDir,
      onOlderState: config.compatibility.onOlderState,
      onNewerState: config.compatibility.onNewerState,
      source: config.source,
      landsOnBranch: config.land === 'branch',
    },
  };
  expect(basics).toEqual(seen ?? whole);
});

test.each<[string, { readonly [name: string]: string }, string]>([
  ['a workflow that is under way', { '.harness/state.json': WORKFLOW }, 'workflow'],
  ['one of before there were versions', { '.harness/state.json': '{ "phase": "gen_ready" }' }, 'workflow'],
  ['a list of features too', { '.harness/state.json': WORKFLOW, 'features.json': '{}' }, 'features'],
  ['a list of tasks too', { '.harness/state.json': WORKFLOW, 'harness-tasks.json': '{}' }, 'tasks'],
  [
    'another skill’s session',
    { '.harness/state.json': '{ "version": "2.0", "task": "x", "skill": "spec" }' },
    'features',
  ],
  ['no JSON', { '.harness/state.json': '{' }, 'features'],
  ['JSON of something else', { '.harness/state.json': 'null' }, 'features'],
])('without a configured playbook it is detected: %s', async (_, files, playbook) => {
  const basics = await readBasics(folder(files), null);
  expect(basics.ok && basics.value.playbook).toBe(playbook);
});

test('the playbook of a command applies only if no file names one', async () => {
  const asked = async (yaml: string) => {
    const read = await resolveConfig(folder({ '.harness.yaml': yaml }), { playbook: 'workflow' });
    return read.ok && [read.value.config.playbook.machine, read.value.config.paths.backlog];
  };
  expect(await asked('project: { name: shop }\n')).toEqual(['workflow', '.harness/state.json']);
  expect(await asked('')).toEqual(['workflow', '.harness/state.json']);
  expect(await asked('playbook: features\n')).toEqual(['features', 'features.json']);
});
