// Configurations that are wrong, through the program: rows of the table that the reader is tested with, and files that
// are no configuration at all.
import { BAD_CONFIGS } from '../../fixtures/bad-config/table.ts';
import type { BadInput } from './case.ts';
import { configWith } from './fixture-project.ts';

/** Of each kind of mistake the one that is most unlike the others, and words that its message must have. */
const ROWS: { readonly [name: string]: readonly string[] } = {
  'a tab as indent': ['tabs cannot indent'],
  'a key twice': ['twice'],
  'a quote left open': ['Missing closing'],
  'a bomb of anchors': ['too many values'],
  'a tag of another language': ['tags are not supported'],
  'JSON cut off': ['too early'],
  'JSON with a comma missing': ['comma'],
  'a section misspelled': ['Did you mean testing?'],
  'a key in the wrong section': ['features.max_stuck_sessions'],
  'both spellings of a key': ['dirty_tree', 'dirtyTree'],
  'a file that is a list': ['cannot be'],
  'text for a number': ['"ten"', 'number > 0'],
  'a warning after the end': ['30 (session.timeout_minutes)'],
  'a choice misspelled': ['Did you mean in-place?'],
  'a path out of the repository': ['a path inside the repository'],
  'acp without a command': ['agents.default.command'],
  'another playbook': ['"backlog":"delivery"', 'yet'],
};

const rows = Object.entries(ROWS).map(([name, says]): BadInput => {
  const row = BAD_CONFIGS.find((one) => one.name === name);
  if (row === undefined) throw new Error(`no such row: ${name}`);
  const key = row.key === null || row.key === '' ? '' : ` ${row.key}`;
  return {
    name,
    files: { [row.file]: row.text },
    arrange: (stage) => (row.file === '.harness.yaml' ? undefined : stage.take('.harness.yaml')),
    call: ['config', 'check'],
    exit: 2,
    code: 'config-invalid',
    at: `${row.file}:${row.at}${key}`,
    says,
  };
});

export const CONFIGS: readonly BadInput[] = [
  ...rows,
  {
    name: 'several mistakes at once, told in the order of the file',
    files: {
      '.harness.yaml': 'lanes: many\ncosts: { per_session_usd: ten }\nplaybok: tasks\n',
    },
    call: ['run'],
    exit: 2,
    code: 'config-invalid',
    at: '.harness.yaml:1:8 lanes',
    says: ['3 errors', '.harness.yaml:2:27 costs.per_session_usd', '.harness.yaml:3:1 playbok', 'playbook'],
  },
  {
    name: 'a configuration of another encoding',
    files: { '.harness.yaml': Uint8Array.of(0xff, 0xfe, 0x70, 0x00) },
    call: ['status'],
    exit: 2,
    code: 'config-unreadable',
    at: '.harness.yaml',
    says: ['UTF-8'],
  },
  {
    name: 'a configuration that is a folder',
    arrange: (stage) => stage.put('.harness.yaml', null),
    call: ['status'],
    exit: 2,
    code: 'config-unreadable',
    at: '.harness.yaml',
    says: ['folder'],
  },
  {
    name: 'a configuration of a megabyte',
    files: { '.harness.yaml': `# ${'x'.repeat(1_000_000)}\n` },
    call: ['status'],
    exit: 2,
    code: 'config-unreadable',
    at: '.harness.yaml',
    says: ['too large'],
  },
  {
    name: 'two configurations',
    files: { 'harness.config.json': '{}' },
    call: ['status'],
    exit: 2,
    code: 'config-ambiguous',
    at: '.harness.yaml, harness.config.json',
    says: ['Keep one of them'],
  },
  {
    name: 'a configuration with the wrong ending',
    files: { '.harness.yml': 'playbook: features\n' },
    arrange: (stage) => stage.take('.harness.yaml'),
    call: ['status'],
    exit: 2,
    code: 'config-misnamed',
    at: '.harness.yml',
    says: ['.harness.yaml', 'Rename'],
  },
  {
    name: 'a configuration that is a program',
    files: { 'harness.config.ts': 'export default {};\n' },
    arrange: (stage) => stage.take('.harness.yaml'),
    call: ['status'],
    exit: 2,
    code: 'config-not-supported',
    at: 'harness.config.ts',
    says: ['.harness.yaml'],
  },
  {
    name: 'a configuration named on the command line that is not there',
    call: ['status', '--config', '{around}/no.yaml'],
    exit: 2,
    code: 'config-not-found',
    at: '{around}/no.yaml',
    says: ['no.yaml'],
  },
  {
    name: 'a standard agent that is not installed',
    files: {
      '.harness.yaml': configWith('{ provider: scripted, scenario: ../scenario.yaml }', '{ provider: claude }'),
    },
    call: ['run'],
    exit: 5,
    code: 'agent-not-installed',
    says: ['claude', 'harness agents add claude', 'agents:'],
    isLogged: true,
  },
  {
    name: 'no test command, and nothing it could be worked out from',
    files: { '.harness.yaml': 'agents: { default: { provider: claude } }\n' },
    call: ['run'],
    exit: 2,
    code: 'config-value-missing',
    at: '.harness.yaml:1:1 testing.feature',
    says: ['testing.feature is missing', '{test_file}'],
  },
];
