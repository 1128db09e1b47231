// The ways in which a list of tasks can be worked, as data: what the list says, what agents do, and how each task must end.
import type { About, Turn } from '../quick/agents.ts';
import type { QuickScenario } from '../quick/scenarios.ts';
import type { FixtureProject } from '../fixture-project.ts';
import { LIST, listOf, LOG, put, task, taskProject } from './list.ts';

export type TaskScenario = QuickScenario & {
  /** By id: how it ends, and how often it fails without a crash; `known`: failures that the list began with. */
  readonly ends: {
    readonly [id: string]: {
      readonly status: 'completed' | 'failed';
      readonly fails?: readonly [least: number, most: number];
      readonly known?: number;
      /** It is on the list as completed, or fails whatever anybody does. */
      readonly isGiven?: true;
    };
  };
  /** The list is part of the history. */
  readonly isTracked?: true;
  /** Its agent lies in list and log: they are no truth before the next run has put them back. */
  readonly isAdversarial?: true;
  /** Of the list before it was fixed. */
  readonly broken?: string;
};

type Parts = Omit<TaskScenario, 'script' | 'reason' | 'files' | 'before'> & {
  readonly list: string;
  readonly play: (about: About) => Turn;
  readonly reason?: string;
  readonly config?: string;
  readonly tracked?: true;
  readonly hands?: (shop: FixtureProject, head: string) => void;
};

const scenario = ({ list, play, reason = 'nothing-left', config, tracked, hands, ...more }: Parts): TaskScenario => ({
  ...more,
  ...(tracked ? { isTracked: true } : {}),
  script: play,
  reason,
  isTicking: true,
  files: { ...taskProject(config), ...(tracked ? { [LIST]: list } : {}) },
  before(shop) {
    const head = shop.git('rev-parse', 'HEAD');
    if (!tracked) put(shop, LIST, list.replaceAll('HEAD', head));
    hands?.(shop, head);
  },
});

const does = (item: string): Turn => ({ write: { [`${item}.txt`]: `${item}\n` } });
const honest = ({ item }: About): Turn => does(item);
const one = { 'task-001': { status: 'completed' } } as const;
const failsOnce = { 'task-001': { status: 'completed', fails: [1, 1] } } as const;
/** It is not rolled back, and another session continues it. */
const HALF: Turn = { write: { 'task-001.txt': 'half\n' } };
const LIE: Turn = { write: { 'junk.txt': 'junk\n', 'task-001.txt': 'nearly\n' } };
/** The first turn of all is another than those after it. */
const first =
  (turn: Turn) =>
  (about: About): Turn =>
    about.played === 0 ? turn : honest(about);
const half = ({ item, shop }: About): boolean => shop.read(`${item}.txt`) === 'half\n';
/** Half of it, then the session is over; who finds half of it does the rest. */
const inTwo =
  (more: Turn) =>
  (about: About): Turn =>
    half(about) ? honest(about) : { write: { [`${about.item}.txt`]: 'half\n' }, ...more };
const step = (n: number, what: string): string => `CHECKPOINT step=${n}/3 "${what}"\n`;
const underWay = (more: object = {}): string =>
  listOf([task(1, { status: 'in_progress', started_at_commit: 'HEAD', ...more })]);

export const TASKS: readonly TaskScenario[] = [
  scenario({ name: 'a task that lands', list: listOf([task(1)]), play: honest, ends: one }),
  scenario({
    name: 'two tasks, one waits for the other',
    list: listOf([task(1, { depends_on: ['task-002'], priority: 'P0' }), task(2)]),
    play: honest,
    ends: { ...one, 'task-002': { status: 'completed' } },
  }),
  scenario({
    name: 'an attempt that fails, its cleanup, then work',
    list: listOf([task(1, { on_failure: { cleanup: 'echo cleaned >> ../cleaned.txt' } })]),
    play: first(LIE),
    ends: failsOnce,
  }),
  scenario({
    name: 'tried as often as it may be, and who waits for it',
    list: listOf([task(1, { max_attempts: 2 }), task(2, { depends_on: ['task-001'] }), task(3)]),
    play: (about) => (about.item === 'task-001' ? LIE : honest(about)),
    reason: 'items-given-up',
    ends: {
      'task-001': { status: 'failed', fails: [2, 2] },
      'task-002': { status: 'failed', isGiven: true },
      'task-003': { status: 'completed' },
    },
  }),
  scenario({
    name: 'a validation that takes too long, then one that does not',
    list: listOf([task(1, { validation: { command: 'test -s fast.txt || sleep 30', timeout_seconds: 1 } })]),
    play: ({ played }) => ({ write: { [played === 0 ? 'slow.txt' : 'fast.txt']: 'made\n' } }),
    ends: failsOnce,
  }),
  scenario({
    name: 'a session that a limit ends, gone on with',
    list: listOf([task(1), task(2)]),
    play: inTwo({ end: 'context-limit' }),
    ends: { ...one, 'task-002': { status: 'completed' } },
  }),
  scenario({
    name: 'a pause in the middle, gone on with',
    list: listOf([task(1)]),
    play: inTwo({ pauses: true, end: 'aborted' }),
    again: ['asked', 'user_pause', 'paused'],
    ends: one,
  }),
  scenario({
    name: 'stopped in the middle',
    list: listOf([task(1)]),
    play: first({ ...HALF, stops: true, end: 'aborted' }),
    again: ['stopped'],
    ends: { 'task-001': { status: 'completed', fails: [1, 1] } },
  }),
  scenario({
    name: 'no proof, and a person who looks',
    list: listOf([task(1, { validation: { command: null } })]),
    play: honest,
    answers: ['land'],
    ends: one,
  }),
  scenario({
    name: 'the agent commits by itself',
    list: listOf([task(1)]),
    play: (about) => ({ ...honest(about), commits: 'task-001: all of it' }),
    ends: one,
  }),
  scenario({
    name: 'a lie the agent committed by itself',
    list: listOf([task(1)]),
    play: first({ ...LIE, commits: 'half of task-001' }),
    ends: failsOnce,
  }),
  scenario({
    name: 'steps of progress while it works',
    list: listOf([task(1)]),
    play: (about) => ({
      says: [step(1, 'read'), 'And now\n', step(2, 'wrote')],
      ...inTwo({ end: 'context-limit' })(about),
    }),
    ends: one,
  }),
  scenario({
    name: 'steps that changed no file',
    list: listOf([task(1)]),
    play: first({ says: [step(1, 'read'), step(2, 'made a plan')] }),
    ends: { 'task-001': { status: 'completed', fails: [0, 1] } },
  }),
  scenario({
    name: 'a list that nobody can parse, and its copy',
    list: listOf([task(1)]).slice(0, 300),
    hands: (shop) => put(shop, `${LIST}.bak`, listOf([task(1)])),
    broken: listOf([task(1)]).slice(0, 300),
    play: honest,
    ends: one,
  }),
  scenario({
    name: 'one task in each session',
    list: listOf([task(1), task(2)], { session_config: { max_tasks_per_session: 1, max_sessions: 500 } }),
    play: honest,
    again: ['max-sessions'],
    ends: { ...one, 'task-002': { status: 'completed' } },
  }),
  scenario({
    name: 'found under way: commits that validate',
    list: underWay(),
    hands(shop) {
      put(shop, 'task-001.txt', 'task-001\n');
      shop.git('add', 'task-001.txt');
      shop.git('commit', '-qm', 'task-001 by an earlier session');
    },
    play: () => ({}),
    ends: one,
  }),
  scenario({
    name: 'found under way: changes that validate',
    list: underWay(),
    hands: (shop) => put(shop, 'task-001.txt', 'task-001\n'),
    play: () => ({}),
    ends: one,
  }),
  scenario({
    name: 'found under way: changes and commits that do not validate',
    list: underWay({ attempts: 1, error_log: ['[TEST_FAIL] before'] }),
    hands(shop) {
      put(shop, 'task-001.txt', 'half\n');
      shop.git('add', 'task-001.txt');
      shop.git('commit', '-qm', 'half of task-001');
      put(shop, 'notes.txt', 'more of it\n');
    },
    play: honest,
    ends: { 'task-001': { status: 'completed', fails: [1, 1], known: 1 } },
  }),
  scenario({
    name: 'found under way: nothing',
    list: underWay(),
    play: honest,
    ends: failsOnce,
  }),
  scenario({
    name: 'refused for a moment',
    list: listOf([task(1)]),
    play: first({ ...HALF, fail: ['agent-rate-limited', { retryAfterMs: 20_000 }] }),
    ends: one,
  }),
  scenario({
    name: 'refused for an hour: a rest',
    list: listOf([task(1)]),
    play: first({ ...HALF, fail: ['agent-rate-limited', { retryAfterMs: 3_600_000 }] }),
    ends: one,
  }),
  scenario({
    name: 'the agent crashes, and again',
    list: listOf([task(1)]),
    play: (about) => (about.played < 2 ? { ...HALF, fail: ['agent-crashed'] } : honest(about)),
    ends: { 'task-001': { status: 'completed', fails: [0, 1] } },
  }),
  scenario({
    name: 'a list that is part of the history',
    list: listOf([task(1), task(2)]),
    tracked: true,
    play: first(LIE),
    ends: { ...failsOnce, 'task-002': { status: 'completed' } },
  }),
  scenario({
    name: 'a list that is part of the history, and an agent that commits all there is',
    list: listOf([task(1), task(2)]),
    tracked: true,
    play: (about) => ({ ...(about.played === 0 ? LIE : honest(about)), commits: `${about.item}: all there is` }),
    ends: { ...failsOnce, 'task-002': { status: 'completed' } },
  }),
  scenario({
    name: 'the list overwritten by an agent',
    list: listOf([task(1)]),
    play: first({ write: { ...does('task-001').write, [LIST]: '{ "tasks": [' } }),
    broken: '{ "tasks": [',
    ends: failsOnce,
  }),
  scenario({
    name: 'a task marked as completed by an agent, the log written anew',
    list: listOf([task(1)]),
    play: first({
      write: { 'task-001.txt': 'half\n', [LIST]: listOf([task(1, { status: 'completed' })]), [LOG]: 'all done\n' },
    }),
    ends: failsOnce,
    isAdversarial: true,
  }),
  scenario({
    name: 'found under way: the commit it began from is gone',
    list: listOf([task(1, { status: 'in_progress', started_at_commit: 'deadbeef', max_attempts: 1 }), task(2)]),
    play: honest,
    reason: 'items-given-up',
    ends: { 'task-001': { status: 'failed', fails: [1, 1] }, 'task-002': { status: 'completed' } },
  }),
];
