// Every rule of the command policy against its own examples.
import { describe, expect, test } from 'vitest';
import { STANDARD_TOOLS, TOOL_RULES } from '../../model/tools.ts';
import { judged, policy } from '../../../test/support/tool-policy.ts';
import { RULES } from './rules.ts';

const filesystem = { ...STANDARD_TOOLS.filesystem, deniedPaths: ['fixtures/private'] };
const unboxed = policy({ filesystem });
const boxed = { ...unboxed, isBoxed: true };

describe.each(RULES)('$name: $why', ({ name, match, notMatch, isOnlyUnboxed }) => {
  test.each(match)('refuses %s', (line) => {
    expect(judged(line, unboxed)).toBe(name);
    expect(judged(line, boxed)).toBe(isOnlyUnboxed === true ? 'allowed' : name);
  });
  test.each(notMatch)('allows %s', (line) => {
    expect(judged(line, unboxed)).toBe('allowed');
    expect(judged(line, boxed)).toBe('allowed');
  });
});

test('every rule has examples of both kinds and a reason', () => {
  const incomplete = RULES.filter((rule) => rule.match.length === 0 || rule.notMatch.length === 0 || rule.why === '');
  expect(incomplete.map(({ name }) => name)).toEqual([]);
});

test('every reason code about a command or a path has a rule', () => {
  const ofSession = [
    'mode-has-no-tools',
    'mode-only-reads',
    'tool-not-in-mode',
    'tool-disabled',
    'backlog-beyond-claim',
  ];
  const ofReading = ['unreadable-path', 'command-unreadable', 'command-denied'];
  const ofProviders = ['no-option-for-once', 'leaves-the-sandbox'];
  const others = [...ofSession, ...ofReading, ...ofProviders];
  const names = new Set<string>([...others, ...RULES.map(({ name }) => name)]);
  expect(TOOL_RULES.filter((name) => !names.has(name))).toEqual([]);
});
