// A repository that the harness is set up in, and the program itself called on it, as a person or a script would.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, fchmodSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { projectFolder } from './quick-folder.ts';

export type Ran = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The one object on stdout, or on stderr where the command failed. */
  json(): { readonly [key: string]: unknown };
};
export type Repo = {
  readonly root: string;
  /** What the program is started with. */
  readonly env: NodeJS.ProcessEnv;
  /** `<git folder>/harness/`. */
  readonly privateDir: string;
  /** Calls the program; no user can be asked. */
  harness(...args: string[]): Promise<Ran>;
  /** Calls the program on a terminal of its own, where `typed` is typed line by line as it asks. */
  onTerminal(
    typed: readonly string[],
    ...args: string[]
  ): Promise<{ readonly code: number | null; readonly screen: string }>;
  git(...args: string[]): string;
  read(path: string): string;
  write(path: string, text: string, mode?: number): void;
  features(): readonly { readonly id: number; readonly [field: string]: unknown }[];
};

export const PROGRAM = resolve(import.meta.dirname, '../../bin/harness.cjs');

const PASSES = (name: string) => `import { test } from 'node:test';\ntest('${name} works', () => {});\n`;
/** The honest work on #2, by path: the cart, and a test that asks for what is in it. */
export const CART_WORK = {
  'src/cart.mjs': "export const cart = () => ['goods'];\n",
  'tests/cart.test.mjs': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cart } from '../src/cart.mjs';
test('cart works', () => assert.deepEqual(cart(), ['goods']));
`,
} as const;
/** The same as steps of a scenario; JSON is YAML too. */
export const CART_STEPS = Object.entries(CART_WORK).map(([path, text]) => ({ write: { path, text } }));
const FAILS = (name: string) =>
  `import { test } from 'node:test';\ntest('${name} works', () => { throw new Error('not yet'); });\n`;

const CONFIG = `playbook: features
project: { name: shop }
agents:
  default: { provider: scripted, scenario: .scenario.yaml }
environment: { init: ./init.sh, reset: ./reset.sh }
testing:
  runner: node
  feature: "node --test {test_file}"
  full: "node --test tests/"
`;

/** #1 has landed; #2 is ready and its test still fails; #3 waits for #2. */
export const FEATURES = `{
  "project": "shop",
  "features": [
    {
      "id": 1,
      "description": "User can open the shop",
      "test_file": "tests/open.test.mjs",
      "passes": true
    },
    {
      "id": 2,
      "description": "User can fill a cart",
      "test_file": "tests/cart.test.mjs",
      "depends_on": [1],
      "passes": false
    },
    {
      "id": 3,
      "description": "User can pay",
      "test_file": "tests/pay.test.mjs",
      "depends_on": [2],
      "passes": false
    }
  ]
}
`;

const FILES: { readonly [path: string]: string } = {
  '.harness.yaml': CONFIG,
  '.gitignore': '.harness/\n',
  'features.json': FEATURES,
  'claude-progress.txt': '# Progress: shop\n',
  'init.sh': '#!/bin/sh\nexit 0\n',
  'reset.sh': '#!/bin/sh\nexit 0\n',
  'tests/open.test.mjs': PASSES('open'),
  'tests/cart.test.mjs': FAILS('cart'),
  'tests/pay.test.mjs': FAILS('pay'),
};

/** What the fixture project has of the features playbook: a project of another playbook goes without. */
export const OF_FEATURES = Object.keys(FILES).filter((path) => path !== '.harness.yaml' && path !== '.gitignore');

/** With one commit; removed when the test ends. `files` are added, or stand instead of those of the same name. `without` are left out. */
export function makeRepo(files: { readonly [path: string]: string } = {}, without: readonly string[] = []): Repo {
  const top = temporaryTop();
  const repo = repoAt(join(top, 'shop'), join(top, 'home'));
  mkdirSync(repo.root);
  mkdirSync(join(top, 'home'));
  writeFileSync(
    join(top, 'home', '.gitconfig'),
    '[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n',
  );
  repo.git('init', '-q');
  for (const [path, text] of Object.entries({ ...FILES, ...files }))
    if (!without.includes(path)) repo.write(path, text);
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'start');
  return repo;
}

/** A folder for a repository and the home of its user; removed when the test ends. */
export function temporaryTop(): string {
  if (!existsSync(resolve(PROGRAM, '../../dist/cli.mjs'))) throw new Error('not built yet: npm run build');
  const top = projectFolder('harness-e2e-');
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  return top;
}

/** The repository in this folder, worked by a user with this home. */
export function repoAt(root: string, home: string): Repo {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1', LANG: 'C.UTF-8' };
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  const write = (path: string, text: string, mode = path.endsWith('.sh') ? 0o755 : 0o644): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    // Through the open file: an agent that waits for it may remove it at once.
    const file = openSync(join(root, path), 'w', mode);
    try {
      writeFileSync(file, text);
      fchmodSync(file, mode);
    } finally {
      closeSync(file);
    }
  };
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  return {
    root,
    env,
    privateDir: join(root, '.git', 'harness'),
    git,
    write,
    read,
    features: () =>
      (JSON.parse(read('features.json')) as { features: { id: number; [field: string]: unknown }[] }).features,
    async harness(...args) {
      const { code, stdout, stderr } = await call(process.execPath, [PROGRAM, ...args], { cwd: root, env });
      return { code, stdout, stderr, json: () => JSON.parse(stdout === '' ? stderr : stdout) as never };
    },
    async onTerminal(typed, ...args) {
      const command = [process.execPath, PROGRAM, ...args];
      const ran = await call('python3', ['-c', TERMINAL, JSON.stringify({ command, typed })], { cwd: root, env });
      return { code: ran.code, screen: ran.stdout.replaceAll('\r\n', '\n') };
    },
  };
}

/** Gives the command a terminal, types a line at each prompt (a line that is not ended), and passes its exit code on. */
const TERMINAL = `
import json, os, pty, re, sys
asked = json.loads(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    os.execvp(asked["command"][0], asked["command"])
seen, typed = "", list(asked["typed"])
while True:
    try:
        chunk = os.read(fd, 65536)
    except OSError:
        break
    if not chunk:
        break
    text = re.sub(r"\\x1b\\[[0-9;]*[A-Za-z]", "", chunk.decode("utf-8", "replace"))
    sys.stdout.write(text)
    seen += text
    if typed and re.search(r"[?\\])] $", seen):
        os.write(fd, (typed.pop(0) + "\\n").encode())
        seen = ""
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
`;

function call(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const out = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (out.stderr += text));
    child.on('error', fail);
    child.on('close', (code) => done({ code, ...out }));
  });
}
