// What the harness, a check and an agent see of the user's environment.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { agentEnvironment, checkEnvironment, openNames, readEnvironment } from './environment.ts';

const root = mkdtempSync(join(tmpdir(), 'environment-'));
afterAll(() => rmSync(root, { recursive: true }));
const token = ['gh', 'p_', 'a1B2'.repeat(9)].join('');

describe('what the harness reads', () => {
  test('the state of a user is where their system keeps such files', () => {
    const homes = (env: { [name: string]: string }) => readEnvironment(env).stateHome;
    expect(homes({ HOME: '/home/a' })).toBe('/home/a/.local/state');
    expect(homes({ HOME: '/home/a', XDG_STATE_HOME: '/s' })).toBe('/s');
    expect(homes({ HOME: '/home/a', XDG_STATE_HOME: 'relative' })).toBe('/home/a/.local/state');
    const agents = (env: { [name: string]: string }) => readEnvironment(env).agentsDir;
    expect(agents({ HOME: '/home/a' })).toBe('/home/a/.local/share/harness/agents');
    expect(agents({ HOME: '/home/a', XDG_DATA_HOME: '/d' })).toBe('/d/harness/agents');
    expect(agents({ HOME: '/home/a', HARNESS_AGENTS_DIR: '/mine' })).toBe('/mine');
    expect(homes({})).toBeNull();
  });

  test('an empty variable counts as not set', () => {
    const silent = {
      repo: null,
      lang: null,
      locale: null,
      noColor: false,
      forceColor: false,
      ci: false,
      term: null,
      path: '',
      home: null,
      stateHome: null,
      agentsDir: null,
    };
    expect(readEnvironment({})).toEqual(silent);
    expect(readEnvironment({ HARNESS_REPO: '', NO_COLOR: '', CI: '', LC_ALL: '', TERM: '' })).toEqual(silent);
  });

  test('the first of several names takes precedence', () => {
    expect(readEnvironment({ HARNESS_REPO: 'a', HARNESS_TARGET_REPO: 'b' }).repo).toBe('a');
    expect(readEnvironment({ HARNESS_TARGET_REPO: 'b' }).repo).toBe('b');
    expect(readEnvironment({ LC_ALL: 'C', LC_MESSAGES: 'de_DE', LANG: 'en_US' }).locale).toBe('C');
    expect(readEnvironment({ LC_MESSAGES: 'de_DE', LANG: 'en_US' }).locale).toBe('de_DE');
  });

  test.each([
    [
      { CI: 'true', NO_COLOR: '0', FORCE_COLOR: '1' },
      { ci: true, noColor: true, forceColor: true },
    ],
    [
      { CI: 'false', FORCE_COLOR: '0' },
      { ci: false, noColor: false, forceColor: false },
    ],
  ])('%j', (env, said) => {
    expect(readEnvironment(env)).toMatchObject(said);
  });

  test('without an argument it is this process that is read', () => {
    expect(readEnvironment().path).toBe(process.env['PATH']);
  });
});

describe('what a check gets', () => {
  const check = (env: { [name: string]: string }, extra = {}) => checkEnvironment(extra, env, root);

  test('the basic variables, whatever is missing', () => {
    const basic = { LANG: 'C.UTF-8', TMPDIR: '/tmp', CI: '1', NO_COLOR: '1', TERM: 'dumb' };
    expect(check({})).toEqual({ ...basic, npm_config_fetch_retries: '0' });
  });

  test('the user’s own locale and tools', () => {
    const env = { HOME: '/home/p', LANG: 'de_DE.UTF-8', PATH: '/usr/bin', JAVA_HOME: '/opt/java', GOPATH: '/go' };
    expect(check(env)).toMatchObject(env);
  });

  test.each([
    ['a secret by name', { API_KEY: 'x', GITHUB_TOKEN: 'x', DB_PASSWORD: 'x', SENTRY_DSN: 'x' }],
    ['a secret by shape', { INNOCENT: token, HEADER: `x ${token}` }],
    ['a password for another machine', { DATABASE_URL: 'postgres://u:password@db.example.com/x' }],
    ['what speaks to the harness', { HARNESS_TOKEN: 'x', HARNESS_REPO: 'x', HARNESS_FOO: 'x' }],
    [
      'what npm run left',
      { npm_config_x: 'x', npm_lifecycle_event: 'x', NODE: '/n', INIT_CWD: '/x', NODE_OPTIONS: '-r x' },
    ],
    ['what a git hook left', { GIT_DIR: '/x', GIT_INDEX_FILE: '/x', GIT_WORK_TREE: '/x' }],
    ['what changes how a runner runs', { FORCE_COLOR: '1', PYTEST_ADDOPTS: '-x', VITEST_POOL_ID: '1' }],
  ])('not %s', (_, env) => {
    expect(Object.keys(check(env)).sort()).toEqual(Object.keys(check({})).sort());
  });

  test('a password for this machine itself, as test databases have one', () => {
    for (const DATABASE_URL of ['postgres://u:password@localhost:5432/x', 'redis://:password@127.0.0.1'])
      expect(check({ DATABASE_URL })).toMatchObject({ DATABASE_URL });
    expect(check({ DATABASE_URL: 'http://u:password@localhost.evil.example' })['DATABASE_URL']).toBe(undefined);
  });

  test('what is asked for comes last and unfiltered', () => {
    expect(check({ CI: '0', A: '1' }, { CI: 'no', TMPDIR: '/t', API_KEY: 'given' })).toMatchObject({
      CI: 'no',
      A: '1',
      TMPDIR: '/t',
      API_KEY: 'given',
    });
  });

  test('a PATH without this package’s own programs, also through a link, and without the current folder', () => {
    mkdirSync(join(root, 'elsewhere/.bin'), { recursive: true });
    symlinkSync(join(root, 'elsewhere'), join(root, 'node_modules'));
    const PATH = [
      join(root, 'node_modules/.bin'),
      '/usr/local/bin',
      join(root, 'node_modules/.bin/'),
      join(root, 'elsewhere/.bin'),
      join(root, 'node_modules/node/bin'),
      '',
      '/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin',
      '/target/node_modules/.bin',
      '/usr/bin',
    ].join(':');
    expect(check({ PATH })['PATH']).toBe('/usr/local/bin:/target/node_modules/.bin:/usr/bin');
  });
});

describe('what an agent gets', () => {
  const agent = (env: { [name: string]: string }, extra = {}) => agentEnvironment(extra, env, root);

  test('everything of the user, secrets too, but nothing of npm, git hooks and the harness', () => {
    const own = { HOME: '/h', ANTHROPIC_API_KEY: 'x', NODE_OPTIONS: '--x', FORCE_COLOR: '1', GIT_SSH_COMMAND: 'ssh' };
    const left = { npm_config_x: 'x', npm_lifecycle_event: 'run', NODE: '/n', HARNESS_TOKEN: 'x', GIT_DIR: '/x' };
    expect(agent({ ...own, ...left })).toEqual({ ok: true, value: own });
  });

  test('where provider SDKs are installed', () => {
    expect(agent({ HARNESS_PROVIDERS_DIR: '/sdk', HARNESS_REPO: '/x' })).toEqual({
      ok: true,
      value: { HARNESS_PROVIDERS_DIR: '/sdk' },
    });
  });

  test('the configured variables, with references to the user’s replaced', () => {
    const env = { MY_KEY: 'k$&{x}', HOME: '/h' };
    expect(agent(env, { KEY: '${MY_KEY}', DIR: '${HOME}/x:${HOME}/y', PLAIN: '$HOME', HOME: '/other' })).toEqual({
      ok: true,
      value: { MY_KEY: 'k$&{x}', KEY: 'k$&{x}', DIR: '/h/x:/h/y', PLAIN: '$HOME', HOME: '/other' },
    });
  });

  test('a reference to nothing is a failure that says where', () => {
    expect(agent({}, { A: 'x', KEY: 'a${MY_KEY}' })).toMatchObject({
      ok: false,
      failure: { reason: 'environment-variable-missing', params: { name: 'MY_KEY', variable: 'KEY' } },
    });
  });
});

test('the open names of an environment are those without secrets, by name and by form', () => {
  const env = {
    PATH: '/bin',
    OPENAI_API_KEY: 'x',
    PROXY: 'http://me:hunter22@far.test',
    HARNESS_TOKEN: 't',
    GONE: undefined,
  };
  expect(openNames(env)).toEqual(['PATH', 'HARNESS_TOKEN']);
});
