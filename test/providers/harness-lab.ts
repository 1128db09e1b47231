// Owns a repository whose agent is a real one: the program called as a person would, the model on 127.0.0.1, who is alive.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeRepo, PROGRAM, type Repo } from '../support/repo.ts';
import { fakeAnthropic, type FakeAnthropic, type Part, type Script, type Step } from './fake-anthropic.ts';

export const SDK_FOLDER = import.meta.dirname;

const stub = (name: string): string =>
  `import { test } from 'node:test';\ntest('${name} works', () => { throw new Error('not yet'); });\n`;
const FEATURES = `{
  "project": "words",
  "features": [
    {
      "id": 1,
      "description": "User is greeted",
      "test_file": "tests/greet.test.mjs",
      "passes": false
    },
    {
      "id": 2,
      "description": "User is sent off",
      "test_file": "tests/part.test.mjs",
      "passes": false
    }
  ]
}
`;

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };
export type Started = { readonly pid: number; readonly ended: Promise<Ended> };
/** Another installation of the program; more variables of the person's environment. */
type How = { readonly program?: string; readonly env?: { readonly [name: string]: string } };
export type Place<Fake = FakeAnthropic> = {
  readonly repo: Repo;
  readonly fake: Fake;
  /** Starts the program and does not wait. */
  start(args: readonly string[], how?: How): Started;
  /** Processes of this place that live now: process id and command line. Zombies do not live. */
  alive(): readonly { readonly pid: number; readonly command: string }[];
};

/** `env` is added to the agent's, or replaces it. `script` gets the repository, since tools need absolute paths. */
export async function harnessPlace(
  script: (root: string) => Script,
  more: { readonly env?: { readonly [name: string]: string | undefined } } = {},
): Promise<Place> {
  let root = '';
  let play: Script | null = null;
  const fake = await fakeAnthropic((asked, number) => {
    play ??= script(root);
    return typeof play === 'function' ? play(asked, number) : (play[number] ?? null);
  });
  onTestFinished(() => fake.close());
  const place = realPlace(fake, claudeAgent(fake, more.env));
  root = place.repo.root;
  mkdirSync(join(place.home, 'claude'));
  return place;
}

/** What a configuration says of the real Claude with this model server. */
export const claudeAgent = (
  { url }: FakeAnthropic,
  env: { readonly [name: string]: string | undefined } = {},
): object => ({
  provider: 'claude',
  model: 'claude-sonnet-4-5',
  env: {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'dummy-key-of-a-test',
    CLAUDE_CONFIG_DIR: '${HOME}/claude',
    HARNESS_PROVIDERS_DIR: SDK_FOLDER,
    CLAUDE_CODE_MAX_RETRIES: '0',
    ...env,
  },
});

/** `agent`: what the configuration says of it; `fallback`: and of those who stand in. */
export function realPlace<Fake>(
  fake: Fake,
  agent: object,
  fallback: readonly object[] = [],
): Place<Fake> & { readonly home: string } {
  const repo = makeRepo({
    '.harness.yaml': [
      'playbook: features',
      'project: { name: words }',
      'agents:',
      `  default: ${JSON.stringify(agent)}`,
      `  fallback: ${JSON.stringify(fallback)}`,
      'environment: { init: ./init.sh, reset: ./reset.sh }',
      'testing: { runner: node, feature: "node --test {test_file}", full: "node --test tests/" }',
      '',
    ].join('\n'),
    'features.json': FEATURES,
    'tests/greet.test.mjs': stub('greet'),
    'tests/part.test.mjs': stub('part'),
  });
  repo.git('rm', '-q', 'tests/open.test.mjs', 'tests/cart.test.mjs', 'tests/pay.test.mjs');
  repo.git('commit', '-q', '-m', 'words');
  const { root } = repo;
  const home = join(dirname(root), 'home');
  const alive: Place<Fake>['alive'] = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => look(`/proc/${pid}/environ`).split('\0').includes(`HOME=${home}`))
      .map((pid) => ({
        pid: Number(pid),
        command: look(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
      }));
  onTestFinished(() => {
    for (const { pid } of alive()) process.kill(pid, 'SIGKILL');
  });
  return {
    repo,
    fake,
    home,
    alive,
    start(args, { program = PROGRAM, env: more = {} } = {}) {
      const env = { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', ...more };
      const child = spawn(process.execPath, [program, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const said = { stdout: '', stderr: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
      const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, ...said })));
      return { pid: child.pid ?? 0, ended };
    },
  };
}

/** Several tools in one answer of the model. */
export const tools = (...parts: readonly (readonly [name: string, input: object])[]): Step => ({
  does: 'say',
  parts: parts.map(([name, input]): Part => ({ type: 'tool_use', name, input })),
});

/** What an honest agent asks of its tools for a feature: read, write code and test, run it, claim it, log it. */
export function honestWork(root: string, id: number, name: string, body: string): readonly Step[] {
  const test = join(root, `tests/${name}.test.mjs`);
  const backlog = join(root, 'features.json');
  const place = `"test_file": "tests/${name}.test.mjs",\n      "passes": `;
  return [
    tools(['Read', { file_path: test }], ['Read', { file_path: backlog }]),
    tools(
      ['Write', { file_path: join(root, `src/${name}.mjs`), content: `export const ${name} = () => '${body}';\n` }],
      ['Write', { file_path: test, content: testOf(name, name) }],
    ),
    tools(['Bash', { command: `node --test tests/${name}.test.mjs`, description: 'run the test' }]),
    tools(
      ['Edit', { file_path: backlog, old_string: `${place}false`, new_string: `${place}true` }],
      [
        'Bash',
        { command: `printf '\\nSESSION ${id}: wrote ${name}\\n' >> claude-progress.txt`, description: 'log it' },
      ],
    ),
  ];
}

/** A test that wants `word` of src/<name>.mjs. */
export const testOf = (name: string, word: string): string =>
  `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ${name} } from '../src/${name}.mjs';
test('${name} works', () => assert.equal(${name}(), '${word}'));
`;

export async function untilThere(path: string, started: Started): Promise<void> {
  while (!existsSync(path)) {
    const early = await Promise.race([started.ended, new Promise<null>((resolve) => setTimeout(resolve, 10, null))]);
    if (early !== null) throw new Error(`the program ended before ${path}: ${JSON.stringify(early)}`);
  }
}

function look(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
