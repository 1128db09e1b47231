// What the agents of the fixture project do, and what a run is asked for: one scenario for each way a session can go.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openGates } from '../../src/gates/store.ts';
import { flagEdit } from '../../src/engine/list-edits.ts';
import { realIo } from '../../src/host/io.ts';
import { post } from '../../src/app/list/inbox.ts';
import { cleaningUp, initialising, settingUp, working, type ProcessRun } from './process-runs.ts';
import { backlog, configured, EMPTY_SHOP, feature, SET_UP, SHOP, type FixtureProject } from './fixture-project.ts';

export type Scenario = {
  readonly name: string;
  readonly files: { readonly [path: string]: string };
  readonly script: string;
  readonly run: ProcessRun;
  /** What people did before the first run. */
  readonly before?: (shop: FixtureProject) => void;
  /** Why the last run ends. */
  readonly reason: string;
  /** Points outside are those of another scenario: of the calls of an undisturbed run, the first and the one after the last. */
  readonly from?: (call: string) => boolean;
  readonly until?: (call: string) => boolean;
  /** The harness has seen at most so many events of a turn when it crashes in it; left out: any number. */
  readonly mostEvents?: number;
};

export type Step = string | { readonly [name: string]: unknown };
/** Each turn says first that it is played, where no checkpoint can undo it. */
export const session = (when: object, ...turns: readonly (readonly Step[])[]): object => ({
  when,
  turns: turns.map((steps) => [{ append: { path: '../played.txt', text: '.' } }, ...steps]),
});
// JSON is YAML too.
export const script = (...sessions: readonly object[]): string => JSON.stringify({ schema: 1, sessions });

const PAY = { append: { path: 'shop.txt', text: 'pay\n' } };
export const USED = { usage: { input: 1_000, output: 100, cached: 10, cost_usd: 0.01 } };
export const HONEST: readonly Step[] = [PAY, { claim: 2 }, USED, { say: 'The shop takes money.' }];

export const lands: Scenario = {
  name: 'a feature that lands',
  files: SHOP,
  script: script(session({ item: 2 }, HONEST)),
  run: working,
  reason: 'nothing-left',
};

/** Somebody pushed meanwhile: both are merged, proved together and pushed. */
export const catchesUp: Scenario = {
  name: 'a feature that lands beside a remote that moved on',
  files: SHOP,
  script: script(session({ item: 2 }, HONEST)),
  run: working,
  before: (shop) => {
    shop.git('push', '-q', 'origin', 'main');
    shop.git('clone', '-q', '-b', 'main', '../remote.git', '../theirs');
    writeFileSync(join(shop.top, 'theirs', 'shelf.txt'), 'a shelf\n');
    shop.git('-C', '../theirs', 'add', '-A');
    const bob = ['-c', 'user.name=Bob', '-c', 'user.email=bob@example.org'];
    shop.git('-C', '../theirs', ...bob, 'commit', '-q', '-m', 'a shelf');
    shop.git('-C', '../theirs', 'push', '-q', 'origin', 'main');
  },
  from: (call) => call.includes('effect git push'),
  reason: 'nothing-left',
};

const GARBAGE = '{ "schema_version": 3, "last_sess';
const WEAK = configured().replace('sh {test_file}', "printf 'TAP version 13\\nok 1 - pay\\n1..1\\n'");

/** First a false claim, fixed by cheating; then good work with cheating on top; then an honest session. */
export const lies: Scenario = {
  name: 'two sessions that lie and one that lands',
  files: { ...SHOP, '.harness.yaml': configured('verification: { fix_turns: 1 }\n') },
  script: script(
    session(
      { item: 2, attempt: 1 },
      [{ write: { path: 'junk.txt', text: 'junk\n' } }, { claim: 2 }, USED, { say: 'Done.' }],
      [
        { write: { path: '.harness.yaml', text: WEAK } },
        { write: { path: '.harness/session_state.json', text: GARBAGE } },
        { claim: 2 },
        USED,
        { say: 'Now it is.' },
      ],
    ),
    session({ item: 2, attempt: 2 }, [
      PAY,
      { claim: 2 },
      { replace: { path: '.harness/session_state.json', find: '"stuck_count": 1', with: '"stuck_count": 0' } },
      { write: { path: '.harness/costs.yaml', text: 'nothing: was spent\n' } },
      USED,
      { say: 'Cheap, too.' },
    ]),
    session({ item: 2, attempt: '3+' }, HONEST),
  ),
  run: working,
  reason: 'nothing-left',
  until: (call) => call.endsWith('/sessions/3.json'),
};

export const HALF = { append: { path: 'shop.txt', text: 'half\n' } };
/** Careless: it must not outlive the session, whichever process dies first. */
const LEAVES = { run: { command: 'sleep 300', background: true } };

/** The context is full in the middle of the work; the next session continues it. */
export const isCut: Scenario = {
  name: 'a session that is cut, saved and continued',
  files: SHOP,
  script: script(
    session({ item: 2, role: 'coding' }, [LEAVES, HALF, USED, { fail: 'context-full' }]),
    session({ item: 2, role: 'continuation' }, HONEST),
  ),
  run: working,
  reason: 'nothing-left',
  from: (call) => call.includes('agent turn'),
  until: (call) => call.endsWith('/sessions/2.json'),
};

/** It hangs, is stopped by the clock, saved and continued. Slow, so few points of it are tried. */
export const hangs: Scenario = {
  ...isCut,
  name: 'a session that hangs, is stopped, saved and continued',
  files: { ...SHOP, '.harness.yaml': configured('session: { idle_seconds: 3 }\n') },
  script: script(
    session({ item: 2, role: 'coding' }, [HALF, USED, 'hang']),
    session({ item: 2, role: 'continuation' }, HONEST),
  ),
};

export const sessionZero: Scenario = {
  name: 'session 0',
  files: EMPTY_SHOP,
  script: script(
    session(
      { role: 'initializer' },
      [{ write: { path: 'features.json', text: '[]' } }, USED, { say: 'Set up.' }],
      [
        { write: { path: 'features.json', text: SET_UP.features } },
        { write: { path: 'init.sh', text: SET_UP.script, executable: true } },
        { write: { path: 'reset.sh', text: SET_UP.script, executable: true } },
        { write: { path: 'tests/open.sh', text: SET_UP.tests.open, executable: true } },
        { write: { path: 'tests/pay.sh', text: SET_UP.tests.pay, executable: true } },
        USED,
        { say: 'Set up as asked.' },
      ],
    ),
  ),
  run: initialising,
  reason: 'initialised',
};

/** Nothing that holds ever comes of it: it is undone as a whole. */
export const sessionZeroRefused: Scenario = {
  ...sessionZero,
  name: 'session 0 that is refused',
  script: script(
    session(
      { role: 'initializer' },
      [{ write: { path: 'features.json', text: '[]' } }],
      [{ say: 'It is fine as it is.' }],
    ),
  ),
  reason: 'init-rejected',
  from: (call) => call.includes('findings.json'),
  // What is refused is over when its journal goes: asked again, it is another session 0.
  until: (call) => call.startsWith('remove') && call.includes('/procedures/'),
};

export const byHand: Scenario = {
  name: 'a frame without an agent',
  files: { 'all.sh': EMPTY_SHOP['all.sh'] ?? '' },
  script: lands.script,
  run: settingUp,
  reason: 'initialised',
};

/** The work of a person lies about: it goes into the stash, and stays there. */
export const puts: Scenario = {
  name: "a person's work that is put aside",
  files: { ...SHOP, '.harness.yaml': configured('dirty_tree: stash\n') },
  script: lands.script,
  run: working,
  before: (shop) => {
    writeFileSync(join(shop.root, 'shop.txt'), 'open\nmine\n');
    writeFileSync(join(shop.root, 'idea.txt'), 'mine\n');
  },
  reason: 'nothing-left',
  until: (call) => call.includes('effect check'),
};

/** It breaks what held before: rolled back at once, and whose it is looked up. */
export const breaks: Scenario = {
  name: 'a session that breaks an older feature',
  files: { ...SHOP, 'tests/open.sh': SET_UP.tests.open },
  script: script(
    session({ item: 2, attempt: 1 }, [{ write: { path: 'shop.txt', text: 'pay\n' } }, { claim: 2 }, USED]),
    session({ item: 2, attempt: '2+' }, HONEST),
  ),
  run: working,
  reason: 'nothing-left',
  from: (call) => call.includes('findings.json'),
  until: (call) => call.endsWith('/sessions/2.json'),
};

/** The same in every run, so that runs can be compared. */
const ANSWERED_AT = { now: () => 4_070_908_800_000, iso: () => '2099-01-01T00:00:00.000Z' };

/** A person answers the question of a run that waits. */
const answered =
  (option: string): ProcessRun =>
  async (shop, io, watcher) => {
    const ended = await working(shop, io, watcher);
    if (!ended.ok || ended.value.reason !== 'gate') return ended;
    const gates = openGates({ dir: join(shop.privateDir, 'gates'), io: realIo(), clock: ANSWERED_AT });
    const open = gates.list({ open: true });
    if (!open.ok || open.value.length !== 1) throw new Error(`one question was expected: ${JSON.stringify(open)}`);
    await gates.answer(open.value[0]?.gate.id ?? '', { option, note: 'not now', by: 'Ada' });
    return working(shop, io, watcher);
  };

export const isStuck: Scenario = {
  name: 'a feature that is stuck and skipped by a person',
  files: {
    ...SHOP,
    '.harness.yaml': configured('verification: { fix_turns: 0 }\nfeatures: { max_stuck_sessions: 1 }\n'),
  },
  script: script(session({ item: 2 }, [{ claim: 2 }, USED, { say: 'Done.' }])),
  run: answered('skip'),
  reason: 'nothing-left',
  from: (call) => call.includes('/gates/'),
};

const LOOKED_AT = backlog(
  feature(1, 'open', { passes: true }),
  feature(2, 'pay', { depends_on: [1], passes: false, verification_type: 'hybrid', manual_checks: ['It feels right'] }),
);
const SHOT = { write: { path: '.harness/screenshots/pay.png', text: 'a picture' } };

/** A person looks at the work and says that it holds. */
export const isLookedAt: Scenario = {
  name: 'work that a person looks at and accepts',
  files: { ...SHOP, 'features.json': LOOKED_AT },
  script: script(session({ item: 2 }, [SHOT, ...HONEST])),
  run: answered('verified'),
  reason: 'nothing-left',
  from: (call) => call.includes('findings.json'),
};

/** A person looks at the work and leaves the item out: the work is kept aside. */
export const isLeftOut: Scenario = {
  ...isLookedAt,
  name: 'work that a person looks at and leaves out',
  run: answered('skip'),
  from: (call) => call.includes('/gates/'),
};

/** Somebody asked for a change of the backlog before the run. */
export const isAsked: Scenario = {
  name: 'a change that was asked for',
  files: {
    ...SHOP,
    'features.json': backlog(
      feature(1, 'open', { passes: true }),
      feature(2, 'pay', { depends_on: [1], passes: false }),
      feature(3, 'leave', { depends_on: [1], passes: false }),
    ),
  },
  script: lands.script,
  run: working,
  before: (shop) => {
    const change = { type: 'skipped', reason: 'not now', unblock: false, at: '2099-01-01T00:00:00.000Z' } as const;
    post(shop.privateDir, realIo(), 1, {
      type: 'change',
      item: '3',
      subject: 'chore(harness): #3 is skipped',
      edit: flagEdit('features.json', '3', change),
    });
  },
  reason: 'nothing-left',
  until: (call) => call.includes('/items/'),
};

export const refused = (seconds: number): Step => ({ fail: { kind: 'rate-limited', retry_after_seconds: seconds } });

/** Its provider refuses a request in the middle of the work: waited for, then the same session continues. */
export const isRefused: Scenario = {
  name: 'a session whose provider refuses a request',
  files: SHOP,
  script: script(session({ item: 2 }, [HALF, USED, refused(20)], HONEST)),
  run: working,
  reason: 'nothing-left',
  from: (call) => call.includes('agent turn'),
  until: (call) => call.includes('findings.json'),
};

/** Its provider is gone for an hour: the work is saved, the run rests, and the next session continues. */
export const rests: Scenario = {
  name: 'a run that rests until its provider is back',
  files: SHOP,
  script: script(
    session({ item: 2, role: 'coding' }, [HALF, USED, refused(3_600)]),
    session({ item: 2, role: 'continuation' }, HONEST),
  ),
  run: working,
  reason: 'nothing-left',
  from: (call) => call.includes('agent turn'),
  until: (call) => call.endsWith('/sessions/2.json'),
};

/** One outage after another, of different kinds: each has tries of its own. */
export const isUnlucky: Scenario = {
  name: 'a session with two outages',
  files: SHOP,
  script: script(session({ item: 2 }, [HALF, USED, { say: 'Half.' }, refused(1)], [{ fail: 'network' }], HONEST)),
  run: working,
  reason: 'nothing-left',
  from: (call) => call.includes('agent turn'),
  until: (call) => call.includes('findings.json'),
};

const DEAR = { usage: { input: 1_000, output: 100, cost_usd: 2 } };
/** A budget is used up in the middle of a session; a person allows as much again. */
export const isDear: Scenario = {
  name: 'a session that uses up its budget, raised by a person',
  files: { ...SHOP, '.harness.yaml': configured('costs: { per_session_usd: 1 }\n') },
  script: script(
    session({ item: 2, role: 'coding' }, [HALF, { pause: 0.3 }, DEAR, 'hang']),
    session({ item: 2, role: 'continuation' }, HONEST),
  ),
  run: answered('increase'),
  reason: 'nothing-left',
  from: (call) => call.includes('agent turn'),
  until: (call) => call.endsWith('/sessions/2.json'),
  // What a turn cost counts though a crash cut it: once the price is known, the turn that is run again ends before it has done anything.
  // The pause keeps the price from being read together with what comes before it.
  mostEvents: 2,
};

const FULL = { usage: { input: 185_000 } };
/** The context is nearly full: cut to be notified, the agent leaves a note, and the next session continues. */
export const wrapsUp: Scenario = {
  name: 'a session that is told to wrap up',
  files: SHOP,
  script: script(
    session(
      { item: 2, role: 'coding' },
      [HALF, FULL, 'hang'],
      [{ append: { path: 'claude-progress.txt', text: 'half is done\n' } }],
    ),
    session({ item: 2, role: 'continuation' }, HONEST),
  ),
  run: working,
  reason: 'nothing-left',
  from: (call) => call.includes('agent turn'),
  until: (call) => call.endsWith('/sessions/2.json'),
};

/** A cleanup session, on demand. */
export const cleansUp: Scenario = {
  name: 'a cleanup session',
  files: SHOP,
  script: script(session({ role: 'cleanup' }, [{ append: { path: 'shop.txt', text: 'tidy\n' } }, USED])),
  run: cleaningUp,
  reason: 'verified',
  // After that the run has ended, and the same command is another session.
  until: (call) => call.endsWith('/reports.jsonl'),
};
