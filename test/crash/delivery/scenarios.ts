// The ways in which a delivery can go, as data: what agents of each role do by the state that they find, what people do and answer, and how each plan
// ends.
import type { FixtureProject } from '../fixture-project.ts';
import type { About, Turn } from '../quick/agents.ts';
import type { QuickScenario } from '../quick/scenarios.ts';
import { deliveryProject, personCommits, personMerges, planNames, published, readIn } from './shop.ts';

export type DeliveryScenario = QuickScenario & {
  /** Names of its plans. */
  readonly plans: readonly string[];
  /** Files that the work leaves beside those of the project. */
  readonly made: readonly string[];
  /** What the body of each pull request has. */
  readonly shown: readonly string[];
  /** A person committed on the base branch too. */
  readonly isBeside: boolean;
};
type Plays = { readonly [role: string]: (about: About) => Turn };

const wordOf = (item: string): string => ({ '0001': 'pay', '0002': 'leave' })[item] ?? '';
const priceOf = (item: string): string => `prices/${wordOf(item)}.txt`;
const sells = ({ workdir }: About, word: string): boolean => readIn(workdir, 'shop.txt').split('\n').includes(word);
const price = ({ workdir, item }: About): string => readIn(workdir, priceOf(item)).trimEnd();
const FREE = (item: string): string => `to ${wordOf(item)} costs nothing at all`;

/** The word is sold, with a price beside it. Where that is so there is nothing to do. */
const builds = (about: About): Turn => ({
  ...(sells(about, wordOf(about.item)) ? {} : { append: { 'shop.txt': `${wordOf(about.item)}\n` } }),
  ...(price(about) === '' ? { write: { [priceOf(about.item)]: `${FREE(about.item)}\n` } } : {}),
});

/** In no prompt of a fixer: the first is a low, the second an opinion, the third was there before. */
export const NEVER_FIXED = ['LOW-ONE', 'OPINION-ONE', 'OLD-ONE'] as const;
const [LOW, OPINION, OLD] = NEVER_FIXED;
const findings = (about: About): string => `### High: the price is wrong
Path: ${priceOf(about.item)}
Quote: ${price(about)}
Why: somebody has to be paid, docs/plans/0001-pay.md says.

### High: ${OPINION}
Path: ${priceOf(about.item)}
Quote: this line is nowhere

### Medium: ${OLD}
Path: all.sh
Quote: for test in tests/*.sh; do

- Low: ${LOW}`;

const PLAYS: Plays = {
  implementer: builds,
  reviewer: () => ({ said: 'No findings.' }),
  preparer: ({ item }) => ({ said: `Title: Sell ${wordOf(item)}\n\nThe shop sells it.` }),
  'merge-checker': () => ({ said: 'No findings. Ready to enable auto-merge.' }),
};

type Parts = Omit<DeliveryScenario, 'script' | 'reason' | 'files' | 'plans' | 'made' | 'shown' | 'isBeside'> & {
  readonly plays?: Plays;
  readonly count?: number;
  readonly ci?: string;
  readonly isTested?: true;
  readonly config?: string;
  readonly made?: readonly string[];
  readonly shown?: readonly string[];
  readonly isBeside?: boolean;
};
const scenario = ({
  plays = {},
  count = 1,
  ci = '',
  isTested,
  config = '',
  made = [],
  shown = [],
  isBeside = false,
  ...more
}: Parts) =>
  ({
    ...more,
    reason: 'nothing-left',
    isTicking: true,
    plans: planNames(count),
    made: [...planNames(count).map((name) => `prices/${name.slice(5)}.txt`), ...made],
    shown,
    isBeside,
    files: deliveryProject({ plans: count, config, ci, isTested: isTested === true }),
    before: published,
    script: (about: About) => ({ ...PLAYS, ...plays })[about.role]?.(about) ?? {},
  }) satisfies DeliveryScenario;

/** A price that is found wrong until it is paid. */
const untilPaid: Plays = {
  reviewer: (about) => ({ said: price(about).includes('a coin') ? 'No blocking findings.' : findings(about) }),
  // It adds a file that no finding asks for, and changes the plan, which is not its own.
  fixer: ({ item }) => ({
    write: {
      [priceOf(item)]: `to ${wordOf(item)} costs a coin\n`,
      'extra.txt': 'more than was asked for\n',
      'docs/plans/0001-pay.md': '# Pay nothing\n',
    },
    said: 'Fixed.',
  }),
};
/** Each review finds something in what the last fix wrote. */
const neverContent: Plays = {
  reviewer: (about) => ({ said: findings(about) }),
  fixer: (about) => ({ write: { [priceOf(about.item)]: `${price(about)}, and more\n` }, said: 'Fixed.' }),
};
const ONE_PASS = 'agent: { max_review_passes: 1 }\n';
const besides = (path: string): Plays => ({
  'merge-checker': ({ shop }) => {
    personCommits(shop, path);
    return { said: 'All is well.\n\nNo findings. Ready to enable auto-merge.' };
  },
});
const whenAsked = (shop: FixtureProject): void => personCommits(shop, 'theirs.txt');

/** Its checks fail for what only a second session adds. */
const [NEVER_GREEN, ADDS_MORE] = [
  'grep -qx good shop.txt',
  (about: About): Turn =>
    sells(about, 'pay') && !sells(about, 'good') ? { append: { 'shop.txt': 'good\n' } } : builds(about),
] as const;
const byPerson = (shop: FixtureProject): void => personMerges(shop, '0001', 'Sell pay');

export const DELIVERIES: readonly DeliveryScenario[] = [
  scenario({ name: 'one plan to its merge', ci: 'test -s shop.txt', isTested: true }),
  scenario({
    name: 'a finding that is fixed; what the fix adds beyond it is taken back',
    plays: untilPaid,
    shown: [...NEVER_FIXED, '1 → 0'],
  }),
  scenario({
    name: 'checks that fail, and then pass',
    ci: NEVER_GREEN,
    plays: { implementer: ADDS_MORE },
  }),
  scenario({
    name: 'a pull request that a person merges as it is, while a question is open',
    ci: NEVER_GREEN,
    plays: {
      implementer: ADDS_MORE,
      reviewer: (about) => ({ said: sells(about, 'good') ? findings(about) : 'No findings.' }),
    },
    config: ONE_PASS,
    answers: ['merge'],
    meanwhile: byPerson,
  }),
  scenario({
    name: 'a pull request that a person merges as it is, while a question is open that no user answers',
    ci: NEVER_GREEN,
    plays: {
      implementer: ADDS_MORE,
      reviewer: (about) => ({ said: sells(about, 'good') ? findings(about) : 'No findings.' }),
    },
    config: ONE_PASS,
    answers: [''],
    meanwhile: byPerson,
  }),
  scenario({
    name: 'a pull request that a person merges as it is, while its second session is reviewed',
    ci: NEVER_GREEN,
    plays: {
      implementer: ADDS_MORE,
      reviewer: (about) => {
        if (sells(about, 'good')) byPerson(about.shop);
        return { said: 'No findings.' };
      },
    },
  }),
  scenario({
    name: 'a merge that is refused: the same lines were changed on the base branch',
    plays: besides('shop.txt'),
    isBeside: true,
  }),
  scenario({
    name: 'a merge onto commits of others',
    plays: besides('theirs.txt'),
    made: ['theirs.txt'],
    isBeside: true,
  }),
  scenario({
    name: 'passes that are used up: continued once, then merged as it is',
    plays: neverContent,
    config: ONE_PASS,
    answers: ['continue', 'merge'],
    meanwhile: whenAsked,
    made: ['theirs.txt'],
    shown: ['Open, and accepted by a user', '1 → 1 (1 new)'],
    isBeside: true,
  }),
  scenario({
    name: 'passes that are used up: stopped, then merged as it is',
    plays: neverContent,
    config: ONE_PASS,
    answers: ['stop', 'merge'],
    shown: ['Open, and accepted by a user'],
  }),
  scenario({ name: 'two plans, one after the other', count: 2 }),
  scenario({
    name: 'a merge-checker that finds something, and a session that ends it',
    plays: {
      implementer: (about) =>
        price(about) === FREE(about.item)
          ? { write: { [priceOf(about.item)]: `to ${wordOf(about.item)} costs a coin\n` } }
          : builds(about),
      'merge-checker': (about) => ({
        said: price(about).includes('a coin')
          ? 'No findings. Ready to enable auto-merge.'
          : `High: nothing is paid\nPath: ${priceOf(about.item)}\nQuote: ${price(about)}`,
      }),
    },
  }),
  scenario({
    name: 'a reviewer that writes: its verdict is void',
    plays: {
      reviewer: ({ session }) => ({
        ...(session % 2 === 0 ? { write: { 'mine.txt': `of session ${session}\n` } } : {}),
        said: 'No findings.',
      }),
    },
  }),
];
