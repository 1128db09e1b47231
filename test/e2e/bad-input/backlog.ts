// Files of features that are wrong: no JSON, no features, features that contradict each other.
import type { BadInput } from './case.ts';

const FILE = 'features.json';
type Fields = { readonly [field: string]: unknown };

/** Each feature on a line of its own, from line 2 on. */
const file = (...features: readonly (Fields | string)[]): string =>
  `{ "features": [\n${features.map((f) => (typeof f === 'string' ? f : `  ${JSON.stringify(f)}`)).join(',\n')}\n] }\n`;
const feature = (id: unknown, more: Fields = {}): Fields => ({
  id,
  description: `Thing ${String(id)}`,
  test_file: 'tests/open.sh',
  passes: false,
  ...more,
});

const backlog = (name: string, text: string | Uint8Array, at: string, ...says: readonly string[]): BadInput => ({
  name,
  files: { [FILE]: text },
  call: ['items'],
  exit: 5,
  code: 'backlog-invalid',
  at: `${FILE}:${at}`,
  says,
});

/** Ten thousand features, where one near the end depends on one that is not there. */
const large = (): string =>
  file(...Array.from({ length: 10_000 }, (_, n) => feature(n + 1, n === 9_989 ? { depends_on: [9_989, 77_777] } : {})));

export const BACKLOGS: readonly BadInput[] = [
  backlog('features behind a byte order mark', `\ufeff${file(feature(1))}`, '1:1', 'byte order mark'),
  backlog('features that end in the middle', '{\n  "features": [\n    { "id": 1, "descr', '3:16', 'closing quote'),
  backlog('an empty file of features', '', '1:1', 'empty'),
  backlog('a comma before the closing bracket', '{ "features": [\n  {"id": 1},\n] }\n', '2:12', 'comma'),
  backlog('a comma that is missing', '{ "features": [\n  {"id": 1}\n  {"id": 2}\n] }\n', '3:3', 'comma'),
  backlog('a comment among the features', '{\n  // mine\n  "features": []\n}\n', '2:3', 'comments'),
  backlog('features that are YAML', 'features:\n  - id: 1\n', '1:1', 'JSON'),
  backlog('features that are a list', '[]\n', '1:1', 'feature[]'),
  backlog('a file without features', '{ "project": "shop" }\n', '1:1 features', 'features'),
  backlog('features that are a map', '{ "features": {} }\n', '1:15 features', 'feature[]'),
  backlog(
    'a feature without an id',
    file(feature(1), { description: 'x', passes: false, test_file: 't' }),
    '3:3 features[1].id',
    'no id',
  ),
  backlog('a feature whose id is text', file(feature('one')), '2:9 features[0].id', '"one"', 'integer'),
  backlog('an id that is there twice', file(feature(1), feature(2), feature(1)), '4:9 features[2].id', 'features[0]'),
  backlog('a feature that is done in words', file(feature(1, { passes: 'yes' })), '2:72 features[0].passes', '"yes"'),
  {
    ...backlog(
      'a feature without a test',
      file({ id: 1, description: 'x', passes: false }),
      '2:3 features[0].test_file',
      'Feature 1 has no test_file',
    ),
    call: ['run'],
  },
  backlog(
    'a test outside of the repository',
    file(feature(1, { test_file: '../../etc/passwd' })),
    '2:47 features[0].test_file',
    '../../etc/passwd',
    'inside',
  ),
  backlog(
    'a test that is an option of the runner',
    file(feature(1, { test_file: '--delete-everything' })),
    '2:47 features[0].test_file',
    '--delete-everything',
  ),
  backlog(
    'a way of verification that nobody knows',
    file(feature(1, { verification_type: 'magic' })),
    '2:98 features[0].verification_type',
    '"magic"',
    '"manual"',
  ),
  backlog(
    'a dependency that is not there',
    file(feature(1), feature(2, { depends_on: [1, 9] })),
    '3:94 features[1].depends_on[1]',
    'depends on 9',
  ),
  backlog(
    'a feature that depends on itself',
    file(feature(1, { depends_on: [1] })),
    '2:92 features[0].depends_on[0]',
    'itself',
  ),
  backlog(
    'features that depend on each other in a circle',
    file(feature(1, { depends_on: [3] }), feature(2, { depends_on: [1] }), feature(3, { depends_on: [2] })),
    '3:92 features[1].depends_on[0]',
    '1 → 3 → 2 → 1',
  ),
  backlog(
    'one mistake near the end of ten thousand features',
    large(),
    '9991:103 features[9989].depends_on[1]',
    'Feature 9990 depends on 77777',
  ),
  backlog(
    'hundreds of mistakes, of which the first are told',
    file(...Array.from({ length: 300 }, (_, n) => feature(n + 1, { passes: 'no' }))),
    '2:72 features[0].passes',
    '300 errors',
  ),
  {
    ...backlog('features in another encoding', Uint8Array.of(0x7b, 0xe9, 0x7d), '', 'UTF-8'),
    code: 'file-unreadable',
    at: FILE,
  },
  {
    ...backlog('features that are a folder', '', '', 'not a file'),
    files: {},
    arrange: (stage) => stage.put(FILE, null),
    code: 'file-unreadable',
    at: FILE,
  },
  {
    ...backlog('features that are not there, for a run', '', '', 'harness init'),
    files: {},
    arrange: (stage) => {
      stage.git('rm', '-q', FILE);
      stage.git('commit', '-q', '-m', 'gone');
    },
    call: ['run'],
    code: 'backlog-missing',
    at: FILE,
  },
  {
    ...backlog('a broken file of features, for a run', '{ "features": [ }', '1:17', 'unexpected character'),
    call: ['run'],
  },
  {
    ...backlog('a broken file of features, for a feature more', '{ "features": [ }', '1:17', 'unexpected character'),
    call: ['add', 'Another thing', '--verify', 'tests/open.sh'],
  },
];
