// A small project with a specification and no plan yet, for the mission: shell tests in TAP, and agents of every role that follow a scenario
// outside the repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { expectExit, workshop, type Options, type Session, type Steps, type Workshop } from './workshop.ts';

export const SPEC = '# A bench\n\nThere is a bench. A saw hangs on the wall.\n';
export const DRAFT = { list: '.harness/plan/features.json', contract: '.harness/plan/validation-contract.md' } as const;
export const LIST = '.harness/features.json';
export const CONTRACT = '.harness/validation-contract.md';

/** One feature of a plan: `F-001` makes `src/f-001`, and its test asks for it. */
export type Planned = {
  readonly id: string;
  readonly dependsOn?: readonly string[];
  readonly maxAttempts?: number;
};
export const claimOf = (id: string): string => `VAL-BENCH-${id.slice(-3)}`;
export const fileOf = (id: string): string => `src/${id.toLowerCase()}`;
export const testOf = (id: string): string => `tests/${id.toLowerCase()}.test`;
export const wordOf = (id: string): string => `thing-of-${id.toLowerCase()}`;

export const listText = (features: readonly Planned[]): string =>
  `${JSON.stringify(
    {
      mission: 'workshop',
      features: features.map(({ id, dependsOn = [], maxAttempts }) => ({
        id,
        title: `The thing of ${id} is there`,
        claims: [claimOf(id)],
        status: 'pending',
        attempts: 0,
        test_file: testOf(id),
        depends_on: dependsOn,
        ...(maxAttempts === undefined ? {} : { max_attempts: maxAttempts }),
      })),
    },
    null,
    2,
  )}\n`;
export const contractText = (features: readonly Pick<Planned, 'id'>[]): string =>
  `# Validation contract\n\n## BENCH\n\n${features
    .map(({ id }) => `- ${claimOf(id)}: ${fileOf(id)} names its thing.\n  How: read ${fileOf(id)}.\n`)
    .join('')}`;

/** What a planner writes. */
export const plan = (features: readonly Planned[], contract = contractText(features)): Steps => [
  { write: { path: DRAFT.list, text: listText(features) } },
  { write: { path: DRAFT.contract, text: contract } },
  { say: 'The plan is written.' },
];

type Asked = {
  readonly item?: string;
  readonly attempt?: number | string | readonly string[];
  readonly session?: number;
};
/** What a role does when it is asked so; further turns are what it does when it is asked again. */
export const as = (role: string, about: Asked, ...turns: readonly Steps[]): Session => ({
  when: { role, ...about },
  turns,
});
/** A role that answers, and does nothing else. */
export const answers = (role: string, about: Asked, ...texts: readonly string[]): Session =>
  as(role, about, ...texts.map((say): Steps => [{ say }]));

/** The honest work on one of them. */
export const build = (id: string, word = wordOf(id)): Steps => [
  { write: { path: fileOf(id), text: `${word}\n` } },
  { write: { path: testOf(id), text: `${id} is there|grep -q ${wordOf(id)} ${fileOf(id)}\n` } },
  { say: `${id} is built.\n\nREASON-OF-THE-WORKER` },
];
export const passes = (id: string, claim = claimOf(id), quote = wordOf(id)): object => ({
  id: claim,
  verdict: 'pass',
  path: fileOf(id),
  quote,
});
export const verdictOf = (assertions: readonly object[], issues: readonly object[] = []): string =>
  JSON.stringify({ assertions, issues });

/** Every role does what it should, for these features. */
export const honestMission = (features: readonly Planned[]): readonly Session[] => [
  as('planner', {}, plan(features)),
  answers('plan-reviewer', {}, 'ACCEPT\n'),
  ...features.flatMap(({ id }) => [
    as('worker', { item: id }, build(id)),
    answers('validator', { item: id }, verdictOf([passes(id)])),
  ]),
  as('curator', {}, [
    { write: { path: '{{OUTPUT}}', text: '## Summary\nA bench is built.\n\n## Memory\nOf wood.\n\n## Promote\n' } },
    { say: 'Written.' },
  ]),
];

export type MissionShop = Workshop & {
  readonly list: () => {
    readonly features: readonly { readonly id: string; readonly status: string; readonly [field: string]: unknown }[];
    readonly [field: string]: unknown;
  };
  /** `[id, status]` of every feature. */
  readonly statuses: () => readonly (readonly [string, string])[];
  /** The prompts that were sent, by session: the role and the text of each first turn. */
  readonly prompts: (role: string) => readonly string[];
  readonly isThere: (path: string) => boolean;
};

/** `mission`: the section of the configuration; `features` with a plan that is committed already. */
export function missionShop(options: Options & { readonly planned?: readonly Planned[] }): MissionShop {
  const { planned } = options;
  const config = [
    'playbook: mission',
    'project: { name: workshop }',
    `agents: { default: ${options.agent ?? '{ provider: scripted, scenario: ../scenario.json }'} }`,
    'environment: { init: ./init.sh }',
    `testing: { runner: tap, feature: 'sh run.sh {test_file}', full: 'sh run.sh tests/*.test' }`,
    'verification: { fix_turns: 0 }',
    options.config ?? '',
    '',
  ].join('\n');
  const shop = workshop({
    ...options,
    files: { '.harness.yaml': config, 'SPEC.md': SPEC, ...options.files },
  });
  const unused = ['features.json', 'claude-progress.txt', 'reset.sh', ...OLD_TESTS];
  shop.git('rm', '-q', ...unused);
  if (planned !== undefined) {
    shop.write(LIST, listText(planned));
    shop.write(CONTRACT, contractText(planned));
    shop.git('add', '-f', LIST, CONTRACT);
  }
  shop.git('commit', '-q', '--amend', '-m', 'start');
  const list: MissionShop['list'] = () => JSON.parse(shop.read(LIST)) as never;
  return {
    ...shop,
    list,
    statuses: () => list().features.map(({ id, status }) => [id, status] as const),
    prompts: (role) =>
      readdirSync(join(shop.root, '.harness/sessions'))
        .toSorted((a, b) => Number(a) - Number(b))
        .map((number) => join(shop.root, '.harness/sessions', number, 'prompt-1.md'))
        .filter((path) => existsSync(path))
        .map((path) => readFileSync(path, 'utf8'))
        .filter((text) => text.includes(`\nROLE=${role}\n`)),
    isThere: (path) => existsSync(join(shop.root, path)),
  };
}
const OLD_TESTS = ['tests/bench.test', 'tests/saw.test', 'tests/board.test'];

/** Every feature landed once with its evidence, the memory has a line, and nothing is left. */
export async function expectMissionDone(shop: MissionShop, ids: readonly string[]): Promise<void> {
  expect(shop.git('status', '--porcelain')).toBe('');
  expect(shop.statuses()).toEqual(ids.map((id) => [id, 'passing']));
  const landed = shop.git('log', '--format=%(trailers:key=Harness-Item,valueonly)', 'main').split('\n').filter(Boolean);
  const accepted = landed.filter((id, n) => landed.indexOf(id) === n).toSorted();
  expect(accepted).toEqual(ids.toSorted());
  const all = await shop.harness('evidence', 'verify', '--all', '--json');
  expect(all.json()).toMatchObject({ holds: true });
  const left = shop.git('for-each-ref', '--format=%(refname)', 'refs/harness/parked', 'refs/harness/wip');
  expect([left, shop.processes()]).toEqual(['', []]);
}

/** Runs until done, and expects this exit code. */
export const runMission = async (shop: MissionShop, code: number, ...more: readonly string[]) => {
  const ran = await shop.harness('run', '--until-done', '--json', ...more);
  expectExit(ran, code);
  return ran.json();
};
