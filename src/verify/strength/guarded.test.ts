// An installed package that changed is explained by the line of a lock file or a manifest that names it, and by nothing else.
import { expect, test } from 'vitest';
import { unexplainedOf } from './guarded.ts';

const lock = (after: string) => ({ path: 'package-lock.json', before: '{\n}', after });
const changed = ['node_modules/@acme/kit/index.js', 'node_modules/.bin/kit', 'node_modules/left-pad/index.js'];

test('without a word in any lock file or manifest, all of it is unexplained', () => {
  expect(unexplainedOf(changed, [])).toEqual(changed);
  expect(
    unexplainedOf(changed, [{ path: 'src/a.mjs', before: '', after: 'import "@acme/kit"; import "left-pad"' }]),
  ).toEqual(changed);
});

test('a package in a changed line of the lock file is explained, any other is not', () => {
  expect(unexplainedOf(changed, [lock('{\n"node_modules/@acme/kit": {},\n}')])).toEqual([
    'node_modules/left-pad/index.js',
  ]);
  expect(unexplainedOf(changed, [lock('{\n"node_modules/left-pad": {},\n"node_modules/@acme/kit": {}\n}')])).toEqual(
    [],
  );
});

test('packages of Python are known by either of their names', () => {
  const requirements = { path: 'requirements.txt', before: '', after: 'typing-extensions==4.1\n' };
  const files = [
    '.venv/lib/python3.12/site-packages/typing_extensions.py',
    '.venv/lib/python3.12/site-packages/six.py',
  ];
  expect(unexplainedOf(files, [requirements])).toEqual([files[1]]);
});
