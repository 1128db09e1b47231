// A fixture project with a list of tasks: its files, and list and log as the tests read them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Task, TasksFile } from '../../../src/playbooks/tasks/schema.ts';
import { task as record, type TaskRecord } from '../../support/task-record.ts';
import type { FixtureProject } from '../fixture-project.ts';

export const LIST = 'harness-tasks.json';
export const LOG = 'harness-progress.txt';

const CONFIG = `playbook: tasks
project: { name: shop }
agents: { default: { provider: scripted, scenario: ../scenario.yaml } }
verification: { fix_turns: 0 }
push: { remote: origin }
`;

/** `config`: more lines of it. */
export const taskProject = (config = ''): { readonly [path: string]: string } => ({
  '.harness.yaml': CONFIG + config,
  '.gitignore': '.harness/\n',
  'README.md': 'A shop\n',
});

/** One with an unknown field, and with attempts for many crashes. */
export const task = (n: number, fields: { readonly [field: string]: unknown } = {}): TaskRecord =>
  record(`task-00${n}`, { max_attempts: 6, owner: `anna ${n}`, ...fields });

export const listOf = (tasks: readonly object[], fields: { readonly [field: string]: unknown } = {}): string =>
  `${JSON.stringify(
    {
      version: 2,
      created: '2025-07-01T10:00:00Z',
      session_config: { max_tasks_per_session: 20, max_sessions: 500 },
      tasks,
      session_count: 0,
      last_session: null,
      team: 'blue',
      ...fields,
    },
    null,
    2,
  )}\n`;

export function put(shop: FixtureProject, path: string, text: string): void {
  mkdirSync(dirname(join(shop.root, path)), { recursive: true });
  writeFileSync(join(shop.root, path), text);
}

/** Of a list that can be read. */
export const tasksOf = (shop: FixtureProject): readonly Task[] =>
  (JSON.parse(shop.read(LIST) ?? '') as TasksFile).tasks;
