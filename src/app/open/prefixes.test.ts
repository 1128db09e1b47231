import { expect, test } from 'vitest';
import { saidAction } from './prefixes.ts';

test.each([
  ['[FILE:READ] src/api/routes.py', { type: 'file_read', path: 'src/api/routes.py' }],
  ['  [FILE:WRITE] src/api/profile.py', { type: 'file_write', path: 'src/api/profile.py' }],
  ['[CMD:RUN] poetry run pytest -v', { type: 'cmd_run', cmd: 'poetry run pytest -v' }],
  ['[CMD:EXIT] 0', { type: 'cmd_exit', code: 0 }],
  ['[VERIFY:PASS] Feature #12', { type: 'verify_pass', feature: '12' }],
  ['[VERIFY:FAIL] #12', { type: 'verify_fail', feature: '12' }],
  ['[DECISION] Using PATCH', { type: 'decision', text: 'Using PATCH' }],
])('%s is read as the reference has it, and as said', (line, action) => {
  expect(saidAction(line)).toEqual({ ...action, said: true });
});

test.each(['FILE:READ x', '[FILE:EAT] x', '[constructor] x', '[CMD:OUTPUT]', '[DECISION]', 'see [DECISION] here'])(
  '%s says nothing',
  (line) => {
    expect(saidAction(line)).toBeNull();
  },
);
