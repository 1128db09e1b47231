import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Issue } from '../../forge/port.ts';
import { withKey } from '../../forge/marker.ts';
import { backlogPlan, unknownDependencies, type BacklogSeen } from './backlog-plan.ts';

const issue = (number: number, more: Partial<Issue> = {}): Issue => ({
  number,
  url: '',
  state: 'open',
  title: `issue ${number}`,
  body: '',
  labels: ['harness'],
  isReopened: false,
  updatedAt: '2026-03-01T08:00:00Z',
  ...more,
});
const NOTHING: BacklogSeen = { issues: [], items: [], links: {}, atWork: new Set(), over: new Set(), retitles: true };
const open = (id: string, title: string) => ({ id, title, stage: 'open' as const });

describe('which issues become items', () => {
  test('each once, after those that it depends on', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 3 }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 3 }),
        (all, over) => {
          const issues = all.map((on, n) => issue(n + 1, { body: on.map((one) => `Depends on #${one}`).join('\n') }));
          const plan = backlogPlan({ ...NOTHING, issues, over: new Set(over) });
          expect(new Set(plan.map(({ number }) => number))).toEqual(new Set(issues.map(({ number }) => number)));
          expect(plan).toHaveLength(issues.length);
          const before = new Set<number>(over);
          for (const act of plan) {
            if (act.do !== 'add') continue;
            for (const on of act.text.dependsOn) expect(before.has(on)).toBe(true);
            before.add(act.number);
          }
          for (const act of plan) if (act.do === 'wait') for (const on of act.on) expect(before.has(on)).toBe(false);
        },
      ),
    );
  });

  test('one of an item does not, by its title, its link or its key', () => {
    const issues = [issue(1), issue(2), issue(3, { body: withKey('', 'features 7') }), issue(4, { state: 'closed' })];
    const link = { number: 2, url: '', state: 'open', at: '', isSettled: false, isAnswered: false } as const;
    const items = [open('5', 'issue 1 (#1)'), open('6', 'a cart')];
    expect(backlogPlan({ ...NOTHING, issues, items, links: { '6': link } })).toEqual([]);
  });

  test('a new title is followed, unless the item is at work or done', () => {
    const issues = [issue(1, { title: 'a larger cart' })];
    const items = [open('5', 'a cart (#1)')];
    expect(backlogPlan({ ...NOTHING, issues, items })).toEqual([
      { do: 'retitle', item: '5', number: 1, title: 'a larger cart (#1)' },
    ]);
    expect(backlogPlan({ ...NOTHING, issues, items, atWork: new Set(['5']) })).toEqual([
      { do: 'wait', number: 1, on: [] },
    ]);
    expect(backlogPlan({ ...NOTHING, issues, items: [{ ...open('5', 'a cart (#1)'), stage: 'done' }] })).toEqual([]);
  });

  test('only dependencies of new issues are asked for that nothing is known of', () => {
    const issues = [issue(1, { body: 'Depends on #2, #3, #9' }), issue(2), issue(4, { body: 'Depends on #8' })];
    const items = [open('5', 'pay (#3)'), open('6', 'ship (#4)')];
    expect(unknownDependencies({ issues, items, links: {} })).toEqual([9]);
  });
});
