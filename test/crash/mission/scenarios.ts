// The ways in which a mission can go, as data: what agents of each role do by the state that they find, what people answer, and how each feature
// ends.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTRACT, LIST } from '../../support/mission.ts';
import type { MissionFeature } from '../../../src/playbooks/mission/schema.ts';
import type { About, Turn } from '../quick/agents.ts';
import type { QuickScenario } from '../quick/scenarios.ts';
import type { FixtureProject } from '../fixture-project.ts';
import { featuresIn, IN_PLACE, judged, LEAVE, missionProject, PAY, planOf, putPlan } from './shop.ts';

export type MissionScenario = QuickScenario & {
  /** By id: sessions of workers without a crash. */
  readonly ends: { readonly [id: string]: number };
  /** Files that the work leaves beside those of the project. */
  readonly made?: readonly string[];
  /** Checkpoints that are granted. */
  readonly granted?: readonly string[];
};
type Plays = { readonly [role: string]: (about: About) => Turn };

const DRAFTS = ['.harness/plan/features.json', '.harness/plan/validation-contract.md'] as const;
const nameOf = (shop: FixtureProject, item: string): string => {
  const { fixes, title = '' } = featuresIn(shop.read(LIST)).find(({ id }) => id === item) ?? {};
  return fixes ? 'limit' : (title.split(' ').at(-1) ?? '');
};
const sells = ({ workdir }: About, word: string): boolean =>
  readFileSync(join(workdir, 'shop.txt'), 'utf8').split('\n').includes(word);
const sell = (...words: readonly string[]): Turn => ({
  append: { 'shop.txt': words.map((one) => `${one}\n`).join('') },
});
/** Where it is sold there is nothing to do. */
const honest = (about: About): Turn => {
  const word = nameOf(about.shop, about.item);
  return sells(about, word) ? {} : sell(word);
};
const passes = ({ shop, item }: About): Turn => ({ said: judged(shop, item, { verdict: 'pass' }) });
const drafts = (features: readonly MissionFeature[]): Turn => {
  const { list, contract } = planOf(features);
  return { write: { [DRAFTS[0]]: list, [DRAFTS[1]]: contract } };
};
const PLAYS: Plays = {
  planner: () => drafts([PAY, LEAVE]),
  'plan-reviewer': () => ({ said: 'ACCEPT' }),
  worker: honest,
  validator: passes,
  crosscheck: passes,
  documenter: ({ item }) => ({ write: { [`docs/${item}.md`]: `# ${item}\n` }, said: 'Documented.' }),
  curator: ({ output }) => ({
    write: { [output]: '## Summary\nall is well\n## Memory\nnothing yet\n' },
    said: 'Curated.',
  }),
};

const scored = (number: number, all: number): object => ({
  number,
  scores: { size: all, clarity: all, tests: all, scope: all },
  why: 'As I see it.',
});

/** What architects and people have decided about the first feature. */
const decisionsIn = (shop: FixtureProject): number =>
  (shop.read('.harness/decided/F-001.json')?.match(/"by":/g) ?? []).length;

type Parts = Omit<MissionScenario, 'script' | 'reason' | 'files' | 'before'> & {
  readonly plays?: Plays;
  readonly features?: readonly MissionFeature[];
  readonly config?: string;
  readonly beside?: true;
  readonly reason?: string;
};
const scenario = ({
  plays = {},
  features = [PAY],
  config = '',
  beside,
  reason = 'nothing-left',
  ...more
}: Parts): MissionScenario => ({
  ...more,
  reason,
  isTicking: true,
  files: missionProject((beside ? '' : IN_PLACE) + config),
  before(shop) {
    if (more.spec === undefined) putPlan(shop, features);
  },
  script: (about) => ({ ...PLAYS, ...plays })[about.role]?.(about) ?? {},
});

const SPEC = 'A shop where one can pay and leave.\n';
const NO_CURATOR = '';
const ROLES = 'mission: { crosscheck: true, documenter: true, smoke: "test -s shop.txt" }\n';
const both = { 'F-001': 1, 'F-002': 1 };
const point = (name: string, on: string): string => `checkpoints: { types: [{ name: ${name}, trigger_on: ${on} }] }\n`;
/** The work is there, and not good before the second session. */
const betterLater = (about: About): Turn =>
  sells(about, 'pay') ? (sells(about, 'good') ? {} : sell('good')) : sell('pay');
const wantsGood = (about: About): Turn => ({
  said: judged(about.shop, about.item, { verdict: sells(about, 'good') ? 'pass' : 'fail' }),
});

export const MISSIONS: readonly MissionScenario[] = [
  scenario({
    name: 'from the specification to the end, with a checkpoint after the plan',
    spec: SPEC,
    config: point('plan', 'post-planner') + NO_CURATOR,
    answers: ['grant'],
    granted: ['plan'],
    ends: both,
  }),
  scenario({
    name: 'a plan that is rejected, then a better one',
    spec: SPEC,
    plays: {
      'plan-reviewer': ({ shop }) =>
        shop.read('.harness/escalation.md') === null
          ? { said: 'REJECT\n- too thin' }
          : { said: 'ACCEPT-WITH-NOTES\n- thin' },
    },
    again: ['plan-rejected'],
    ends: both,
  }),
  scenario({
    name: 'a checkpoint before the end',
    config: point('end', 'pre-done'),
    answers: ['grant'],
    granted: ['end'],
    ends: { 'F-001': 1 },
  }),
  scenario({
    name: 'work that the validator refuses, and then does not',
    plays: { worker: betterLater, validator: wantsGood },
    ends: { 'F-001': 2 },
  }),
  scenario({
    name: 'the same in a work tree beside',
    beside: true,
    plays: { worker: betterLater, validator: wantsGood },
    ends: { 'F-001': 2 },
  }),
  scenario({
    name: 'every role: crosscheck, smoke test, documenter',
    config: ROLES,
    features: [PAY, LEAVE],
    ends: both,
    made: ['docs/F-001.md', 'docs/F-002.md'],
  }),
  scenario({
    name: 'an issue becomes a feature',
    plays: {
      validator: (about) => ({
        said: judged(about.shop, about.item, {
          verdict: 'pass',
          ...(about.item === 'F-001' ? { issue: 'No limit' } : {}),
        }),
      }),
      orchestrator: () => ({ said: 'CONVERTED\nFIX 1: Limit the queue' }),
      worker: (about) =>
        about.item === 'F-001'
          ? honest(about)
          : {
              ...honest(about),
              write: { 'tests/pay.sh': missionProject('')['tests/pay.sh']?.replaceAll('pay', 'limit') ?? '' },
            },
    },
    ends: { 'F-001': 1, 'F-FIX-001': 1 },
  }),
  scenario({
    name: 'an assertion that is unclear until an architect clarifies it',
    plays: {
      validator: (about) => ({
        said: judged(about.shop, about.item, {
          verdict: (about.shop.read(CONTRACT) ?? '').includes('and clearly') ? 'pass' : 'unclear',
        }),
      }),
      architect: ({ shop }) => ({
        write: { [DRAFTS[1]]: (shop.read(CONTRACT) ?? '').replace('it holds', 'it holds, and clearly') },
        said: 'Clarified.',
      }),
    },
    ends: { 'F-001': 2 },
  }),
  scenario({
    name: 'a worker that finds an assertion unclear, until an architect and then a person decide',
    plays: {
      // Its work says how often it was at it; nothing of it is lost.
      worker(about) {
        const answers = decisionsIn(about.shop);
        return answers >= 2
          ? honest(about)
          : {
              ...(answers === 0 && !sells(about, 'half') ? sell('half') : {}),
              said: 'UNCLEAR: VAL-CHORE-001 pay what?',
            };
      },
      // The second time it cannot tell.
      architect: ({ shop }) =>
        decisionsIn(shop) > 0
          ? { said: 'ESCALATE: only a person can tell.' }
          : { write: { [DRAFTS[1]]: (shop.read(CONTRACT) ?? '').replace('it holds', 'it holds well') }, said: 'Well.' },
    },
    answers: ['decide'],
    ends: { 'F-001': 1 },
  }),
  scenario({
    name: 'two workers attempt a feature, and a judge prefers the second',
    config: 'mission: { competitors: 2 }\n',
    plays: {
      worker: (about) => ({ ...honest(about), write: { 'by.txt': `session ${about.session}\n` } }),
      judge: () => ({ said: JSON.stringify({ candidates: [scored(1, 5), scored(2, 9)] }) }),
    },
    ends: { 'F-001': 1 },
    made: ['by.txt'],
  }),
  scenario({
    name: 'a debugger after an attempt that failed',
    config: 'mission: { debug_after: 1 }\nverification: { fix_turns: 0 }\n',
    plays: {
      worker: (about) =>
        about.shop.read('.harness/debug/F-001.md') === null ? { write: { 'junk.txt': 'junk\n' } } : honest(about),
      debugger: () => ({ write: { 'tried.txt': 'tried\n' }, said: 'The shop does not sell it.' }),
    },
    ends: { 'F-001': 2 },
  }),
  scenario({
    name: 'a curator before each session',
    config: 'mission: { curate_every: 1 }\n',
    features: [PAY, LEAVE],
    ends: both,
  }),
  scenario({
    name: 'a validator that writes: its verdict is void',
    plays: {
      validator: (about) => ({
        ...(about.turn === 1 && about.session % 2 === 0 ? { write: { 'mine.txt': 'mine\n' } } : {}),
        ...passes(about),
      }),
    },
    ends: { 'F-001': 1 },
  }),
  scenario({
    name: 'a worker that a limit ends, continued',
    plays: { worker: (about) => (sells(about, 'half') ? sell('pay') : { ...sell('half'), end: 'context-limit' }) },
    ends: { 'F-001': 2 },
  }),
];
