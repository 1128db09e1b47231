// Real agents of other makers, installed by `harness agents add` from the registry, with a model on 127.0.0.1: no account is needed.
// `npm run test:agents`; HARNESS_AGENTS_DIR names a folder that keeps what is installed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CART_WORK, makeRepo, type Repo } from '../support/repo.ts';
import { expectExit } from '../e2e/workshop.ts';
import { anyModel, type AnyModel, type Step } from './any-model.ts';

type Real = {
  readonly name: string;
  readonly command: readonly string[];
  /** Its tools for a shell line and for a new file. */
  readonly shell: (line: string) => Step;
  readonly write: (path: string, text: string) => Step;
  readonly env: (url: string) => { readonly [name: string]: string };
  /** What the answer to a refused key names. */
  readonly refusal: RegExp;
};

const shell =
  (call: string) =>
  (command: string): Step => ({ call, args: { command, description: 'work', is_background: false } });
const OPENCODE = {
  enabled_providers: ['local'],
  model: 'local/m',
  small_model: 'local/m',
  share: 'disabled',
  autoupdate: false,
  permission: { edit: 'ask', bash: 'ask' },
};
const REAL: readonly Real[] = [
  {
    name: 'qwen',
    command: ['qwen', '--acp'],
    shell: shell('run_shell_command'),
    write: (file_path, content) => ({ call: 'write_file', args: { file_path, content } }),
    env: (url) => ({ OPENAI_API_KEY: 'dummy-key-of-a-test', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'm' }),
    refusal: /Incorrect API key|401/,
  },
  {
    name: 'copilot',
    command: ['copilot', '--acp'],
    shell: shell('bash'),
    write: (path, file_text) => ({ call: 'create', args: { path, file_text } }),
    env: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'dummy-key-of-a-test',
      COPILOT_MODEL: 'm',
      COPILOT_OFFLINE: 'true',
    }),
    refusal: /Authentication failed|401/,
  },
  {
    name: 'opencode',
    command: ['opencode', 'acp'],
    shell: shell('bash'),
    write: (filePath, content) => ({ call: 'write', args: { filePath, content } }),
    env: (url) => {
      const models = { m: { name: 'm', limit: { context: 100_000, output: 8_000 }, cost: { input: 1, output: 1 } } };
      const options = { baseURL: `${url}/v1`, apiKey: 'dummy-key-of-a-test' };
      const local = { npm: '@ai-sdk/openai-compatible', options, models };
      return {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...OPENCODE, provider: { local } }),
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      };
    },
    refusal: /Incorrect API key|401/,
  },
  {
    name: 'gemini',
    command: ['gemini', '--acp'],
    shell: shell('run_shell_command'),
    write: (file_path, content) => ({ call: 'write_file', args: { file_path, content } }),
    env: (url) => ({ GEMINI_API_KEY: 'dummy-key-of-a-test', GOOGLE_GEMINI_BASE_URL: url }),
    refusal: /Incorrect API key|401/,
  },
];

let folder = '';
beforeAll(() => {
  folder = process.env['HARNESS_AGENTS_DIR'] ?? mkdtempSync(join(tmpdir(), 'harness-real-'));
});
afterAll(() => {
  if (process.env['HARNESS_AGENTS_DIR'] === undefined) rmSync(folder, { recursive: true, force: true });
});

async function placeOf(
  real: Real,
  script: (root: string) => readonly Step[],
): Promise<{ repo: Repo; model: AnyModel }> {
  const repo = makeRepo({ 'src/open.mjs': 'export const open = true;\n' });
  const model = await anyModel(script(repo.root));
  onTestFinished(() => model.close());
  repo.env['HARNESS_AGENTS_DIR'] = folder;
  repo.env['npm_config_fetch_retries'] = '0';
  // Of a machine whose network has a certificate authority of its own.
  for (const name of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'])
    if (process.env[name] !== undefined) repo.env[name] = process.env[name];
  const agent = JSON.stringify({ provider: 'acp', command: real.command, env: real.env(model.url) });
  repo.write('.harness.yaml', repo.read('.harness.yaml').replace(/default: .*/, `default: ${agent}`));
  repo.git('commit', '-q', '-am', `work with ${real.name}`);
  const home = join(dirname(repo.root), 'home');
  repo.write('../home/.gemini/settings.json', '{"security":{"auth":{"selectedType":"gemini-api-key"}}}');
  writeFileSync(join(home, '.npmrc'), '');
  return { repo, model };
}

const missing = new Set<string>();
/** Loudly false where the registry cannot be reached; it is asked once for each agent. */
async function isAdded(repo: Repo, name: string): Promise<boolean> {
  if (missing.has(name)) return false;
  const added = await repo.harness('agents', 'add', name, '--json');
  if (added.code === 0) return true;
  missing.add(name);
  console.warn(`SKIPPED: ${name} could not be installed: ${added.stderr}`);
  return false;
}

const CLAIM = `node -e "const f='features.json',s=require('fs');s.writeFileSync(f,s.readFileSync(f,'utf8').replace('false','true'))"`;

describe.each(REAL)('$name', (real) => {
  test('is added, can be started, and lands an item', async ({ skip }) => {
    const { repo, model } = await placeOf(real, (root) => [
      real.shell('cat features.json tests/cart.test.mjs'),
      real.write(join(root, 'src/cart.mjs'), CART_WORK['src/cart.mjs']),
      real.shell(`cat > tests/cart.test.mjs <<'END'\n${CART_WORK['tests/cart.test.mjs']}END`),
      real.shell(CLAIM),
    ]);
    if (!(await isAdded(repo, real.name))) skip();
    const checked = await repo.harness('agents', 'check', real.name, '--json');
    expectExit(checked, 0);
    const ran = await repo.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ landed: ['2'] });
    expect(model.asked.length).toBeGreaterThan(4);
  });

  test('a refused key ends the run with exit code 4 and the words of the agent, and counts against no item', async ({
    skip,
  }) => {
    const refused: Step = { refuse: 401, words: 'Incorrect API key provided' };
    const { repo } = await placeOf(real, () => Array.from({ length: 100 }, () => refused));
    if (!(await isAdded(repo, real.name))) skip();
    const tip = repo.git('rev-parse', 'HEAD');
    const ran = await repo.harness('run', '--json');
    expectExit(ran, 4);
    expect(ran.stdout + ran.stderr).toMatch(real.refusal);
    expect(repo.git('rev-parse', 'HEAD')).toBe(tip);
  });
});
