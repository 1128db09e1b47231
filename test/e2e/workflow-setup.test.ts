// `harness workflow` before its machine runs, called as a person or a script calls it: what it refuses, asks, deletes and leaves alone.
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openGates } from '../../src/gates/store.ts';
import { realIo } from '../../src/host/io.ts';
import { askedAs } from '../../src/model/gate.ts';
import { GATE_SUBJECTS } from '../../src/playbooks/workflow/table/gates.ts';
import { sampleOf } from '../support/effort.ts';
import { stateIn, v1In } from '../support/workflow.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { expectExit } from './workshop.ts';

const NOT_A_WORKFLOWS = [
  '.harness.yaml',
  'features.json',
  'claude-progress.txt',
  'init.sh',
  'reset.sh',
  'tests/open.test.mjs',
  'tests/cart.test.mjs',
  'tests/pay.test.mjs',
];
const shop = (state: object | string | null = null, files: { readonly [path: string]: string } = {}): Repo => {
  const repo = makeRepo(
    { 'README.md': 'A shop\n', ...files },
    NOT_A_WORKFLOWS.filter((path) => !(path in files)),
  );
  if (state !== null) repo.write('.harness/state.json', typeof state === 'string' ? state : JSON.stringify(state));
  return repo;
};
/** All that a workflow could have changed. */
const pictureOf = (repo: Repo): readonly unknown[] => [
  repo.git('for-each-ref'),
  repo.git('branch', '--show-current'),
  repo.git('status', '--porcelain', '--untracked-files=all'),
  existsSync(join(repo.root, '.harness/state.json')) ? repo.read('.harness/state.json') : 'none',
  // The lock makes the folder, and what ignores it.
  readdirSync(repo.root).filter((name) => name !== '.harness'),
];
async function refused(repo: Repo, exit: number, ...args: string[]) {
  const before = pictureOf(repo);
  const ran = await repo.harness('workflow', ...args);
  expectExit(ran, exit);
  expect(pictureOf(repo)).toEqual(before);
  return ran;
}

describe('a call that cannot be meant', () => {
  test.each<[string, readonly string[], string]>([
    ['no task and no session', [], 'a new workflow wants a task'],
    ['a step that is none', ['plam', 'Fix it'], "'plam' is no step"],
    ['a mode that is none', ['Fix it', '--mode', 'duo'], '--mode wants one of single, standard, multi'],
    ['models that are none', ['Fix it', '--model-config', 'cheap'], 'allowed: default, all-opus, balanced, economy'],
    [
      'a verifier that is none',
      ['Fix it', '--verifier-model', 'gpt'],
      '--verifier-model wants one of haiku, sonnet, opus',
    ],
    ['an answer that is none', ['--on-session', 'yes'], '--on-session wants one of resume, restart, stop'],
    ['a number that is none', ['Fix it', '--max-rounds', 'many'], '--max-rounds wants a whole number'],
    ['a scope that leads out', ['Fix it', '--scope', '../**'], '--scope wants patterns of paths inside'],
    ['a flag that is none', ['Fix it', '--modes', 'multi'], "unknown option '--modes'"],
  ])('%s is refused, and nothing has changed', async (_, args, what) => {
    const ran = await refused(shop(), 2, ...args);
    expect(ran.stderr).toContain(what);
  });

  test('a repository that is configured for something else is left alone', async () => {
    const ran = await refused(shop(null, { '.harness.yaml': 'playbook: tasks\n' }), 2, 'Fix it');
    expect(ran.stderr).toContain('.harness.yaml says playbook: tasks');
    expect(ran.stderr).toContain('playbook: workflow');
  });
});

test('a list of another playbook, that every later command would take up instead, is in its way until a configuration says so', async () => {
  const repo = shop(null, { 'harness-tasks.json': '{}' });
  const ran = await refused(repo, 2, 'Fix it');
  expect(ran.stderr).toContain('harness-tasks.json is here');
  expect(ran.stderr).toContain('→ playbook: workflow   (in .harness.yaml)');
});

// The rows of the specification of the path validator, and paths that read like them.
const REFUSED_FOLDERS = [
  ['', 'path-empty'],
  ['\\\\server\\share', 'path-unc'],
  ['//server/share', 'path-unc'],
  ['/etc', 'path-absolute'],
  ['C:/out', 'path-drive'],
  ['c:\\out', 'path-drive'],
  ['..', 'path-parent'],
  ['../out', 'path-parent'],
  ['out/../../x', 'path-parent'],
  ['out\\..\\x', 'path-parent'],
  ['memory', 'path-reserved'],
  ['spec/', 'path-reserved'],
  ['planner/out', 'path-reserved'],
  ['generator', 'path-reserved'],
  ['evaluator', 'path-reserved'],
  ['verify', 'path-reserved'],
  ['harness', 'path-reserved'],
  ['.harness/out', 'path-reserved'],
  ['.HARNESS/out', 'path-reserved'],
  ['docs', 'path-other-docs'],
  ['docs/notes', 'path-other-docs'],
  ['docs/harness2', 'path-other-docs'],
  ['.git/hooks', 'path-git-folder'],
  ['~/out', 'path-home'],
  ['-rf', 'path-option'],
  ['out/%2e%2e/x', 'path-encoded'],
  ['out/a\nb', 'path-control'],
  ['out*', 'path-wildcard'],
  ['con', 'path-device'],
  ['link', 'path-link-out'],
  ['file.txt/out', 'path-below-a-file'],
] as const;

describe('a folder for documents that is not to be trusted', () => {
  test('is refused with the rule that refuses it, and nothing has changed', async () => {
    const repo = shop(null, { 'file.txt': 'x' });
    symlinkSync('/tmp', join(repo.root, 'link'));
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'link');
    // Every rule is held to its table in path-rules.test.ts; here a few of them, and all in CI.
    for (const [folder, rule] of sampleOf(REFUSED_FOLDERS, 6)) {
      const ran = await refused(repo, 2, 'Fix the login', `--output-dir=${folder}`, '--json');
      const { code, message } = ran.json()['error'] as Said;
      expect([folder, code, message], rule).toEqual([
        folder,
        'output-dir-refused',
        expect.stringContaining(WORDS(rule)),
      ]);
    }
  });
  type Said = { readonly code: string; readonly message: string };
  /** Each rule has words of its own. */
  const WORDS = (rule: string): string =>
    (
      {
        'path-empty': 'it is empty',
        'path-unc': 'network shares',
        'path-absolute': 'must be relative',
        'path-drive': 'without a drive',
        'path-parent': "must not contain '..'",
        'path-reserved': 'reserved name',
        'path-other-docs': 'docs/harness/',
        'path-git-folder': "git's own folder",
        'path-home': 'home folder',
        'path-option': 'an option',
        'path-encoded': 'percent signs',
        'path-control': 'control characters',
        'path-wildcard': 'shells expand',
        'path-device': 'a device',
        'path-link-out': 'leads out of the repository',
        'path-below-a-file': 'not a folder',
      } as { readonly [rule: string]: string }
    )[rule] ?? rule;
});

describe('a step without what it needs', () => {
  test.each<[string, readonly string[], object | null, string, string]>([
    ['there is no session', ['verify'], null, 'needs generate first', 'harness workflow generate'],
    ['the plan is not done', ['generate'], stateIn('planning'), 'needs plan first', 'harness workflow plan'],
    [
      'a file is missing',
      ['evaluate'],
      stateIn('verify_done'),
      'Missing: spec.md, changes.md',
      'harness workflow verify',
    ],
  ])('is refused with what to do first: %s', async (_, args, state, what, mend) => {
    const ran = await refused(shop(state), 5, ...args);
    expect(ran.stderr).toContain(what);
    expect(ran.stderr).toContain(`→ ${mend}`);
  });
});

describe('an existing session, where no user can be asked', () => {
  test('stops with what it is, what comes next, and the flags that answer', async () => {
    const ran = await refused(shop(stateIn('plan_done', { round: 2 })), 8);
    expect(ran.stderr).toContain(
      [
        '[harness] Previous session detected.',
        'Task    : Fix the login',
        'Mode    : standard',
        'Model   : balanced',
        'Style   : auto',
        'Phase   : Plan — complete',
        'Round   : 2 / 3',
        'Branch  : harness/fix-the-login',
        'Scope   : (no limit)',
        'Next: harness workflow generate',
      ].join('\n'),
    );
    for (const answer of ['resume', 'restart', 'stop']) expect(ran.stderr).toContain(`--on-session ${answer}`);
  });
  test('is of an older version: that is said', async () => {
    const ran = await refused(shop(v1In('gen_ready')), 8, 'Add a cart');
    expect(ran.stderr).toContain('[harness] Previous session detected (v1).');
  });
  test('is of another skill: that is said, and cancel is no failure', async () => {
    const repo = shop({ skill: 'spec' });
    const ran = await refused(repo, 8, 'Add a cart');
    expect(ran.stderr).toContain('A session of /spec is under way here');
    expect(ran.stderr).toContain('--on-conflict delete');
    const cancelled = await refused(repo, 0, 'Add a cart', '--on-conflict', 'cancel', '--json');
    expect(cancelled.json()).toMatchObject({ result: 'halted' });
  });
  test('that cannot be read is never restarted', async () => {
    const ran = await refused(shop('{ "version": "2.0", "task": 7 }'), 5, 'Add a cart');
    expect(ran.stderr).toContain('.harness/state.json');
  });
  test('goes with its own files by --on-session stop', async () => {
    const repo = shop(stateIn('generating'));
    for (const path of ['planner/x', 'generator/x', 'conventions.md', 'logs/x', 'sessions/1/x', 'costs.yaml'])
      repo.write(`.harness/${path}`, 'x');
    const ran = await repo.harness('workflow', '--on-session', 'stop', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ schema: 'harness.workflow/1', result: 'stopped' });
    expect(readdirSync(join(repo.root, '.harness')).toSorted()).toEqual([
      '.gitignore',
      'costs.yaml',
      'logs',
      'sessions',
    ]);
  });
});

describe('on a terminal', () => {
  test('a session is asked about: what is no option is asked again, an empty line changes nothing', async () => {
    const repo = shop(stateIn('plan_done'));
    const before = pictureOf(repo);
    const left = await repo.onTerminal(['perhaps', ''], 'workflow');
    expect(left.code, left.screen).toBe(8);
    expect(left.screen).toContain('Resume it, restart, or stop? (resume, restart, stop)');
    expect(left.screen).toContain('continue from here: Plan — complete');
    expect(left.screen).toContain('No such option: perhaps.');
    expect(pictureOf(repo)).toEqual(before);
    const stopped = await repo.onTerminal(['stop'], 'workflow');
    expect(stopped.code, stopped.screen).toBe(0);
    expect(existsSync(join(repo.root, '.harness/state.json'))).toBe(false);
  });
  test('another skill’s is asked about', async () => {
    const repo = shop({ skill: 'spec' });
    const cancelled = await repo.onTerminal(['cancel'], 'workflow', 'Add a cart');
    expect(cancelled.code, cancelled.screen).toBe(0);
    expect(cancelled.screen).toContain('A session of /spec is under way here. Delete it and start a workflow?');
    expect(repo.read('.harness/state.json')).toBe('{"skill":"spec"}');
  });
});

describe('where work is not committed', () => {
  test('nothing is begun, also with dirty_tree: stash: the words are the usual ones', async () => {
    const repo = shop(null, { '.harness.yaml': 'dirty_tree: stash\n' });
    repo.write('mine.txt', 'x');
    const ran = await refused(repo, 5, 'Fix the login');
    expect(ran.stderr).toContain('uncommitted file, so nothing was started');
    expect(ran.stderr).toContain('mine.txt');
  });
});

describe('the language of a workflow', () => {
  async function asking(lang: string): Promise<Repo> {
    const repo = shop(stateIn('plan_done', { user_lang: lang }));
    mkdirSync(repo.privateDir, { recursive: true });
    const clock = { now: () => 0, iso: () => '2026-01-02T03:04:05.000Z' };
    const gates = openGates({ dir: join(repo.privateDir, 'gates'), io: realIo(), clock });
    const { 'workflow-spec': spec } = GATE_SUBJECTS;
    if (spec === undefined) throw new Error('there is no such question');
    await gates.ask(
      {
        gate: 'question',
        ...askedAs('workflow-spec', spec),
        item: null,
        params: { file: 'docs/harness/fix-the-login/spec.md' },
        evidence: [],
      },
      { key: 'spec', epoch: 1 },
    );
    return repo;
  }
  test('is that of its questions and its status, until it changes; --lang overrides it', async () => {
    const repo = await asking('de');
    expect((await repo.harness('gates')).stdout).toContain('So umsetzen?');
    expect((await repo.harness('workflow')).stderr).toMatch(/Phase +: Plan — fertig/);
    expect((await repo.harness('--lang', 'en', 'gates')).stdout).toContain('Build this?');
    repo.write('.harness/state.json', JSON.stringify(stateIn('plan_done', { user_lang: 'en' })));
    expect((await repo.harness('gates')).stdout).toContain('Build this?');
  });
  test('that has no sentences here is English', async () => {
    const repo = await asking('ja');
    expect((await repo.harness('gates')).stdout).toContain('Build this?');
  });
});
