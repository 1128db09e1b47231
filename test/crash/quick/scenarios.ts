// The ways a run can go, as data: what the fixture project begins with, what its agents do, what people say, and why it ends.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { post } from '../../../src/app/list/inbox.ts';
import { flagEdit } from '../../../src/engine/list-edits.ts';
import type { Io } from '../../../src/host/io.ts';
import type { ItemChange } from '../../../src/model/item.ts';
import type { RunMode } from '../../../src/model/run.ts';
import { quickIo } from '../../support/quick-io.ts';
import { backlog, configured, feature, SET_UP, SHOP, type FixtureProject } from '../fixture-project.ts';
import type { Script, Turn } from './agents.ts';

export type QuickScenario = {
  readonly name: string;
  readonly script: Script;
  readonly reason: string;
  readonly files?: { readonly [path: string]: string };
  readonly mode?: Partial<RunMode>;
  readonly before?: (shop: FixtureProject) => void;
  /** What a person answers, question by question: an option, and perhaps a note after `: `. Empty: nothing, and another run begins. */
  readonly answers?: readonly string[];
  /** What a person does beside it while a question is open; `answered`: questions before it. */
  readonly meanwhile?: (shop: FixtureProject, answered: number) => void;
  /** Why a run may end that is followed by another. */
  readonly again?: readonly string[];
  readonly isTicking?: boolean;
  /** The specification, where a run begins with the plan. */
  readonly spec?: string;
  /** What is played instead of runs; gives why it ended. */
  readonly live?: (shop: FixtureProject, io: Io) => Promise<string>;
};

// Tests that are worth something are proved in copies of the tree: that takes long, and one scenario is about it.
const CHORE = { category: 'chore' };
const open = feature(1, 'open', { passes: true, ...CHORE });
const pay = (more: object = {}): object => feature(2, 'pay', { passes: false, ...CHORE, ...more });
const leave = (more: object = {}): object => feature(3, 'leave', { passes: false, ...CHORE, ...more });
const LEAVE = { 'tests/leave.sh': SET_UP.tests.pay.replaceAll('pay', 'leave') };
const shop = (config = '', ...features: readonly object[]) => ({
  ...SHOP,
  '.harness.yaml': configured(config),
  'features.json': features.length > 0 ? backlog(...features) : backlog(open, pay({ depends_on: [1] })),
});
const two = (config = '', first: object = {}, second: object = {}) => ({
  ...shop(config, open, pay(first), leave(second)),
  ...LEAVE,
});

const HONEST: Turn = { append: { 'shop.txt': 'pay\n' }, claim: ['2'] };
const LEAVES: Turn = { append: { 'shop.txt': 'leave\n' }, claim: ['3'] };
const LIE: Turn = { write: { 'junk.txt': 'junk\n' }, claim: ['2'] };
const HALF: Turn = { append: { 'shop.txt': 'half\n' } };
const NO_FIX = 'verification: { fix_turns: 0 }\n';
const OWN = 'scenario: ../scenario.yaml }';
const withStandIn = {
  ...shop(),
  '.harness.yaml': configured().replace(OWN, `${OWN}\n  fallback: [{ provider: scripted, scenario: ../other.yaml }]`),
};
const STUCK = `${NO_FIX}features: { max_stuck_sessions: 1 }\n`;
const policy = (subject: string, option: string): string =>
  `gates: { policies: { ${subject}: { answer: ${option}${option === 'wait' ? '' : ', after: 1s'} } } }\n`;
const cut = (end: Turn['end'], more: Turn = {}): Turn => ({ ...HALF, ...(end ? { end } : {}), ...more });

const asked = (item: string, change: ItemChange): ((one: FixtureProject) => void) => {
  const edit = flagEdit('features.json', item, change);
  return (one) =>
    void post(one.privateDir, quickIo(), 1, { type: 'change', item, subject: `chore(harness): #${item}`, edit });
};
const AT = '2099-01-01T00:00:00.000Z';
const hybrid = (kind: string, config = '') =>
  shop(config, open, pay({ verification_type: kind, manual_checks: ['It feels right'] }));
/** An item that a person looks at, and one that continues meanwhile: in other lines, or in the same. */
const LOOKED_AT = { verification_type: 'hybrid', manual_checks: ['It feels right'] };
const SHELVES = 'one\ntwo\nthree\nfour\n';
const apart = (config = '', first: object = LOOKED_AT) => ({
  ...two(config, first),
  'shop.txt': SHELVES,
});
const APART: Turn = { write: { 'shop.txt': `leave\n${SHELVES}` }, claim: ['3'] };
const large = shop('', open, pay({ verification_steps: Array.from({ length: 9 }, (_, n) => `Step ${n}`) }));
const breaking = {
  ...shop(NO_FIX, feature(1, 'open', { passes: true, ...CHORE }), pay()),
  'tests/open.sh': SET_UP.tests.open,
};
const BREAKS: Turn = { write: { 'shop.txt': 'pay\n' }, claim: ['2'] };

/** What it saves breaks an older feature: the next session could not begin. */
const BREAKING: Turn = { write: { 'shop.txt': 'half\n', 'half.txt': 'half\n' } };
const halfBreaking = {
  ...two(`${NO_FIX}features: { max_stuck_sessions: 2 }\n`),
  'shop.txt': 'open\n',
  'tests/open.sh': SET_UP.tests.open,
};

/** A person commits a file of theirs, once. */
const byHand =
  (path: string) =>
  (one: FixtureProject): void => {
    if (one.git('log', '--format=%s').includes('a person was here')) return;
    writeFileSync(join(one.root, path), 'mine\n');
    one.git('add', path);
    one.git('commit', '-q', '-m', 'a person was here');
  };

export const QUICK: readonly QuickScenario[] = [
  { name: 'one lands', script: [[HONEST]], reason: 'nothing-left' },
  { name: 'one lands after proofs', files: SHOP, script: [[HONEST]], reason: 'nothing-left' },
  { name: 'two land', files: two(), script: [[HONEST], [LEAVES]], reason: 'nothing-left' },
  { name: 'one lands that another waits for', files: two('', { depends_on: [1] }, { depends_on: [2] }), script: [[HONEST], [LEAVES]], reason: 'nothing-left' },
  { name: 'a lie, mended in the same session', script: [[LIE, HONEST]], reason: 'nothing-left' },
  { name: 'a lie, rolled back, then work', files: shop(NO_FIX), script: [[LIE], [HONEST]], reason: 'nothing-left' },
  { name: 'two lies, rolled back, then work', files: shop('verification: { fix_turns: 1 }\n'), script: [[LIE, LIE], [LIE, LIE], [HONEST]], reason: 'nothing-left' },
  { name: 'another claimed', files: two(NO_FIX), script: [[{ ...HONEST, claim: ['3'] }], [HONEST], [LEAVES]], reason: 'nothing-left' },
  { name: 'two claimed at once', files: two(NO_FIX), script: [[{ ...HONEST, claim: ['2', '3'] }], [HONEST], [LEAVES]], reason: 'nothing-left' },
  { name: 'an older feature broken', files: breaking, script: [[BREAKS], [HONEST]], reason: 'nothing-left' },
  { name: 'state files overwritten', script: [[{ ...HONEST, write: { '.harness/session_state.json': '{ "sch', '.harness/costs.yaml': 'x' } }], [HONEST]], reason: 'nothing-left' },
  { name: 'configuration overwritten', script: [[{ ...HONEST, write: { '.harness.yaml': 'playbook: none\n' } }], [HONEST]], reason: 'nothing-left' },
  { name: 'work the agent committed itself', script: [[{ ...HONEST, commits: true }]], reason: 'nothing-left' },
  { name: 'a lie the agent committed itself', files: shop(NO_FIX), script: [[{ ...LIE, commits: true }], [HONEST]], reason: 'nothing-left' },
  { name: 'nothing claimed, then gone on with', script: [[HALF], [HONEST]], reason: 'nothing-left' },
  { name: 'the context full', script: [[{ ...HALF, fail: ['agent-context-full'] }], [HONEST]], reason: 'nothing-left' },
  { name: 'the context nearly full, a note left', script: [[cut('end-turn', { wrapUp: 'context-limit' })], [HONEST]], reason: 'nothing-left' },
  { name: 'ended at the context limit', script: [[cut('context-limit')], [HONEST]], reason: 'nothing-left' },
  { name: 'the wall clock', script: [[cut('wall-limit')], [HONEST]], reason: 'nothing-left' },
  { name: 'silence, twice', script: [[cut('idle-limit'), cut('idle-limit')], [HONEST]], reason: 'nothing-left' },
  { name: 'stuck, saved, gone on with', script: [[cut('stuck', { wrapUp: 'stuck' })], [HONEST]], reason: 'nothing-left' },
  { name: 'a flood of words', script: [[cut('output-limit')], [HONEST]], reason: 'nothing-left' },
  { name: 'refused for a moment', script: [[{ ...HALF, fail: ['agent-rate-limited', { retryAfterMs: 20_000 }] }, HONEST]], reason: 'nothing-left' },
  { name: 'refused for an hour: a rest', script: [[{ ...HALF, fail: ['agent-rate-limited', { retryAfterMs: 3_600_000 }] }], [HONEST]], reason: 'nothing-left' },
  { name: 'refused for an hour: another stands in', files: withStandIn, script: [[{ ...HALF, fail: ['agent-rate-limited', { retryAfterMs: 3_600_000 }] }], [HONEST]], reason: 'nothing-left' },
  { name: 'overload until it rests', script: [[{ ...HALF, fail: ['agent-overloaded'] }], [HONEST]], reason: 'nothing-left' },
  { name: 'a network outage', script: [[{ fail: ['agent-network'] }, HONEST]], reason: 'nothing-left' },
  { name: 'crashes, rolled back', script: [[{ ...HALF, fail: ['agent-crashed'] }], [HONEST]], reason: 'nothing-left' },
  { name: 'a session that is lost', script: [[{ ...HALF, fail: ['agent-session-lost'] }, HONEST]], reason: 'nothing-left' },
  { name: 'a key that does not work', script: [[{ fail: ['agent-auth'] }]], reason: 'agent-auth' },
  { name: 'a budget used up, raised', files: shop('costs: { per_session_usd: 1 }\n'), script: [[cut('budget-limit', { usd: 2 })], [HONEST]], answers: ['increase'], reason: 'nothing-left' },
  { name: 'a budget used up, paused', files: shop('costs: { per_session_usd: 1 }\n'), script: [[cut('budget-limit', { usd: 2 })]], answers: ['pause'], reason: 'budget-exhausted' },
  { name: 'the budget of the project used up before a session', files: shop('costs: { total_project_usd: 1 }\n'), script: [[{ ...HALF, usd: 2 }], [HONEST]], answers: ['increase'], reason: 'nothing-left' },
  { name: 'stuck, skipped', files: shop(STUCK), script: [[LIE]], answers: ['skip'], reason: 'nothing-left' },
  { name: 'stuck, tried again', files: shop(STUCK), script: [[LIE], [HONEST]], answers: ['retry'], reason: 'nothing-left' },
  { name: 'stuck, a person takes over', files: shop(STUCK), script: [[LIE]], answers: ['manual'], reason: 'decided-manual' },
  { name: 'stuck, ended', files: shop(STUCK), script: [[LIE]], answers: ['abort'], reason: 'decided-abort' },
  { name: 'stuck for unfinished work, to be split', files: shop(STUCK), script: [[HALF]], answers: ['split'], reason: 'decided-split' },
  { name: 'stuck, skipped by a policy', files: shop(STUCK + policy('repeated-failures', 'skip')), script: [[LIE]], reason: 'nothing-left' },
  { name: 'stuck, skipped, and its unfinished work taken back', files: halfBreaking, script: [[BREAKING], [BREAKING], [LEAVES]], answers: ['skip'], reason: 'nothing-left' },
  { name: 'looked at, verified', files: hybrid('hybrid'), script: [[HONEST]], answers: ['verified'], reason: 'nothing-left' },
  { name: 'looked at, verified, while a person commits beside it', files: hybrid('hybrid'), script: [[HONEST]], meanwhile: byHand('mine.txt'), answers: ['verified'], reason: 'nothing-left' },
  { name: 'looked at, verified, while a person commits the same lines', files: hybrid('hybrid'), script: [[HONEST], [HONEST]], meanwhile: byHand('shop.txt'), answers: ['verified', 'verified'], reason: 'nothing-left' },
  { name: 'looked at, failed, while a person commits beside it', files: hybrid('hybrid'), script: [[HONEST]], meanwhile: byHand('mine.txt'), answers: ['failed', 'verified'], reason: 'nothing-left' },
  { name: 'looked at, failed', files: hybrid('hybrid'), script: [[HONEST]], answers: ['failed', 'verified'], reason: 'nothing-left' },
  { name: 'looked at while another lands, verified', files: apart(), script: [[HONEST], [APART]], answers: ['verified'], reason: 'nothing-left' },
  { name: 'looked at while another lands, failed', files: apart(), script: [[HONEST], [APART], [HONEST]], answers: ['failed', 'verified'], reason: 'nothing-left' },
  { name: 'looked at while another changes the same lines', files: two('', LOOKED_AT), script: [[HONEST], [LEAVES], [HONEST]], answers: ['verified', 'verified'], reason: 'nothing-left' },
  { name: 'looked at while another lands, skipped through the inbox', files: apart(), script: [[HONEST], [APART]], meanwhile: asked('2', { type: 'skipped', reason: 'not now', unblock: false, at: AT }), answers: ['verified'], reason: 'nothing-left' },
  { name: 'stuck while another lands, tried again', files: apart(STUCK, {}), script: [[LIE], [HONEST], [APART]], answers: ['retry'], reason: 'nothing-left' },
  { name: 'looked at, left out', files: hybrid('manual'), script: [[HONEST]], answers: ['skip'], reason: 'nothing-left' },
  { name: 'too large, to be split', files: large, script: [[HONEST]], answers: ['split'], reason: 'decided-split' },
  { name: 'too large, done all the same', files: large, script: [[HONEST]], answers: ['proceed'], reason: 'nothing-left' },
  { name: 'too large, left out', files: large, script: [[HONEST]], answers: ['skip'], reason: 'nothing-left' },
  { name: 'does not hold, a person continues', files: shop(NO_FIX + policy('verification-failed', 'wait')), script: [[LIE]], answers: ['manual-verify'], reason: 'decided-manual' },
  { name: 'does not hold, left out', files: shop(NO_FIX + policy('verification-failed', 'wait')), script: [[LIE]], answers: ['skip'], reason: 'nothing-left' },
  { name: 'does not hold, tried again by a policy', files: shop(NO_FIX + policy('verification-failed', 'retry')), script: [[LIE], [HONEST]], reason: 'nothing-left' },
  { name: 'a regression, rolled back by a person', files: { ...breaking, '.harness.yaml': configured(NO_FIX + policy('regression', 'wait')) }, script: [[BREAKS], [HONEST]], answers: ['rollback'], reason: 'nothing-left' },
  { name: 'skipped through the inbox', files: two(), script: [[HONEST]], before: asked('3', { type: 'skipped', reason: 'not now', unblock: false, at: AT }), reason: 'nothing-left' },
  { name: 'overridden through the inbox', files: two(), script: [[HONEST]], before: asked('3', { type: 'overridden', passes: true, reason: 'I looked', by: 'Ada', at: AT }), reason: 'nothing-left' },
  { name: 'one session only', files: two(), script: [[HONEST], [LEAVES]], mode: { maxSessions: 1 }, reason: 'max-sessions' },
  { name: 'one item only', files: two(), script: [[HONEST], [LEAVES]], mode: { maxItems: 1 }, reason: 'max-items' },
  { name: 'a person’s work put aside', files: shop('dirty_tree: stash\n'), script: [[HONEST]], before: (one) => writeFileSync(join(one.root, 'idea.txt'), 'mine\n'), reason: 'nothing-left' },
  { name: 'a person’s work in the way', script: [[HONEST]], before: (one) => writeFileSync(join(one.root, 'idea.txt'), 'mine\n'), reason: 'dirty-tree' },
  { name: 'a push that is refused', script: [[HONEST]], before: (one) => writeFileSync(join(one.top, 'remote.git', 'refs', 'heads.lock'), ''), reason: 'nothing-left' },
  { name: 'a hand marked it as done, and it is not', files: shop('', open, pay({ passes: true })), script: [[HONEST]], answers: ['reset'], reason: 'nothing-left' },
  { name: 'looked at in a work tree beside, verified', files: hybrid('hybrid', 'isolation: worktree\n'), script: [[HONEST]], answers: ['verified'], reason: 'nothing-left' },
  { name: 'everything landed already', files: { ...shop('', open, pay({ passes: true })), 'shop.txt': 'pay\n' }, script: [[HONEST]], reason: 'nothing-left' },
]; // prettier-ignore
