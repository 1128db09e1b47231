// A repository with a list of tasks in the reference's own form, and an agent that follows a scenario outside of it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeRepo, OF_FEATURES, type Repo } from '../support/repo.ts';
import type { TaskRecord } from '../support/task-record.ts';
import { startProgram, type Live, type Steps } from './workshop.ts';

export type Played = { readonly when?: { readonly [key: string]: unknown }; readonly turns: readonly Steps[] };

/** What an agent does that does the task: the file that its validation asks for. */
export const made = (id: string, ...before: Steps): Played => ({
  when: { item: id },
  turns: [[...before, { write: { path: `${id}.txt`, text: `${id}\n` } }, { say: 'Done.' }]],
});

export type TaskList = Repo & {
  readonly around: string;
  play(sessions: readonly Played[]): void;
  start(...args: string[]): Live;
  list(): { readonly tasks: readonly TaskRecord[]; readonly [field: string]: unknown };
  task(id: string): TaskRecord;
  /** Sessions that any agent was started for. */
  sessions(): readonly string[];
  /** Lines of the log without their times. */
  log(): readonly string[];
};

export function taskList(
  tasks: readonly TaskRecord[],
  options: {
    readonly file?: { readonly [field: string]: unknown };
    readonly config?: string;
    readonly sessions?: readonly Played[];
    readonly files?: { readonly [path: string]: string };
    /** The list is part of the history, as in a repository whose owner committed it. */
    readonly isTracked?: boolean;
  } = {},
): TaskList {
  const file = {
    version: 2,
    created: '2025-07-01T10:00:00Z',
    session_config: { max_tasks_per_session: 20, max_sessions: 50 },
    tasks,
    session_count: 0,
    last_session: null,
    ...options.file,
  };
  const text = `${JSON.stringify(file, null, 2)}\n`;
  const repo = makeRepo(
    {
      '.harness.yaml': [
        'playbook: tasks',
        'agents: { default: { provider: scripted, scenario: ../scenario.json } }',
        options.config ?? '',
        '',
      ].join('\n'),
      'README.md': 'A project\n',
      ...(options.isTracked === true ? { 'harness-tasks.json': text } : {}),
      ...options.files,
    },
    OF_FEATURES,
  );
  const around = dirname(repo.root);
  if (options.isTracked !== true) repo.write('harness-tasks.json', text);
  const play = (sessions: readonly Played[]): void =>
    writeFileSync(
      join(around, 'scenario.json'),
      JSON.stringify({ schema: 1, sessions: sessions.map(({ when = {}, turns }) => ({ when, turns })) }),
    );
  play(options.sessions ?? tasks.map(({ id }) => made(id)));
  const list = (): ReturnType<TaskList['list']> => JSON.parse(repo.read('harness-tasks.json')) as never;
  return {
    ...repo,
    around,
    play,
    start: (...args) => startProgram(repo, args),
    list,
    task: (id) => list().tasks.find((one) => one.id === id) ?? { id: 'none' },
    sessions: () => {
      const folder = join(repo.privateDir, 'sessions');
      return existsSync(folder) ? readdirSync(folder) : [];
    },
    log: () => {
      const path = join(repo.root, 'harness-progress.txt');
      const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
      return lines.filter((line) => line !== '').map((line) => line.replace(/^\[[^\]]+\] /, ''));
    },
  };
}
