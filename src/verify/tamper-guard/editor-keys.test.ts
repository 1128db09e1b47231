// What an editor may write into git's configuration while a session runs.
import { expect, test } from 'vitest';
import { differsInEditorKeys } from './editor-keys.ts';

const CONFIG = '[core]\n\tbare = false\n[branch "main"]\n\tremote = origin\n';

test.each([
  ['a key of its own', CONFIG.replace('\tremote', '\tvscode-merge-base = origin/main\n\tremote')],
  ['a section for it at the end', `${CONFIG}[branch "harness/x"]\n\tvscode-merge-base = origin/main\n`],
  [
    'a section for it before another',
    CONFIG.replace('[branch', '[branch "x"]\n\tgk-last-accessed = 2026-01-01T10:00:00Z\n[branch'),
  ],
])('%s is no difference', (_what, text) => {
  expect([differsInEditorKeys(CONFIG, text), differsInEditorKeys(text, CONFIG)]).toEqual([true, true]);
});

test('a section before an empty line takes over what follows: it is a difference', () => {
  const spaced = CONFIG.replace('\tbare', '\n\tbare');
  expect(differsInEditorKeys(spaced, spaced.replace('[core]\n', '[core]\n[branch "x"]\n'))).toBe(false);
});

test.each([
  ['a key that git obeys', CONFIG.replace('\tbare', '\tfsmonitor = x\n\tbare')],
  ['a value that goes on in the next line', CONFIG.replace('\tbare', '\tvscode-x = a\\\n\tbare')],
  ['a value without its closing quote', CONFIG.replace('\tbare', '\tvscode-x = "a\n\tbare')],
  ['a section around what was in another one', CONFIG.replace('\tbare', '[branch "x"]\n\tbare')],
  ['a section that is commented on', CONFIG.replace('\tbare', '[branch "x"]\n\n\tbare')],
])('%s is one', (_what, text) => {
  expect(differsInEditorKeys(CONFIG, text)).toBe(false);
});
