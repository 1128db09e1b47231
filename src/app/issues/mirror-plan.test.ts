import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Issue } from '../../forge/port.ts';
import { withKey } from '../../forge/marker.ts';
import { firstLink, issueKey, linkUp, type IssueLinks, type MirroredItem } from './links.ts';
import { afterAct, mirrorPlan, type MirrorRules } from './mirror-plan.ts';

const LIST = 'features';
const IDS = ['1', '2', '3'] as const;
const stages = fc.constantFrom('open', 'done', 'skipped') satisfies fc.Arbitrary<MirroredItem['stage']>;
const itemsOf = (all: readonly MirroredItem['stage'][]): readonly MirroredItem[] =>
  all.map((stage, n) => ({ id: IDS[n] ?? '', title: `item ${n + 1}`, stage }));
const rules: fc.Arbitrary<MirrorRules> = fc.record({
  createMissingIssues: fc.boolean(),
  closeOnVerify: fc.boolean(),
  closedIsSkipped: fc.boolean(),
});

/** A forge in memory, and the mirror of a list in it. */
class World {
  issues = new Map<number, Issue>();
  said: string[] = [];
  #now = Date.parse('2026-03-01T08:00:00Z');
  items: readonly MirroredItem[];
  links: IssueLinks = {};
  constructor(items: readonly MirroredItem[]) {
    this.items = items;
  }
  at(): string {
    return new Date((this.#now += 1_000)).toISOString();
  }
  set(number: number, state: 'open' | 'closed'): Issue {
    const issue = this.issues.get(number)!;
    const changed = { ...issue, state, isReopened: state === 'open', updatedAt: this.at() };
    this.issues.set(number, changed);
    return changed;
  }
  byPerson(number: number): void {
    const issue = this.issues.get(number);
    if (issue !== undefined) this.set(number, issue.state === 'open' ? 'closed' : 'open');
  }
  create(item: string): Issue {
    const number = this.issues.size + 1;
    const body = withKey('', issueKey(LIST, item));
    const issue: Issue = {
      number,
      url: '',
      state: 'open',
      title: item,
      body,
      labels: [],
      isReopened: false,
      updatedAt: this.at(),
    };
    this.issues.set(number, issue);
    return issue;
  }
  /** `most`: it is killed after so many acts. */
  sync(how: MirrorRules, most = Infinity): readonly string[] {
    this.links = linkUp(this.links, [...this.issues.values()], this.items, LIST);
    const plan = mirrorPlan(this.items, this.links, how);
    for (const act of plan.slice(0, most)) {
      if (act.do === 'create') {
        this.links = { ...this.links, [act.item]: firstLink(this.create(act.item), false) };
        continue;
      }
      const changed =
        act.do === 'close' || act.do === 'reopen' ? this.set(act.number, act.do === 'close' ? 'closed' : 'open') : null;
      const link = this.links[act.item]!;
      this.links = { ...this.links, [act.item]: afterAct(link, act, changed?.updatedAt ?? link.at) };
    }
    this.said.push(...plan.slice(0, most).map((act) => `${act.do} ${act.item}`));
    return plan.map((act) => `${act.do} ${act.item}`);
  }
}

/** What happens between two syncs: an item changes its stage, or a person clicks on its issue. */
const happening = fc.oneof(
  fc.record({ item: fc.nat(2), stage: stages }),
  fc.record({ clicks: fc.integer({ min: 1, max: 3 }) }),
);

describe('the plan of the mirror', () => {
  test('is empty once it is performed, whatever happened before, also where it was cut and what was known is lost', () => {
    fc.assert(
      fc.property(
        fc.array(stages, { minLength: 3, maxLength: 3 }),
        rules,
        fc.array(fc.tuple(happening, fc.nat(3), fc.boolean()), { maxLength: 12 }),
        (first, how, all) => {
          const world = new World(itemsOf(first));
          world.sync(how);
          for (const [what, most, isLost] of all) {
            if ('clicks' in what) world.byPerson(what.clicks);
            else world.items = world.items.map((item, n) => (n === what.item ? { ...item, stage: what.stage } : item));
            if (isLost) world.links = {};
            world.sync(how, most);
          }
          world.sync(how);
          expect(world.sync(how)).toEqual([]);
        },
      ),
    );
  });

  test('an issue that a person has closed is never opened, and one that a person has reopened never closed', () => {
    fc.assert(
      fc.property(rules, fc.array(stages, { minLength: 1, maxLength: 8 }), (how, later) => {
        const closed = new World(itemsOf(['open']));
        closed.sync({ ...how, createMissingIssues: true });
        closed.byPerson(1);
        for (const stage of later) {
          closed.items = itemsOf([stage]);
          if (stage === 'done') break;
          closed.sync(how);
        }
        expect(closed.issues.get(1)?.state).toBe('closed');

        const reopened = new World(itemsOf(['open']));
        reopened.sync({ ...how, createMissingIssues: true });
        reopened.items = itemsOf(['done']);
        reopened.sync({ ...how, closeOnVerify: true });
        reopened.byPerson(1);
        for (let n = 0; n < later.length; n += 1) reopened.sync(how);
        expect(reopened.issues.get(1)?.state).toBe('open');
        expect(reopened.said.filter((one) => one === 'explain 1')).toHaveLength(1);
      }),
    );
  });

  test('an item has one issue at most', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 8 }), (syncs) => {
        const world = new World(itemsOf(['open', 'open', 'open']));
        const how = { createMissingIssues: true, closeOnVerify: true, closedIsSkipped: false };
        for (const [most, isLost] of syncs) {
          world.sync(how, most);
          if (isLost) world.links = {};
        }
        world.sync(how);
        expect(world.issues.size).toBe(3);
      }),
    );
  });

  test('a look that is older than the last known change says nothing', () => {
    const world = new World(itemsOf(['done']));
    const issue = world.create('1');
    const how = { createMissingIssues: true, closeOnVerify: true, closedIsSkipped: false };
    world.sync(how);
    expect(world.issues.get(1)?.state).toBe('closed');
    world.links = linkUp(world.links, [issue], world.items, LIST);
    expect(mirrorPlan(world.items, world.links, how)).toEqual([]);
  });
});
