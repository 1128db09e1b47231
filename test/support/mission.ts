// `.harness/features.json` for tests: features, whole files, and a generator of valid ones; and a configuration of the mission playbook.
import * as fc from 'fast-check';
import type { BriefContext } from '../../src/engine/definitions.ts';
import type { Config } from '../../src/model/config.ts';
import type { RepositoryView } from '../../src/model/repository-view.ts';
import { backlog } from '../../src/playbooks/mission/backlog.ts';
import { CONTRACT, LIST } from '../../src/playbooks/mission/paths.ts';
import { STATUSES, type MissionFeature } from '../../src/playbooks/mission/schema.ts';
import { configOf } from './config.ts';
import { sentence } from './read-context.ts';

export const missionFeature = (n: number, more: Partial<MissionFeature> = {}): MissionFeature => ({
  id: `F-${String(n).padStart(3, '0')}`,
  title: `User can do thing ${n}`,
  claims: [`VAL-THING-${String(n).padStart(3, '0')}`],
  status: 'pending',
  attempts: 0,
  test_file: `tests/thing-${n}.sh`,
  ...more,
});
export const missionFile = (
  features: readonly MissionFeature[],
  more: object = {},
  indent: string | number = 2,
): string => `${JSON.stringify({ mission: 'shop', ...more, features }, null, indent)}\n`;
/** An assertion for each claim. */
export const contractFor = (features: readonly Pick<MissionFeature, 'claims'>[]): string =>
  `# Validation contract\n\n${features
    .flatMap(({ claims }) => claims.map((claim) => `- ${claim}: it holds\n  Check: run the test.\n`))
    .join('')}`;

const decision = fc.record({ reason: fc.string(), unblock: fc.boolean() });
const fields = fc.record(
  {
    status: fc.constantFrom(...STATUSES),
    attempts: fc.nat(5),
    priority: fc.nat(3),
    notes: fc.string(),
    fixes: fc.constantFrom('F-001', 'F-002'),
    skipped: fc.option(decision, { nil: null }),
    owner: fc.string(),
  },
  { requiredKeys: ['status', 'attempts'] },
);
/** Dependencies are on earlier features, so that there is no cycle. */
export const missionFeatures: fc.Arbitrary<readonly MissionFeature[]> = fc
  .array(fc.record({ more: fields, on: fc.array(fc.nat(20), { maxLength: 3 }) }), { maxLength: 8 })
  .map((all) =>
    all.map(({ more, on }, n) =>
      missionFeature(n + 1, {
        ...more,
        ...(n === 0 ? {} : { depends_on: [...new Set(on.map((at) => `F-${String((at % n) + 1).padStart(3, '0')}`))] }),
      }),
    ),
  );

export const missionConfig = (parts: Parameters<typeof configOf>[0] = {}): Config =>
  configOf({
    playbook: { backlog: 'mission', machine: 'mission' },
    paths: { backlog: LIST, progress: '.harness/mission.log', stateDir: '.harness' },
    ...parts,
  });
export const missionContext = (view: RepositoryView, config = missionConfig()): BriefContext => ({
  view,
  backlog,
  config,
  sentence,
});
export { CONTRACT, LIST };
