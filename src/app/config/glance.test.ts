import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { glanceAtConfig } from './glance.ts';
import { resolveConfig } from './resolve.ts';

const folder = (files: { readonly [name: string]: string }): string => {
  const root = mkdtempSync(join(tmpdir(), 'glance-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  return root;
};

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
  [{ '.harness.yaml': 'a: [\n' }],
  [{ '.harness.yaml': '- 1\n' }],
  [{ '.harness.yaml': 'compatibility: { on_newer_state: warn, onOlderState: abort }\n' }],
  [{ '.harness.yaml': 'compatibility: { on_newer_state: perhaps }\n' }],
  [{ '.harness.yaml': 'compatibility: no\n' }],
  [{ '.harness.yml': 'project: {}\n' }],
])('a glance at %j sees what a close look sees', async (files) => {
  const root = folder(files);
  const [glance, whole] = [await glanceAtConfig(root, null), await resolveConfig(root)];
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
    },
  };
  expect(glance).toEqual(seen ?? whole);
});
