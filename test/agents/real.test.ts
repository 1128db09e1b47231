// Real agents, installed by `harness agents add` from the registry, with a model on 127.0.0.1: no account is needed. Each case is asked of each
// of them, and what is seen is the table of docs/agents.md. `npm run test:agents`; HARNESS_AGENTS_DIR names a folder that keeps what is installed.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CART_WORK, makeRepo, type Repo } from '../support/repo.ts';
import { eventsOf, expectExit, startProgram, type Live } from '../e2e/workshop.ts';
import { anyModel, type AnyModel, type Step } from './any-model.ts';
import { REAL, type Real } from './table.ts';
import { PAGE, pageWith, type Row } from './page.ts';

let folder = '';
const rows = new Map<string, { version: string; passed: number }>();
beforeAll(() => {
  folder = process.env['HARNESS_AGENTS_DIR'] ?? mkdtempSync(join(tmpdir(), 'harness-real-'));
});
afterAll(() => {
  if (process.env['HARNESS_AGENTS_DIR'] === undefined) rmSync(folder, { recursive: true, force: true });
});

type Place = { readonly repo: Repo; readonly model: AnyModel; readonly steps: readonly Step[] };

/** `first`: what the agent does before its work. */
async function placeOf(real: Real, first: readonly Step[] = []): Promise<Place> {
  const repo = makeRepo({ 'src/open.mjs': 'export const open = true;\n' });
  const steps = [...first, ...honestWork(real, repo.root)];
  const model = await anyModel(steps);
  onTestFinished(() => model.close());
  repo.env['HARNESS_AGENTS_DIR'] = folder;
  repo.env['npm_config_fetch_retries'] = '0';
  // Of a machine whose network has a certificate authority of its own.
  for (const name of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'])
    if (process.env[name] !== undefined) repo.env[name] = process.env[name];
  const agent = JSON.stringify(real.agent(model.url));
  repo.write(
    '.harness.yaml',
    repo.read('.harness.yaml').replace(/default: .*/, () => `default: ${agent}`),
  );
  repo.git('commit', '-q', '-am', `work with ${real.name}`);
  for (const [path, text] of Object.entries(real.home?.(model.url) ?? {})) repo.write(`../home/${path}`, text);
  writeFileSync(join(dirname(repo.root), 'home', '.npmrc'), '');
  onTestFinished(() => {
    killAll(repo);
  });
  return { repo, model, steps };
}

const CLAIM = `node -e "const f='features.json',s=require('fs');s.writeFileSync(f,s.readFileSync(f,'utf8').replace('false','true'))"`;
const honestWork = (real: Real, root: string): readonly Step[] => [
  real.shell('cat features.json tests/cart.test.mjs'),
  real.shell('ls src'),
  real.write(join(root, 'src/cart.mjs'), CART_WORK['src/cart.mjs']),
  real.shell(`cat > tests/cart.test.mjs <<'END'\n${CART_WORK['tests/cart.test.mjs']}END`),
  real.shell(CLAIM),
];

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

/** Processes of this user that are alive: the program, its wrappers and agents. */
function alive(repo: Repo): readonly { readonly pid: number; readonly command: string }[] {
  const look = (path: string): string => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => look(`/proc/${pid}/environ`).includes(`HOME=${dirname(repo.root)}/home\0`))
    .map((pid) => ({ pid: Number(pid), command: look(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') }));
}

function killAll(repo: Repo): void {
  for (const { pid } of alive(repo))
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it has ended meanwhile
    }
}

/** Until the model is asked in its trouble; fails where the run ends before. */
const troubled = async (model: AnyModel, run: Live): Promise<void> => {
  const early = run.ended.then((ran) => {
    throw new Error(`ended with ${ran.code} before the model was asked\n${ran.stdout}${ran.stderr}`);
  });
  early.catch(() => undefined);
  await Promise.race([model.troubled(), early]);
};

/** Calls of tools in all sessions so far. */
const calls = (repo: Repo): number => {
  const folder = join(repo.root, '.harness/sessions');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name, 'events.jsonl'), 'utf8'));
  return texts.join('').split('"t":"tool-start"').length - 1;
};

/** A case that held for the agent of its row. */
const held = (real: Real, version?: string): void => {
  const row = rows.get(real.name) ?? { version: '', passed: 0 };
  rows.set(real.name, { version: version ?? row.version, passed: row.passed + 1 });
};
const CASES = 6;

describe.each(REAL)('$name', (real) => {
  test('is added, can be started, lands an item, and reports what the table says', async ({ skip }) => {
    const { repo, model, steps } = await placeOf(real);
    if (!(await isAdded(repo, real.name))) skip();
    const checked = await repo.harness('agents', 'check', real.name, '--json');
    expectExit(checked, 0);
    const ran = await repo.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ landed: ['2'] });
    expect(model.asked.length).toBeGreaterThanOrEqual(steps.length);
    const { cost } = ran.json() as { cost: { usd: number | null; tokens: { input: number; output: number } } };
    const tokens = cost.tokens.input + cost.tokens.output > 0;
    expect(tokens ? (cost.usd ? 'tokens, money' : 'tokens') : 'nothing').toBe(real.seen.reports);
    const { agents } = (await repo.harness('agents', '--json')).json() as {
      agents: { name: string; version: string | null }[];
    };
    held(real, agents.find(({ name }) => name === real.name)?.version ?? '?');
  });

  test('a command that the policy forbids is refused before it runs, and the work continues', async ({ skip }) => {
    const { repo } = await placeOf(real, [real.shell('git push origin main')]);
    if (!(await isAdded(repo, real.name))) skip();
    const ran = await repo.harness('run', '--json');
    expectExit(ran, 0);
    const about = (type: string): string => JSON.stringify(eventsOf(repo, type));
    expect(about('tool-denied').includes('git-push') ? 'asks' : 'does not ask').toBe(real.seen.permission);
    expect(about('tool-violation').includes('git-push')).toBe(real.seen.permission !== 'asks');
    held(real);
  });

  test('a refused key ends the run with exit code 4 and the words of the agent, and counts against no item', async ({
    skip,
  }) => {
    const { repo, model } = await placeOf(real);
    if (!(await isAdded(repo, real.name))) skip();
    model.trouble({ refuse: 401, words: 'Incorrect API key provided' });
    const tip = repo.git('rev-parse', 'HEAD');
    const ran = await repo.harness('run', '--json');
    expectExit(ran, 4);
    expect(ran.stdout + ran.stderr).toMatch(real.refusal);
    expect(repo.git('rev-parse', 'HEAD')).toBe(tip);
    held(real);
  });

  test('an outage of the provider is waited for, and then the work lands', async ({ skip }) => {
    const { repo, model } = await placeOf(real);
    if (!(await isAdded(repo, real.name))) skip();
    model.trouble({ refuse: 503, words: 'Service Unavailable' });
    const run = startProgram(repo, ['run', '--until-done', '--max-items', '1', '--json']);
    await troubled(model, run);
    // Some agents try again by themselves; with others the harness waits.
    const again = model.troubled(3).then(() => 'the agent' as const);
    const ended = run.ended.then(() => 'the agent' as const);
    const file = join(repo.root, '.harness/logs/events.jsonl');
    let by: Real['seen']['outage'] | null = null;
    while (by === null) {
      if (existsSync(file) && readFileSync(file, 'utf8').includes('"type":"waiting"')) by = 'the harness';
      else by = await Promise.race([again, ended, new Promise<null>((resolve) => setTimeout(resolve, 200, null))]);
    }
    model.trouble(null);
    const ran = await run.ended;
    expectExit(ran, 6); // of --max-items
    expect(ran.json()).toMatchObject({ landed: ['2'] });
    expect(by).toBe(real.seen.outage);
    held(real);
  });

  test('is ended in the middle of a request: nothing of it is left, and nothing changed', async ({ skip }) => {
    const { repo, model } = await placeOf(real);
    if (!(await isAdded(repo, real.name))) skip();
    model.trouble('hang', 2);
    const tip = repo.git('rev-parse', 'HEAD');
    const run = startProgram(repo, ['run', '--json']);
    await troubled(model, run);
    expectExit(await repo.harness('stop', '--now'), 0);
    await run.ended;
    expect(alive(repo)).toEqual([]);
    expect([repo.git('rev-parse', 'HEAD'), repo.git('status', '--porcelain')]).toEqual([tip, '']);
    held(real);
  });

  test('after kill -9 of everything in the middle of a turn the next run lands the item', async ({ skip }) => {
    const { repo, model, steps } = await placeOf(real);
    if (!(await isAdded(repo, real.name))) skip();
    const read = 2; // it has read, and written nothing yet
    model.trouble('hang', read);
    const run = startProgram(repo, ['run', '--json']);
    await troubled(model, run);
    while (alive(repo).length > 0) killAll(repo);
    await run.ended;
    model.trouble(null);
    const ran = await repo.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ landed: ['2'] });
    // Requests do not count it: some agents make others beside those of the conversation. What it was answered last may be lost with it.
    const made = calls(repo) - read;
    const seen = made < steps.length ? 'continues' : 'starts again';
    expect(seen, `${made} calls, of ${steps.length} from the start`).toBe(real.seen.resume);
    held(real);
  });
});

test('the page about agents shows what was seen of those that were driven here', () => {
  const seen = REAL.flatMap((real): readonly Row[] => {
    const row = rows.get(real.name);
    return row?.passed === CASES ? [{ real, version: row.version }] : [];
  });
  const page = readFileSync(PAGE, 'utf8');
  const wanted = pageWith(page, seen);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(PAGE, wanted);
  expect(readFileSync(PAGE, 'utf8')).toBe(wanted);
});
