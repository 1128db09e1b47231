// State of the harness that is damaged, that a newer program wrote, or that prevents a start.
import { encode } from '../../../src/engine/journal.ts';
import { STATE_SCHEMA_VERSION } from '../../../src/playbooks/session/versions.ts';
import type { BadInput } from './case.ts';
import { SHOP } from './fixture-project.ts';

const SESSION = '.harness/session_state.json';
const session = (more: object): string =>
  JSON.stringify({
    schema_version: STATE_SCHEMA_VERSION,
    last_session: 1,
    status: 'complete',
    timestamp: '2025-01-16T14:30:00.000Z',
    ...more,
  });
const BROKEN = '{ "last_session": 3,\n  "status": complete }\n';

const state = (name: string, files: BadInput['files'], at: string, ...says: readonly string[]): BadInput => ({
  name,
  files: files ?? {},
  call: ['run'],
  exit: 5,
  code: 'state-unreadable',
  at,
  says,
});
const looked = (bad: BadInput, ...call: readonly string[]): BadInput => ({
  ...bad,
  name: `${bad.name}, for ${call.join(' ')}`,
  call,
});
const newer = (bad: BadInput): BadInput => ({ ...bad, code: 'state-newer', exit: 11 });

const broken = state('session state that is no JSON', { [SESSION]: BROKEN }, `${SESSION}:2:13`, 'unexpected character');
const future = newer(
  state(
    'session state of a newer harness',
    { [SESSION]: session({ schema_version: 9 }) },
    SESSION,
    'schema 9',
    'Update',
  ),
);
const baseline = (bad: BadInput): BadInput => ({ ...bad, code: 'baseline-unreadable', call: ['verify'] });
const LINE = { t: 'drop', seq: 1, why: 'x' };

export const STATES: readonly BadInput[] = [
  broken,
  looked(broken, 'status'),
  looked(broken, 'version'),
  future,
  looked(future, 'status'),
  {
    ...state(
      'session state of an older harness where nothing may be migrated',
      {
        [SESSION]: session({ schema_version: 1 }),
        '.harness.yaml': `${SHOP['.harness.yaml'] ?? ''}compatibility: { on_older_state: abort }\n`,
      },
      SESSION,
      'schema 1',
      'harness migrate',
    ),
    code: 'state-older',
    exit: 11,
  },
  state(
    'session state of an older harness that is damaged too',
    { [SESSION]: session({ schema_version: 1, status: 'dancing' }) },
    `${SESSION} status`,
    'status',
  ),
  state(
    'session state that says its version in words',
    { [SESSION]: session({ schema_version: 'two' }) },
    `${SESSION} schema_version`,
    'schema_version',
  ),
  state(
    'session state with a status nobody knows',
    { [SESSION]: session({ status: 'dancing' }) },
    `${SESSION} status`,
    'a value does not fit',
    'status',
  ),
  state(
    'session state that counts in words',
    { [SESSION]: session({ last_session: 'three' }) },
    `${SESSION} last_session`,
    'last_session',
  ),
  state(
    'session state without its number',
    { [SESSION]: session({ last_session: undefined }) },
    `${SESSION} last_session`,
    'a value is missing',
  ),
  {
    ...state('session state that is a folder', { [`${SESSION}/x`]: '' }, SESSION, 'not a file'),
    code: 'file-unreadable',
  },
  state('costs that are no YAML', { '.harness/costs.yaml': 'cumulative: {\n' }, '.harness/costs.yaml:2:1', 'not YAML'),
  state(
    'costs that are words',
    { '.harness/costs.yaml': 'cumulative: { total_cost_usd: much, by_feature: [] }\n' },
    '.harness/costs.yaml cumulative.total_cost_usd',
    'expected number',
  ),
  baseline(
    state(
      'a baseline that is no JSON',
      { '.harness/test_baseline.json': '{ "passing_tests": [\n' },
      '.harness/test_baseline.json:2:1',
      'too early',
      'Remove',
    ),
  ),
  baseline(
    state(
      'a baseline that miscounts',
      {
        '.harness/test_baseline.json':
          '{ "session": 1, "timestamp": "2025-01-16T14:30:00.000Z", "passing_tests": ["a"], "total_passing": 7, "total_tests": 9 }',
      },
      '.harness/test_baseline.json total_passing',
      'not the number of passing_tests',
    ),
  ),
  state(
    'the file of the run cut off',
    { '.git/harness/loop.json': '{ "run": ' },
    '.git/harness/loop.json:1:10',
    'too early',
  ),
  state(
    'the file of the run of another form',
    { '.git/harness/loop.json': '{ "schema": 1, "running": 3 }' },
    '.git/harness/loop.json run',
    'a value is missing',
  ),
  {
    ...state(
      'the journal of the run damaged in its middle',
      { '.git/harness/loop.jsonl': `${encode(LINE)}00000000 {"t":"drop"}\n${encode(LINE)}` },
      '.git/harness/loop.jsonl:2',
      'at line 2',
      'Restore',
    ),
    code: 'journal-broken',
  },
  looked(
    state(
      'a question that is damaged',
      { '.git/harness/gates/g-1.json': '{ "id": ' },
      '.git/harness/gates/g-1.json:1:9',
      'g-1',
    ),
    'gates',
  ),
  looked(
    newer(
      state(
        'a question of a newer harness',
        { '.git/harness/gates/g-1.json': '{ "schema": 9 }' },
        '.git/harness/gates/g-1.json',
        'newer',
      ),
    ),
    'gates',
  ),
  {
    ...state('a file in the place of the state', { '.harness': 'x' }, '.harness', 'already in use', 'ls -ld .harness'),
    code: 'path-unusable',
  },
  {
    ...state(
      'a file in the place of the private folder',
      { '.git/harness': 'mine\n' },
      '.git/harness',
      'already in use',
    ),
    code: 'lock-unavailable',
  },
  {
    ...state(
      'a lock that is no lock',
      { '.git/harness/lock.db': 'no database\n'.repeat(99) },
      '.git/harness',
      'lock.db',
    ),
    code: 'lock-unavailable',
  },
];
