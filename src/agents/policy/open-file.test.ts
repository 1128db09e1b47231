// The file of the state folder that a session is asked to write, and its neighbours, as commands write them.
import { describe, expect, test } from 'vitest';
import { judged, policy } from '../../../test/support/tool-policy.ts';
import type { PolicySettings } from './judge.ts';

describe('the file that a session is asked to write', () => {
  const { places, ...rest } = policy();
  const asked: PolicySettings = { ...rest, places: { ...places, open: ['.harness/planner/plan.md'] } };
  test.each([
    'mkdir -p .harness/planner && echo x > .harness/planner/plan.md',
    "mkdir -p .harness/planner && cat > .harness/planner/plan.md <<'END'\n# Plan\nEND",
    'mkdir -p /work/shop/.harness/planner',
    'rm .harness/planner/plan.md && echo x > .harness/planner/plan.md',
  ])('may be written, and its folder made: %j', (line) => {
    expect(judged(line, asked)).toBe('allowed');
  });
  test('of a folder, every file in it may be written, and no other', () => {
    const folder: PolicySettings = { ...rest, places: { ...places, open: ['.harness/plan/'] } };
    for (const line of [
      'mkdir -p .harness/plan && echo x > .harness/plan/0001-cart.md',
      'rm .harness/plan/0002-pay.md',
    ])
      expect(judged(line, folder)).toBe('allowed');
    for (const line of [
      'echo x > .harness/plans.json',
      'echo x > .harness/plan/../gates/x',
      'echo x > .harness/planner/x',
    ])
      expect(judged(line, folder)).toBe('harness-file');
  });
  test.each([
    ['echo x > .harness/planner', 'harness-file'],
    ['mkdir .harness/planner/plan.md/x', 'harness-file'],
    ['mkdir .harness/generator', 'harness-file'],
    ['echo x > .harness/planner/other.md', 'harness-file'],
    ['rm -rf .harness/planner', 'harness-file'],
  ])('opens no other file: %j', (line, rule) => {
    expect(judged(line, asked)).toBe(rule);
  });
});
