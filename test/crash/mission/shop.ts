// A fixture project with a mission: its files, its plan, and what its agents say.
import { dirname, join } from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';
import { contractFor, CONTRACT, LIST, missionFile } from '../../support/mission.ts';
import type { MissionFeature } from '../../../src/playbooks/mission/schema.ts';
import { SHOP, type FixtureProject } from '../fixture-project.ts';

const CONFIG = `playbook: mission
project: { name: shop }
agents: { default: { provider: scripted, scenario: ../scenario.yaml } }
environment: { init: ./init.sh, reset: ./reset.sh }
testing: { runner: tap, feature: "sh {test_file}", full: "sh all.sh" }
push: { remote: origin }
features: { max_stuck_sessions: 30 }
`;
/** Where agents work in the work tree of the project. */
export const IN_PLACE = 'isolation: in-place\n';

/** `config`: more lines of it. */
export const missionProject = (config: string): { readonly [path: string]: string } => {
  const { 'features.json': _list, 'claude-progress.txt': _log, 'tests/pay.sh': pay = '', ...files } = SHOP;
  return {
    ...files,
    '.harness.yaml': CONFIG + config,
    'tests/pay.sh': pay,
    'tests/leave.sh': pay.replaceAll('pay', 'leave'),
  };
};

// Tests of chores are not proved in copies, which takes long.
export const feature = (n: number, name: string, more: Partial<MissionFeature> = {}): MissionFeature => ({
  id: `F-00${n}`,
  title: `User can ${name}`,
  claims: [`VAL-CHORE-00${n}`],
  status: 'pending',
  attempts: 0,
  test_file: `tests/${name}.sh`,
  owner: `anna ${n}`,
  ...more,
});
export const PAY = feature(1, 'pay');
export const LEAVE = feature(2, 'leave', { depends_on: ['F-001'] });

export const planOf = (features: readonly MissionFeature[]): { readonly list: string; readonly contract: string } => ({
  list: missionFile(features, { team: 'blue' }),
  contract: contractFor(features),
});

/** As after the plan. */
export function putPlan(shop: FixtureProject, features: readonly MissionFeature[]): void {
  const { list, contract } = planOf(features);
  for (const [path, text] of [
    [LIST, list],
    [CONTRACT, contract],
  ] as const) {
    mkdirSync(dirname(join(shop.root, path)), { recursive: true });
    writeFileSync(join(shop.root, path), text);
    shop.git('add', '-f', path);
  }
  shop.git('commit', '-qm', 'chore(mission): plan');
}

export const featuresIn = (text: string | null): readonly MissionFeature[] =>
  (JSON.parse(text ?? '{"features":[]}') as { readonly features: readonly MissionFeature[] }).features;

type Judged = { readonly verdict: 'pass' | 'fail' | 'unclear'; readonly issue?: string };
/** What a role that judges says of every claim of a feature. */
export function judged(shop: FixtureProject, item: string, { verdict, issue }: Judged): string {
  const { claims = [] } = featuresIn(shop.read(LIST)).find(({ id }) => id === item) ?? {};
  return JSON.stringify({
    assertions: claims.map((id) => ({ id, verdict, why: 'because', path: 'all.sh', quote: 'for test in tests/*.sh' })),
    issues: issue === undefined ? [] : [{ title: issue, why: 'it grows', path: 'shop.txt', severity: 'high' }],
  });
}
