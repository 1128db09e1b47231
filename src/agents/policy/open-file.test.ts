// The one file of the harness's own folder that a session is sent for, against the shell of an agent.
import { describe, expect, test } from 'vitest';
import { judged, policy } from '../../../test/support/tool-policy.ts';
import type { Policy } from './judge.ts';

describe('the one file that a session is sent for', () => {
  const { places, ...rest } = policy();
  const sent: Policy = { ...rest, places: { ...places, open: ['.harness/planner/plan.md'] } };
  test.each([
    'mkdir -p .harness/planner && echo x > .harness/planner/plan.md',
    "mkdir -p .harness/planner && cat > .harness/planner/plan.md <<'END'\n# Plan\nEND",
    'mkdir -p /work/shop/.harness/planner',
    'rm .harness/planner/plan.md && echo x > .harness/planner/plan.md',
  ])('is written, and its folder made: %j', (line) => {
    expect(judged(line, sent)).toBe('allowed');
  });
  test.each([
    ['echo x > .harness/planner', 'harness-file'],
    ['mkdir .harness/planner/plan.md/x', 'harness-file'],
    ['mkdir .harness/generator', 'harness-file'],
    ['echo x > .harness/planner/other.md', 'harness-file'],
    ['rm -rf .harness/planner', 'harness-file'],
  ])('opens nothing else: %j', (line, rule) => {
    expect(judged(line, sent)).toBe(rule);
  });
});
