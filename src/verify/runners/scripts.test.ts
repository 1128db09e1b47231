// Scripts of package.json that call scripts.
import { expect, test } from 'vitest';
import { scriptBehind, scriptOf } from './scripts.ts';

test('scripts are followed to the last, and not in circles', () => {
  const scripts = { test: 'npm run a', a: 'yarn run -s b', b: 'node --test', c: 'npm run c' };
  expect(scriptOf('CI=1 npm t', scripts)).toBe('npm run a');
  expect(scriptBehind('cd x && npm test -- -v', scripts)).toBe('node --test');
  expect(scriptBehind('npm run c', scripts)).toBe('npm run c');
  expect(scriptBehind('npm run constructor', scripts)).toBe('');
  expect(scriptBehind('npm ci', scripts)).toBe('');
});
