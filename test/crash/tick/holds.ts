// What holds of a daemon wherever it died: each plan is merged once and seen once, with whose merge it was; what it starts it starts once, or once more for
// each death; what follows a merge follows once.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FixtureProject } from '../fixture-project.ts';
import { baseOn } from '../delivery/shop.ts';
import type { Judge } from '../quick/grid.ts';
import { startsOf, waitsOf } from './daemon.ts';
import type { TickScenario } from './scenarios.ts';

type Shown = {
  readonly active: object | null;
  readonly waiting: { readonly why: string } | null;
  readonly paused: boolean;
  readonly merged: readonly string[];
  readonly history: readonly { readonly event: string; readonly plan?: string; readonly by?: string }[];
};

export const judgeOf = (scenario: TickScenario): Judge<null> => ({
  of: () => null,
  afterDeath: (shop) => [...moves(shop), ...legible(shop)],
  atEnd: (shop, reason, _end, faults) => {
    const state = JSON.parse(shop.read('.harness/state.json') ?? '{}') as Shown;
    const { merges, events, starts, isReady, plans } = scenario;
    const found = state.history.flatMap(({ event, plan, by }) => (event === 'merged' ? [`${plan} ${by}`] : []));
    const started = startsOf(shop);
    const isThere = (plan: string): boolean => state.merged.includes(plan.slice(0, 4));
    return [
      ...(reason === scenario.reason ? [] : [`it ends with ${reason}, not ${scenario.reason}`]),
      ...moves(shop),
      ...legible(shop),
      ...(JSON.stringify(found) === JSON.stringify(merges) ? [] : [`merges are ${found.join(', ')}`]),
      ...plans.filter((plan) => !isThere(plan)).map((plan) => `${plan} is not merged`),
      ...events.flatMap((wanted) => {
        const times = state.history.filter(({ event }) => event === wanted).length;
        // How often it has answered for an agent is of no matter.
        return times === 1 || (wanted === 'rate_limit_retry' && times > 0) ? [] : [`${wanted} is there ${times} times`];
      }),
      ...(started.length <= starts + faults.length ? [] : [`it started ${started.join(', ')}`]),
      ...(state.active === null && !state.paused ? [] : [`at its end it shows ${JSON.stringify(state)}`]),
      ...scenario.waits.filter((one) => !waitsOf(shop).includes(one)).map((one) => `it does not show ${one}`),
      ...(existsSync(join(shop.stateDir, 'RELEASE_READY')) === isReady ? [] : [`the release is ready: not ${isReady}`]),
    ];
  },
});

function moves(shop: FixtureProject): readonly string[] {
  if (!existsSync(join(shop.top, 'remote.git'))) return [];
  const subjects = baseOn(shop).map(({ subject }) => subject);
  return subjects.filter((one, n) => subjects.indexOf(one) !== n).map((one) => `twice on the base branch: ${one}`);
}

/** What it keeps and what it shows are whole at any moment. */
const legible = (shop: FixtureProject): readonly string[] =>
  ['.git/harness/tick.json', '.harness/state.json', '.git/harness/daemon.json'].flatMap((file) => {
    const text = shop.read(file);
    try {
      if (text !== null) JSON.parse(text);
      return [];
    } catch {
      return [`cannot be read: ${file}`];
    }
  });
