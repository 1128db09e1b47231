// The published form: what `npm pack` makes, installed where nothing else of the project is, does the main job.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeRepo, repoAt, temporaryTop } from '../support/repo.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const MOST_BYTES = 15_000_000;
const MOST_PACKAGES = 60;

type Packed = { readonly filename: string; readonly unpackedSize: number; readonly files: readonly { path: string }[] };
let top: string, prefix: string, packed: Packed;
let env: NodeJS.ProcessEnv;

/** What a stranger has: git, this Node, and an empty home. */
beforeEach(() => {
  top = temporaryTop();
  prefix = join(top, 'prefix');
  for (const folder of ['home', 'node', 'prefix']) mkdirSync(join(top, folder));
  symlinkSync(process.execPath, join(top, 'node', 'node'));
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.startsWith(CHECKOUT));
  env = {
    PATH: [join(prefix, 'bin'), join(top, 'node'), ...path].join(delimiter),
    HOME: join(top, 'home'),
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const packing = ['pack', '--ignore-scripts', '--json', '--pack-destination', top];
  [packed] = JSON.parse(execFileSync('npm', packing, { cwd: CHECKOUT, encoding: 'utf8', env })) as [Packed];
  const file = join(top, packed.filename);
  const installing = ['install', '-g', '--offline', '--no-audit', '--no-fund', '--prefix', prefix, file];
  const installed = spawnSync('npm', installing, { cwd: top, encoding: 'utf8', env });
  expect(installed.status, installed.stderr).toBe(0);
  expect(installed.stderr, 'npm warns of scripts that a user would have to allow').toBe('');
});

const harness = (cwd: string, ...args: string[]) => {
  const ran = spawnSync('harness', args, { cwd, env, encoding: 'utf8' });
  return { ...ran, said: `${ran.stdout}\n${ran.stderr}` };
};

test('an installed package is small, and plays the demo, sets up a repository and lands work in it', () => {
  const stale = 'dist/ may have chunks of earlier builds: rm -r dist && npm run build';
  expect(packed.unpackedSize, stale).toBeLessThanOrEqual(MOST_BYTES);
  const packages = globSync('lib/node_modules/**/package.json', { cwd: prefix });
  expect(packages.length).toBeGreaterThan(0);
  expect(packages.length).toBeLessThanOrEqual(MOST_PACKAGES);
  expect(packed.files.map(({ path }) => path).filter((path) => /^(src|test|bench|scripts)\//.test(path))).toEqual([]);

  const demo = harness(top, 'demo', '--dir', join(top, 'demo'));
  expect(demo.status, demo.said).toBe(0);
  const [, look = ''] = /^ {2}harness (-C \S+ status)$/m.exec(demo.stdout) ?? [];
  const status = harness(top, ...look.split(' '), '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({ items: { total: 4, landed: 4 } });

  const repo = makeRepo();
  const home = join(top, 'home');
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
  const own = repoAt(repo.root, home);
  own.git('rm', '-q', 'features.json', 'claude-progress.txt', 'init.sh', 'reset.sh');
  own.git('commit', '-q', '-m', 'a project without a list');
  const set = harness(own.root, 'init', '--no-suite', '--json');
  expect(set.status, set.said).toBe(0);

  const added = harness(own.root, 'add', 'User can fill a basket', '--verify', 'tests/basket.test.mjs', '--json');
  expect(added.status, added.said).toBe(0);
  own.write(
    'tests/basket.test.mjs',
    "import { test } from 'node:test';\ntest('basket', () => { throw new Error(); });\n",
  );
  own.write('.harness.yaml', own.read('.harness.yaml').replace(/scenario: [^ ,}]+/, 'scenario: ../scenario.json'));
  const basket = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basket } from '../src/basket.mjs';
test('basket', () => assert.deepEqual(basket(), ['goods']));
`;
  const steps = [
    { write: { path: 'src/basket.mjs', text: "export const basket = () => ['goods'];\n" } },
    { write: { path: 'tests/basket.test.mjs', text: basket } },
    'claim',
  ];
  const scenario = { schema: 1, sessions: [{ when: { item: 1 }, turns: [steps] }] };
  writeFileSync(join(own.root, '..', 'scenario.json'), JSON.stringify(scenario));
  own.git('add', '-A');
  own.git('commit', '-q', '-m', 'what the agent will do');
  const ran = harness(own.root, 'run', '--json');
  expect(ran.status, ran.said).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({ landed: ['1'] });
});

test('under an older Node one sentence says what to install, and nothing is fetched or changed', () => {
  const old = join(top, 'old-node.cjs');
  writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '18.1.0' });\n");
  const program = join(prefix, 'bin', 'harness');
  expect(existsSync(program)).toBe(true);
  const ran = spawnSync(process.execPath, ['-r', old, program, 'run'], { cwd: top, env, encoding: 'utf8' });
  expect(ran.status).toBe(5);
  expect(ran.stderr).toMatch(/needs Node 24 or newer.*\n.*install Node 24 \(https:\/\/nodejs\.org\)/);
  expect(ran.stderr).not.toMatch(/npx|npm /);
});

test('the licence of every bundled package comes with it', () => {
  const texts = readFileSync(join(prefix, 'lib/node_modules/harness-agents/dist/third-party.txt'), 'utf8');
  const { devDependencies } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as {
    readonly devDependencies: { readonly [name: string]: string };
  };
  const page = readFileSync(join(CHECKOUT, 'docs/dependencies.md'), 'utf8');
  const bundled = Object.keys(devDependencies).filter((name) =>
    (page.split('## Bundled\n')[1]?.split('\n## ')[0] ?? '').includes(`\n| \`${name}\` |`),
  );
  expect(bundled.length).toBeGreaterThan(0);
  for (const name of bundled) expect(texts, name).toContain(`${name} `);
});
