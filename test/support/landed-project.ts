// The projects of the landed-state fixtures and what their agents do, for the script that records the fixtures and for the tests
// that finish the recorded work.

export type Steps = readonly (string | { readonly [step: string]: unknown })[];
export type Session = { readonly when: { readonly [key: string]: unknown }; readonly turns: readonly Steps[] };
export type Files = { readonly [path: string]: string };

/** A scenario file of the scripted agent; JSON is YAML too. */
export const scenarioOf = (sessions: readonly Session[]): string => JSON.stringify({ schema: 1, sessions });

const AGENT = 'agents: { default: { provider: scripted, scenario: ../scenario.json } }';
/** The git configuration of the user. */
export const GIT_CONFIG = '[user]\n\tname = Test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n';

/** A test is a name and a condition; `run.sh FILE…` prints all of them as one TAP document. */
const RUN = `#!/bin/sh
n=0 bad=0
for file in "$@"; do
  while IFS='|' read -r name condition; do
    n=$((n+1))
    if eval "$condition"; then echo "ok $n - $name"; else echo "not ok $n - $name"; bad=1; fi
  done < "$file"
done
echo "1..$n"
exit $bad
`;

export type ItemNumber = 1 | 2 | 3 | 4;
export const THINGS = { 1: 'bench', 2: 'saw', 3: 'board', 4: 'lamp' } as const;
const DEPENDS: { readonly [item in ItemNumber]: readonly number[] } = { 1: [], 2: [1], 3: [], 4: [] };

const featureOf = (item: ItemNumber): object => ({
  id: item,
  category: 'workshop',
  description: `There is a ${THINGS[item]}`,
  test_file: `tests/${THINGS[item]}.test`,
  ...(DEPENDS[item].length === 0 ? {} : { depends_on: DEPENDS[item] }),
  passes: false,
});

/** A project with these features to do. `config`: more lines of .harness.yaml. */
export function workshopFiles(
  items: readonly ItemNumber[],
  config: readonly string[] = [],
  playbook = 'features',
): Files {
  return {
    '.harness.yaml': [
      `playbook: ${playbook}`,
      'project: { name: workshop }',
      AGENT,
      'environment: { init: ./init.sh, reset: ./reset.sh }',
      "testing: { runner: tap, feature: 'sh run.sh {test_file}', full: 'sh run.sh tests/*.test' }",
      ...config,
      '',
    ].join('\n'),
    '.gitignore': '.harness/\n',
    'features.json': `${JSON.stringify({ project: 'workshop', features: items.map(featureOf) }, null, 2)}\n`,
    'claude-progress.txt': '# Progress: workshop\n',
    'init.sh': '#!/bin/sh\n',
    'reset.sh': '#!/bin/sh\n',
    'run.sh': RUN,
    'src/door': 'door\n',
    'tests/door.test': 'there is a door|grep -q door src/door\n',
    ...Object.fromEntries(items.map((item) => [`tests/${THINGS[item]}.test`, `${THINGS[item]} is there|false\n`])),
  };
}

export const USED = { usage: { input: 1000, output: 100, cost_usd: 0.01 } };
export const write = (path: string, text: string): Steps[number] => ({ write: { path, text } });
export const half = (item: ItemNumber): Steps[number] => write(`src/${THINGS[item]}`, `half a ${THINGS[item]}\n`);
/** The honest work on one item: the thing, its test, the claim. */
export const work = (item: ItemNumber): Steps => [
  write(`src/${THINGS[item]}`, `${THINGS[item]}\n`),
  write(`tests/${THINGS[item]}.test`, `${THINGS[item]} is there|grep -qx ${THINGS[item]} src/${THINGS[item]}\n`),
  USED,
  'claim',
];
/** The same with a test that checks nothing, so that a person has to decide. */
export const doubtful = (item: ItemNumber): Steps => [
  write(`src/${THINGS[item]}`, `${THINGS[item]}\n`),
  write(`tests/${THINGS[item]}.test`, `${THINGS[item]} is there|true\n`),
  USED,
  'claim',
];
export const session = (when: Session['when'], ...turns: readonly Steps[]): Session => ({ when, turns });
/** Finishes every item of a workshop honestly. */
export const FINISH_ITEMS: readonly Session[] = ([1, 2, 3, 4] as const).map((item) => session({ item }, work(item)));

export const taskListText = (tasks: readonly object[]): string =>
  `${JSON.stringify(
    {
      version: 2,
      created: '2025-07-01T10:00:00Z',
      session_config: { max_tasks_per_session: 20, max_sessions: 50 },
      tasks,
      session_count: 0,
      last_session: null,
    },
    null,
    2,
  )}\n`;
/** A project for a list of tasks. The list itself is not committed. */
export const taskFiles = (config: readonly string[] = [], playbook = 'tasks'): Files => ({
  '.harness.yaml': [`playbook: ${playbook}`, AGENT, ...config, ''].join('\n'),
  '.gitignore': '.harness/\n',
  'README.md': 'A project\n',
});
/** The file that the validation of a task asks for. */
export const makes = (id: string): Steps => [write(`${id}.txt`, `${id}\n`), USED, { say: 'Done.' }];
/** Finishes every task. */
export const FINISH_TASKS: readonly Session[] = ['task-001', 'task-002'].map((id) => session({ item: id }, makes(id)));

/** A project for one workflow, whose task is to sort a list. */
export const workflowFiles = (config: readonly string[] = []): Files => ({
  '.harness.yaml': ['playbook: workflow', AGENT, ...config, ''].join('\n'),
  '.gitignore': '.harness/\n',
  'README.md': 'A project\n',
  'src/list.txt': 'unsorted\n',
});
const output = (text: string): Steps[number] => write('{{OUTPUT}}', text);
const part = (role: string, ...steps: Steps): Session => session({ role }, [...steps, USED]);
/** Finishes a workflow: every role does its work. */
export const FINISH_WORKFLOW: readonly Session[] = [
  part('planner', output('# Spec\n\nSort the list.\n'), { say: 'spec written — the list is sorted' }),
  part('architect', output('PROPOSAL-OF-THE-ARCHITECT\n'), { say: 'proposal written — one sort' }),
  part('senior-developer', output('PROPOSAL-OF-THE-SENIOR\n'), { say: 'proposal written — in place' }),
  part('synthesis', output('# Spec\n\nSort the list, from proposals.\n'), { say: 'spec written — from all' }),
  part('lead-developer', output('PLAN-OF-THE-LEAD\n'), { say: 'plan written — one file' }),
  part('combined-advisor', output('REVIEW-OF-THE-ADVISOR\n'), { say: 'review written — fine' }),
  part('convention-scanner', output('CONVENTIONS-OF-THE-SCAN\n'), { say: 'conventions written — few' }),
  part('verifier', { say: 'FAIL — the list is not sorted' }),
  part('generator', write('src/list.txt', 'sorted\n'), output('# Changes\n\n- `src/list.txt` — sorted\n'), {
    say: 'list changed — it is sorted',
  }),
  part('evaluator', output('# QA\n\n### Verdict: PASS\n'), { say: 'PASS — it is sorted' }),
];
