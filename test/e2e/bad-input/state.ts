// State of the harness that is damaged, or that a newer program wrote.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from '../../../src/engine/journal.ts';
import type { BadInput } from './case.ts';

const SESSION = '.harness/session_state.json';
const session = (more: object): string =>
  JSON.stringify({
    schema_version: 1,
    last_session: 1,
    status: 'complete',
    timestamp: '2025-01-16T14:30:00.000Z',
    ...more,
  });

const state = (name: string, files: BadInput['files'], at: string, ...says: readonly string[]): BadInput => ({
  name,
  files: files ?? {},
  call: ['run'],
  exit: 5,
  code: 'state-unreadable',
  at,
  says,
});

export const STATES: readonly BadInput[] = [
  state(
    'session state that is no JSON',
    { [SESSION]: '{ "last_session": 3,\n  "status": complete }\n' },
    `${SESSION}:2:13`,
    'not JSON',
  ),
  {
    ...state(
      'session state that is no JSON, for who looks',
      { [SESSION]: '{ "last_session": 3,\n  "status": complete }\n' },
      `${SESSION}:2:13`,
      'not JSON',
    ),
    call: ['status'],
  },
  state(
    'session state with a status nobody knows',
    { [SESSION]: session({ status: 'dancing' }) },
    `${SESSION} status`,
    'status',
  ),
  state(
    'session state that counts in words',
    { [SESSION]: session({ last_session: 'three' }) },
    `${SESSION} last_session`,
    'last_session',
  ),
  {
    ...state(
      'session state of a newer harness',
      { [SESSION]: session({ schema_version: 9 }) },
      SESSION,
      '9',
      'Update the harness',
    ),
    code: 'state-newer',
    exit: 11,
  },
  {
    ...state(
      'session state of a newer harness, for who looks',
      { [SESSION]: session({ schema_version: 9 }) },
      SESSION,
      '9',
      'Update the harness',
    ),
    code: 'state-newer',
    exit: 11,
    call: ['status'],
  },
  state('session state that is a folder', { [`${SESSION}/x`]: '' }, SESSION, 'file'),
  state('costs that are no YAML', { '.harness/costs.yaml': 'cumulative: {\n' }, '.harness/costs.yaml', 'costs.yaml'),
  state(
    'costs that are text',
    { '.harness/costs.yaml': 'cumulative: { total_cost_usd: much, by_feature: [] }\n' },
    '.harness/costs.yaml',
    'total_cost_usd',
  ),
  {
    ...state(
      'a baseline that is no JSON',
      { '.harness/test_baseline.json': '{ "passing_tests": [\n' },
      '.harness/test_baseline.json',
      'Remove',
    ),
    code: 'baseline-unreadable',
    call: ['verify'],
  },
  {
    ...state(
      'a baseline without its tests',
      { '.harness/test_baseline.json': '{ "session": 1 }\n' },
      '.harness/test_baseline.json',
      'passing_tests',
    ),
    code: 'baseline-unreadable',
    call: ['verify'],
  },
  state(
    'sizes of files that are damaged',
    { '.harness/file_sizes.json': '[1' },
    '.harness/file_sizes.json',
    'file_sizes.json',
  ),
  state(
    'the state of the run damaged',
    { '.git/harness/loop.json': '{ "run": ' },
    '.git/harness/loop.json',
    'loop.json',
  ),
  state(
    'the state of the run of another form',
    { '.git/harness/loop.json': '{ "running": 3 }' },
    '.git/harness/loop.json',
    'running',
  ),
  {
    ...state(
      'the journal of the run damaged in its middle',
      {
        '.git/harness/loop.jsonl': `${encode({ t: 'drop', seq: 1, why: 'x' })}00000000 {"t":"drop"}\n${encode({ t: 'drop', seq: 2, why: 'x' })}`,
      },
      '.git/harness/loop.jsonl:2',
      'line 2',
    ),
    code: 'journal-broken',
  },
  {
    ...state(
      'a question that is damaged',
      { '.git/harness/gates/open/g-1.json': '{ "id": ' },
      '.git/harness/gates/open/g-1.json',
      'g-1.json',
    ),
    call: ['gates'],
  },
  {
    ...state(
      'a question of a newer harness',
      { '.git/harness/gates/open/g-1.json': '{ "schema": 9 }' },
      '.git/harness/gates/open/g-1.json',
      'newer',
    ),
    call: ['gates'],
    code: 'state-newer',
    exit: 11,
  },
  {
    ...state('a folder of state that is a file', { '.harness': 'mine\n' }, '.harness', 'folder'),
    code: 'state-folder-unusable',
  },
  {
    ...state('a private folder that is a file', { '.git/harness': 'mine\n' }, '.git/harness', 'ENOTDIR'),
    code: 'lock-unavailable',
  },
  {
    ...state(
      'a lock that is no lock',
      { '.git/harness/lock.db': 'this is no database, and it is long enough to be read as one\n'.repeat(20) },
      '.git/harness',
      'lock',
    ),
    code: 'lock-unavailable',
  },
  {
    ...state('logs that cannot be written', { '.harness/logs': 'mine\n' }, '.harness/logs', 'folder'),
    code: 'state-folder-unusable',
  },
  {
    ...state('a message that is damaged', {}, '', ''),
    arrange: (stage) => {
      stage.put('.git/harness/inbox', null);
      writeFileSync(join(stage.root, '.git/harness/inbox/1.json'), '{ "type": ');
    },
  },
];
