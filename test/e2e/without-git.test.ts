// A folder without git through the program itself: a workflow's is looked at without leaving anything there, and every other
// playbook says as ever that it needs git.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { workshop, type Workshop } from './workshop.ts';

const SESSION = JSON.stringify({ version: '2.0', task: 'a thing', phase: 'plan_ready', has_git: false });

function plain(files: { readonly [path: string]: string }): {
  shop: Workshop;
  folder: string;
  left(): readonly string[];
} {
  const shop = workshop();
  const folder = join(shop.around, 'plain');
  mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { shop, folder, left: () => readdirSync(folder).sort() };
}
const codeOf = (said: { readonly [key: string]: unknown }): unknown =>
  (said['error'] as { readonly code?: unknown } | undefined)?.code;

test.each<readonly [string, { readonly [path: string]: string }]>([
  ['by its configuration', { '.harness.yaml': 'playbook: workflow\n' }],
  ['by its session', { '.harness/state.json': SESSION }],
])(
  'commands that look, and the doctor, take a folder that is a workflow’s %s, and make nothing in it',
  async (_, files) => {
    const { shop, folder, left } = plain(files);
    for (const command of ['status', 'items', 'gates', 'attempts', 'doctor', 'config']) {
      const ran = await shop.harness(command, '-C', folder, '--json');
      const said = `${ran.stdout}${ran.stderr}`;
      expect([command, ran.code === 70, said]).toEqual([
        command,
        false,
        expect.not.stringContaining('not-a-repository'),
      ]);
      expect([command, said]).toEqual([command, expect.not.stringContaining('git-failed')]);
    }
    expect(left()).toEqual(Object.keys(files).map((path) => path.split('/')[0]));
  },
);

test('every other playbook needs git, and says so', async () => {
  const { shop, folder, left } = plain({ '.harness.yaml': 'playbook: tasks\n' });
  for (const command of ['status', 'run', 'doctor']) {
    const ran = await shop.harness(command, '-C', folder, '--json');
    expect([command, ran.code]).toEqual([command, 5]);
    expect(`${ran.stdout}${ran.stderr}`).toContain('not-a-repository');
    if (command !== 'doctor') expect(codeOf(ran.json())).toBe('not-a-repository');
  }
  expect(left()).toEqual(['.harness.yaml']);
});
