import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { branchOf, docsPathOf, taskSlugOf } from './slug.ts';

test.each([
  ['Fix the login bug!', 'fix-the-login-bug'],
  ['Add OAuth 2.0 (PKCE) support', 'add-oauth-20-pkce-support'],
  ['snake_case & kebab-case', 'snake_case-kebab-case'],
  ['  many   blanks\tand\nlines ', 'many-blanks-and-lines'],
  ['Größe ändern', 'grosse-andern'],
  ['Добавить вход', 'dobavit-vkhod'],
  ['로그인 기능 추가', 'rogeuin-gineung-chuga'],
  ['로그인'.normalize('NFD'), 'rogeuin'],
  ['ΑΘΗΝΑ', 'athina'],
  ['日本語 login', 'login'],
])('the task %j is called %s', (task, slug) => expect(taskSlugOf(task)).toBe(slug));

test('a task with nothing that can be written in ASCII has a name of its own', () => {
  expect(taskSlugOf('日本語')).toMatch(/^task-[0-9a-f]{8}$/);
  expect(taskSlugOf('日本語')).not.toBe(taskSlugOf('日本'));
  expect(taskSlugOf('!!!')).toMatch(/^task-[0-9a-f]{8}$/);
});

test('the name that the clean-up would refuse is never given', () => {
  expect(taskSlugOf('Memory')).toBe('task-memory');
  expect(taskSlugOf('Memory leak')).toBe('memory-leak');
});

test('for every task the slug is one plain path segment of at most 50 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (task) => {
      const slug = taskSlugOf(task);
      expect(slug).toMatch(/^[a-z0-9](?:[a-z0-9_-]{0,48}[a-z0-9])?$/);
      expect(taskSlugOf(slug)).toBe(slug);
    }),
    { numRuns: 500 },
  );
});

test('branch and folder are derived from it', () => {
  expect(branchOf('fix-it')).toBe('harness/fix-it');
  expect(docsPathOf('fix-it')).toBe('docs/harness/fix-it/');
  expect(docsPathOf('fix-it', 'notes/ai')).toBe('notes/ai/fix-it/');
});
