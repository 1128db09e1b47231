// A proof workspace is provisioned like a clean clone: installed packages and shared files come from where no agent could write them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBox } from '../host/box.ts';
import { createGit } from '../repos/git.ts';
import { treeOf } from '../repos/tree.ts';
import { configOf } from '../../test/support/config.ts';
import { quickIo } from '../../test/support/quick-io.ts';
import type { InstallContext } from './installations.ts';
import { openProofWorkspace, type ProofWorkspace } from './proof-workspaces.ts';

let top = '';
let root = '';
let events: string[] = [];
const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: '/nonexistent' };
const own = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root, env, encoding: 'utf8' });
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const commit = (): void => {
  own('add', '-A');
  own('commit', '-q', '-m', 'state');
};
const json = (value: unknown): string => JSON.stringify(value);

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'proof-workspaces-')));
  root = join(top, 'repo');
  events = [];
  mkdirSync(root);
  own('init', '-q', '-b', 'main');
  put('.gitignore', 'node_modules/\n.env.test\ndist/\n');
  put('a.txt', 'a\n');
  commit();
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

type Parts = Parameters<typeof configOf>[0];

function contextOf(config: Parts = {}): InstallContext {
  return {
    root,
    userRoot: root,
    lane: 0,
    proofDir: join(top, 'state', 'workspaces', 'one'),
    git: createGit({ root, env, token: 'proof-workspaces' }),
    config: configOf({ environment: { install: null, timeoutMinutes: 1 }, ...config }),
    io: quickIo(),
    redact: (text) => text,
    notify: ({ type }) => void events.push(type),
    openBoxAt: (folder) => openBox({ root: folder, level: 'none' }),
  };
}

async function open(isAgentAtWork: boolean, config: Parts = {}): Promise<ProofWorkspace> {
  const context = contextOf(config);
  const tree = await treeOf(context.git);
  if (!tree.ok) throw new Error(tree.failure.reason);
  const signal = new AbortController().signal;
  const opened = await openProofWorkspace(context, { tree: tree.value, over: null, token: 't', signal, isAgentAtWork });
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return opened.value;
}
async function look(
  isAgentAtWork: boolean,
  paths: readonly string[],
  config: Parts = {},
): Promise<readonly (string | null)[]> {
  const workspace = await open(isAgentAtWork, config);
  try {
    return paths.map((path) =>
      existsSync(join(workspace.root, path)) ? readFileSync(join(workspace.root, path), 'utf8').trim() : null,
    );
  } finally {
    await workspace.close();
  }
}

describe('packages without a lock file', () => {
  test('are copied before a session; what an agent installs or patches is not there', async () => {
    put('node_modules/words/index.js', 'right');
    expect(await look(false, ['node_modules/words/index.js'])).toEqual(['right']);
    put('node_modules/words/index.js', 'patched');
    put('node_modules/other/index.js', 'planted');
    const paths = ['node_modules/words/index.js', 'node_modules/other/index.js'];
    expect(await look(true, paths)).toEqual(['right', null]);
    expect(await look(false, paths)).toEqual(['patched', 'planted']);
  });

  test('of the repository itself lead to the sources of the candidate', async () => {
    put('packages/own/index.js', 'old');
    commit();
    mkdirSync(join(root, 'node_modules'));
    execFileSync('ln', ['-s', '../packages/own', join(root, 'node_modules/own')]);
    expect(await look(false, ['node_modules/own/index.js'])).toEqual(['old']);
    put('packages/own/index.js', 'new');
    expect(await look(true, ['node_modules/own/index.js'])).toEqual(['new']);
  });

  test('keep no cache of a tool beside them', async () => {
    put('node_modules/words/index.js', 'right');
    const first = await open(false);
    mkdirSync(join(first.root, 'node_modules/.cache'));
    writeFileSync(join(first.root, 'node_modules/.cache/x'), '');
    await first.close();
    expect(await look(false, ['node_modules/.cache/x', 'node_modules/words/index.js'])).toEqual([null, 'right']);
  });
});

describe('packages of a lock file', () => {
  const lock = (packages: object): string =>
    json({
      name: 'x',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: { '': { name: 'x', version: '1.0.0', dependencies: { dep: 'file:dep' } }, ...packages },
    });
  const withDependency = (): void => {
    put('dep/package.json', json({ name: 'dep', version: '1.0.0' }));
    put('dep/index.js', 'dep');
    put('package.json', json({ name: 'x', version: '1.0.0', dependencies: { dep: 'file:dep' } }));
    put('package-lock.json', lock({ dep: { version: '1.0.0' }, 'node_modules/dep': { resolved: 'dep', link: true } }));
  };

  test('are installed as CI does, once, and not from the work tree', async () => {
    withDependency();
    commit();
    put('node_modules/planted/index.js', 'planted');
    expect(await look(false, ['node_modules/dep/index.js', 'node_modules/planted/index.js'])).toEqual(['dep', null]);
    put('a.txt', 'changed');
    await look(true, []);
    expect(events.filter((type) => type === 'installing')).toHaveLength(2); // the packages, then their scripts
  });

  test('that an agent changed and that cannot be installed are a problem of its work', async () => {
    withDependency();
    commit();
    await look(false, []);
    put('package.json', json({ name: 'x', version: '1.0.0', dependencies: { dep: 'file:dep', more: '1.0.0' } }));
    await expect(open(true)).rejects.toThrow(/install-failed.*npm ci/s);
  });

  test('that are committed and cannot be installed are copied from the work tree, and the run says so', async () => {
    put('package.json', json({ name: 'x', version: '1.0.0', dependencies: { dep: 'file:gone' } }));
    put('package-lock.json', '{}');
    commit();
    put('node_modules/dep/index.js', 'here');
    expect(await look(false, ['node_modules/dep/index.js'])).toEqual(['here']);
    expect(events).toContain('install-copied');
  });

  test('are not asked for where only the description of the package changed', async () => {
    withDependency();
    commit();
    await look(false, []);
    events = [];
    put('package.json', json({ name: 'x', version: '1.0.0', description: 'new', dependencies: { dep: 'file:dep' } }));
    expect(await look(true, ['node_modules/dep/index.js'])).toEqual(['dep']);
    expect(events).toEqual([]);
  });
});

test('ignored files are there only if they are shared, as they were before the session', async () => {
  put('.env.test', 'before');
  put('dist/built.js', 'built');
  const shared = { lanesShare: ['.env.test'] };
  expect(await look(false, ['.env.test', 'dist/built.js'], shared)).toEqual(['before', null]);
  put('.env.test', 'changed by an agent');
  expect(await look(true, ['.env.test'], shared)).toEqual(['before']);
  expect(await look(true, ['.env.test'])).toEqual([null]);
});

describe('a build', () => {
  const run = (workspace: ProofWorkspace, command: string) =>
    workspace.box.run({
      command,
      env: {},
      timeoutMs: 60_000,
      reportDir: top,
      network: 'none',
      keepBytes: 10_000,
      floodBytes: 10_000,
    });
  const build = { testing: { build: 'mkdir -p dist && cp a.txt dist/a.txt && echo built >&2' } } as Parts;

  test('is made before the first command on changed files', async () => {
    const workspace = await open(false, build);
    const first = await run(workspace, 'cat dist/a.txt');
    workspace.write('a.txt', 'again\n');
    const second = await run(workspace, 'cat dist/a.txt');
    await workspace.close();
    expect([first.stdout, second.stdout]).toEqual(['a\n', 'again\n']);
  });

  test('that fails is what the command ends with', async () => {
    const workspace = await open(false, { testing: { build: 'echo no compiler; exit 3' } });
    const exit = await run(workspace, 'true');
    await workspace.close();
    expect([exit.code, exit.stdout]).toEqual([3, 'no compiler\n']);
  });
});

test('a folder that cannot be written is named, and nothing else happens', async () => {
  writeFileSync(join(top, 'state'), 'a file in the place of the folder');
  const context = contextOf();
  const tree = await treeOf(context.git);
  if (!tree.ok) throw new Error('no tree');
  const ask = { tree: tree.value, over: null, token: 't', signal: new AbortController().signal, isAgentAtWork: false };
  expect(await openProofWorkspace(context, ask)).toMatchObject({
    ok: false,
    failure: { reason: 'proof-folder-unwritable' },
  });
});

test('workspaces of a work tree that is gone are removed', async () => {
  const other = join(top, 'state', 'workspaces', 'two');
  mkdirSync(other, { recursive: true });
  writeFileSync(join(other, 'owner.json'), json({ root: join(top, 'gone') }));
  await look(false, []);
  expect(existsSync(other)).toBe(false);
});
