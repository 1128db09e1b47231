// What the suite of pairs needs from each playbook: a list in its own format, and what agents do that work on its items.
import type { PlaybookName } from '../../src/model/config.ts';
import type { Repo } from '../support/repo.ts';
import { task } from '../support/task-record.ts';
import { sortTheList } from '../support/workflow.ts';
import { RUN, type Steps } from './workshop.ts';

type Played = { readonly when: { readonly [key: string]: unknown }; readonly turns: readonly Steps[] };

export type PlaybookFixture = {
  /** The two items in the order in which they are worked. */
  readonly items: readonly [string, string];
  /** The path of the list. */
  readonly list: string;
  /** Lines of the configuration, for a project with this list. */
  readonly config: readonly string[];
  /** Other files of a project with this list. */
  readonly files: { readonly [path: string]: string };
  /** The list holds one item at a time. */
  readonly holdsOne?: true;
  /** Writes a list of these items. */
  put(repo: Repo, items: readonly string[]): void;
  /** The sessions of agents that do the work on the item. The steps of `before` come first in the turn that does it. */
  work(item: string, before?: Steps): readonly Played[];
  /** Sessions of agents that say the item is done and do nothing. */
  lie(item: string): readonly Played[];
  /** What the machine needs in a project, with any list. */
  readonly machineFiles?: { readonly [path: string]: string };
  /** What other roles of its machine do on an item of any list; left out: it has none, or they are part of the work. */
  besides?(item: string): readonly Played[];
  /** What the user answers when the machine asks, by the subject of the question. */
  readonly answers?: { readonly [subject: string]: string };
};

const write = (path: string, text: string): Steps[number] => ({ write: { path, text } });
const DONE: Steps[number] = { say: 'Done.' };
/** The same in every turn, as often as a machine may ask again. */
const often = (turn: Steps): readonly Steps[] => Array.from({ length: 9 }, () => turn);

const features: PlaybookFixture = {
  items: ['1', '2'],
  list: 'features.json',
  config: [`testing: { runner: tap, feature: 'sh run.sh {test_file}', full: 'sh run.sh tests/*.test' }`],
  files: {
    'run.sh': RUN,
    'tests/start.test': 'the project is there|test -f README.md\n',
    'tests/1.test': 'not written yet|false\n',
    'tests/2.test': 'not written yet|false\n',
  },
  machineFiles: { 'claude-progress.txt': '# Progress: shop\n', 'init.sh': '#!/bin/sh\n' },
  put(repo, items) {
    const entry = (id: string) => ({
      id: Number(id),
      category: 'shop',
      description: `Make ${id}`,
      test_file: `tests/${id}.test`,
      passes: false,
    });
    repo.write('features.json', `${JSON.stringify({ project: 'shop', features: items.map(entry) }, null, 2)}\n`);
  },
  work: (item, before = []) =>
    claiming(item, [[...before, ...made(item), DONE]], [[...before, ...made(item), 'claim', DONE]]),
  lie: (item) => claiming(item, often([DONE]), often(['claim', DONE])),
};
const made = (item: string): Steps => [
  write(`src/${item}`, `made ${item}\n`),
  write(`tests/${item}.test`, `${item} is made|grep -q 'made ${item}' src/${item}\n`),
];
/** Its own machine reads the agent's claim in the list; no other machine lets an agent write there. */
const claiming = (item: string, turns: readonly Steps[], claimed: readonly Steps[]): readonly Played[] => [
  { when: { item, playbook: 'features' }, turns: claimed },
  { when: { item }, turns },
];

const tasks: PlaybookFixture = {
  items: ['task-001', 'task-002'],
  list: 'harness-tasks.json',
  config: [],
  files: {},
  put(repo, items) {
    const file = { version: 2, tasks: items.map((id) => task(id)), session_count: 0, last_session: null };
    repo.write('harness-tasks.json', `${JSON.stringify(file, null, 2)}\n`);
  },
  work: (item, before = []) => [{ when: { item }, turns: [[...before, write(`${item}.txt`, `${item}\n`), DONE]] }],
  lie: (item) => [{ when: { item }, turns: often([DONE]) }],
};

const workflow: PlaybookFixture = {
  items: ['sort-the-list', 'fill-the-list'],
  list: '.harness/state.json',
  config: [],
  files: { 'src/sort-the-list': 'no\n', 'src/fill-the-list': 'no\n' },
  holdsOne: true,
  put(repo, [item = '']) {
    const docs = `docs/harness/${item}/`;
    const state = sortTheList(`src/${item}`, {
      task: item,
      branch: `harness/${item}`,
      docs_path: docs,
      repo_path: repo.root,
    });
    repo.git('switch', '-q', '-c', `harness/${item}`);
    repo.write('.harness/state.json', `${JSON.stringify(state, null, 2)}\n`);
  },
  work: (item, before = []) => rolesOf(item, [...before, write(`src/${item}`, 'sorted\n')]),
  lie: (item) => rolesOf(item, []),
  answers: { 'workflow-spec': 'proceed', 'workflow-commit': 'code-only' },
};
const rolesOf = (item: string, work: Steps): readonly Played[] =>
  (
    [
      ['planner', [write('{{OUTPUT}}', '# Spec\n\nSort the list.\n'), { say: 'spec written — sorted' }]],
      ['generator', [...work, write('{{OUTPUT}}', '# Changes\n\n- the list\n'), { say: 'list changed — sorted' }]],
      ['evaluator', [write('{{OUTPUT}}', '# QA\n\n### Verdict: PASS\n'), { say: 'PASS — sorted' }]],
      ['verifier', [{ say: 'PASS — sorted' }]],
    ] as const
  ).map(([role, steps]) => ({ when: { role, item }, turns: [steps] }));

const mission: PlaybookFixture = {
  items: ['F-001', 'F-002'],
  list: '.harness/features.json',
  config: features.config,
  files: {
    'run.sh': RUN,
    'tests/start.test': 'the project is there|test -f README.md\n',
    'tests/F-001.test': 'not written yet|false\n',
    'tests/F-002.test': 'not written yet|false\n',
  },
  put(repo, items) {
    const entry = (id: string) => ({
      id,
      title: `Make ${id}`,
      claims: [claimOf(id)],
      status: 'pending',
      attempts: 0,
      test_file: `tests/${id}.test`,
    });
    repo.write(
      '.harness/features.json',
      `${JSON.stringify({ mission: 'shop', features: items.map(entry) }, null, 2)}\n`,
    );
    const lines = items.map((id) => `- ${claimOf(id)}: ${id} is made\n`);
    repo.write('.harness/validation-contract.md', `# Validation contract\n\n${lines.join('')}`);
  },
  work: (item, before = []) => [{ when: { item }, turns: [[...before, ...made(item), DONE]] }],
  lie: (item) => [{ when: { item }, turns: often([DONE]) }],
  besides: (item) => [{ when: { item, role: 'validator' }, turns: often([{ say: passed(item) }]) }],
};
const claimOf = (item: string): string => `VAL-SHOP-${item.replace(/\D/g, '').padStart(3, '0')}`;
/** An item of another list has no claims of its own: what it promises is numbered. */
const passed = (item: string): string =>
  JSON.stringify({
    assertions: [claimOf(item), `${item}.1`].map((id) => ({
      id,
      verdict: 'pass',
      path: 'README.md',
      quote: 'A project',
    })),
    issues: [],
  });

const FIXTURES: { readonly [N in PlaybookName]?: PlaybookFixture } = { features, tasks, workflow, mission };

export function fixtureOf(list: PlaybookName): PlaybookFixture {
  const fixture = FIXTURES[list];
  if (fixture === undefined) throw new Error(`test/e2e/pair-fixtures.ts has no fixture of the playbook ${list}`);
  return fixture;
}
