import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { stage } from '../../test/stage/repository.ts';
import { commitText } from './commit-text.ts';

const named = (name: string, email: string) => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
});

test('it is the text that git makes of the same, byte for byte', () => {
  const s = stage();
  const [tree, head] = [s.sh('rev-parse', 'HEAD^{tree}'), s.sh('rev-parse', 'HEAD')];
  const now = new Date('2024-05-06T07:08:09.999Z');
  const zone = /[+-]\d{4}/.exec(commitText(named('A', 'a'), tree, [], '', now) ?? '')?.[0];
  const date = `${Math.floor(now.getTime() / 1000)} ${zone}`;
  const people: readonly (readonly [string, string])[] = [
    ['Ada', 'ada@example.org'],
    ['  "Zoë, jr.".\n', '<zoe@example.org>'],
    ['a<b>c', ''],
    ['日本', 'x y'],
  ];
  for (const [name, email] of people)
    for (const [parents, message] of [
      [[], 'one\n'],
      [[head], 'no end'],
      [[head, head], 'ü\n\nKey: value\n'],
      [[head], ''],
    ] as const) {
      const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
      const made = execFileSync('git', ['commit-tree', tree, ...parents.flatMap((one) => ['-p', one]), '-F', '-'], {
        cwd: s.root,
        env: { ...s.env, ...named(name, email), ...dates },
        input: message,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'ignore'],
      }).trim();
      const text = execFileSync('git', ['cat-file', 'commit', made], { cwd: s.root, encoding: 'utf8' });
      expect(commitText(named(name, email), tree, parents, message, now)).toBe(text);
    }
});

test('git makes, or refuses, a commit without a name, of a tree that has no full id, and with a zero byte', () => {
  const [tree, now] = ['0'.repeat(40), new Date(0)];
  expect(commitText(named(' . ', 'a'), tree, [], 'm', now)).toBeNull();
  expect(commitText(named('A', 'a'), 'HEAD^{tree}', [], 'm', now)).toBeNull();
  expect(commitText(named('A', 'a'), tree, ['HEAD'], 'm', now)).toBeNull();
  expect(commitText(named('A', 'a'), tree, [], 'm\0', now)).toBeNull();
});
