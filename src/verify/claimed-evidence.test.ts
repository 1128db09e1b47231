// What an agent showed against what was observed: the rule alone, on events as adapters tell them.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../model/event.ts';
import { toJson } from '../model/json.ts';
import { lacksTests, mismatches, seenCommands } from './claimed-evidence.ts';

const KNOWN = ['sh run.sh tests/saw.test'];
const CLAIMS = ['features.json', 'claude-progress.txt'];
const ran = (id: string, command: string, ok = true): readonly AgentEvent[] => [
  { t: 'tool-start', id, name: 'Bash', input: { command } },
  { t: 'tool-end', id, ok, output: '' },
];
const edited = (path: string): AgentEvent => ({ t: 'file-change', path, change: 'update' });
const codes = (events: readonly AgentEvent[], said = '', total = 4): readonly string[] =>
  mismatches({
    item: '2',
    said,
    seen: seenCommands(events, KNOWN, CLAIMS),
    tests: { total, passed: total, failed: 0, skipped: 0 },
  }).map(({ code }) => code);
const work = edited('src/saw');
const tested = ran('t', 'sh run.sh   tests/saw.test 2>&1');

test('an agent that reports what it does and ran no test lacks one; of an agent that reports nothing that is unknown', () => {
  const edit = { t: 'tool-start', id: 'e', name: 'edit', input: { path: 'src/saw' } } as const;
  expect(lacksTests([edit], KNOWN)).toBe(true);
  expect(lacksTests([edit, ...ran('l', 'ls')], KNOWN)).toBe(true);
  expect(lacksTests([edit, ...tested], KNOWN)).toBe(false);
  expect(lacksTests([work, { t: 'text', text: 'All tests pass.' }], KNOWN)).toBe(false);
});

describe('what an agent shows', () => {
  test('fits where it tested after its last change, and marked the item afterwards', () => {
    expect(codes([work, ...tested, edited('features.json'), edited('/lane/claude-progress.txt')])).toEqual([]);
  });
  test.each([
    ['no test run at all', [work, ...ran('l', 'ls')], 'tests-not-shown'],
    ['a test run before the last change', [...tested, work], 'tests-shown-too-early'],
    ['a last test run that failed', [work, ...tested, ...ran('u', 'npm test', false)], 'shown-tests-failed'],
    [
      'a test run, then an edit told as a tool alone',
      [...tested, { t: 'tool-start', id: 'e', name: 'Edit', input: { file_path: '/lane/src/saw' } }],
      'tests-shown-too-early',
    ],
  ] as const)('%s is a mismatch', (_, events, code) => {
    expect(codes(events)).toEqual([code]);
  });
  test('a command in its text that it was never seen to run, and counts that cannot be', () => {
    expect(codes([work, ...tested], '$ pytest -q\n')).toEqual(['shown-command-not-seen']);
    expect(codes([work, ...tested], 'ran it: 5 passed in 2.3s')).toEqual(['shown-output-differs']);
    expect(codes([work, ...tested], '$ sh run.sh tests/saw.test\n4 passed\nℹ pass 4\n')).toEqual([]);
  });
  test('an edit of the backlog and of another file in one call is an edit', () => {
    const both: AgentEvent = { t: 'tool-start', id: 'e', name: 'edit', input: { paths: ['features.json', 'src/saw'] } };
    expect(codes([work, ...tested, both])).toEqual(['tests-shown-too-early']);
  });
  test('can be anything at all without breaking the rule', () => {
    const event = fc.record({
      t: fc.constant('tool-start' as const),
      id: fc.string(),
      name: fc.string(),
      input: fc.jsonValue({ maxDepth: 2 }).map(toJson),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), fc.string({ unit: 'binary' }), (events, said) => {
        expect(new Set(codes(events, said)).size).toBeLessThan(4);
      }),
    );
  });
});
