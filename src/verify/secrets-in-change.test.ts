// Which values of the environment count as added by a change, and how they are reported.
import { expect, test } from 'vitest';
import { environmentSecrets } from '../host/secrets.ts';
import type { FileDelta } from '../model/file-delta.ts';
import { secretsInChange } from './secrets-in-change.ts';

const TOKEN = 'wq7-Zb2kf9-Lm4';
const find = environmentSecrets({ SHOP_TOKEN: TOKEN, SIGNING_KEY: 'first line of the key\nsecond line of the key' });
const mask = (text: string): string => text.replaceAll(TOKEN, '[masked]');
const file = (path: string, about: Partial<FileDelta>): FileDelta => ({
  path,
  isNew: false,
  added: [],
  removed: [],
  ...about,
});
const found = (...files: readonly FileDelta[]) => {
  if (find === null) throw new Error('no secrets');
  return secretsInChange(files, find, mask);
};

test('the places are named with their variables, the values never', () => {
  const problem = found(
    file('a.ts', { added: [{ line: 7, text: `one\ntwo = "${TOKEN}"` }] }),
    file(`b-${TOKEN}`, { isNew: true, added: [{ line: 1, text: 'second line of the key' }] }),
  );
  expect(problem).toMatchObject({
    code: 'secret-in-change',
    params: { count: 3, file: 'a.ts', line: 8, name: 'SHOP_TOKEN' },
    ids: ['a.ts:8 (SHOP_TOKEN)', 'b-[masked] (SHOP_TOKEN)', 'b-[masked]:1 (SIGNING_KEY)'],
  });
  expect(JSON.stringify(problem)).not.toContain(TOKEN);
});

test('encoded, and in UTF-16, it is the same secret', () => {
  const text = Buffer.from(`token=${TOKEN}`, 'utf16le').toString('utf8');
  expect(found(file('a', { added: [{ line: 1, text }] }))?.ids).toEqual(['a:1 (SHOP_TOKEN)']);
  const encoded = Buffer.from(TOKEN).toString('base64');
  expect(found(file('a', { added: [{ line: 3, text: encoded }] }))?.ids).toEqual(['a:3 (SHOP_TOKEN)']);
});

test('what was there before is not added: a line that changed beside it, or a file that moved', () => {
  const held = { line: 1, text: `token ${TOKEN}` };
  const changed = { line: 1, text: `token is ${TOKEN}` };
  expect(found(file('a', { removed: [held], added: [changed] }))).toBeNull();
  expect(found(file('a', { removed: [held] }), file('b', { isNew: true, added: [held] }))).toBeNull();
  expect(found(file('a', { removed: [held], added: [changed, { line: 9, text: TOKEN }] }))).not.toBeNull();
  expect(found(file('a', { removed: [held] }))).toBeNull();
});

test.each([
  ['a common word', { DB_PASSWORD: 'postgres' }],
  ['a short number', { PASSCODE: '12345678' }],
  ['a folder of this machine', { KEY_STORE: import.meta.dirname }],
  ['the address of a service', { AUTH_URL: 'https://login.example.org/' }],
  ['an author', { GIT_AUTHOR_EMAIL: 'ada@example.org' }],
  ['a variable without a secret name', { HARMLESS: 'wq7-Zb2kf9-Lm4' }],
])('honest work may hold the value of a variable that is %s', (_what, env) => {
  expect(environmentSecrets(env)).toBeNull();
});

test('an address with a password in it is a secret', () => {
  expect(environmentSecrets({ AUTH_URL: 'https://ada:s3cr3tword@example.org/' })).not.toBeNull();
});
