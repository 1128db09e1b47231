import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeRepo, PROGRAM, type Repo } from '../support/repo.ts';
import { golden, plain, transcript } from './golden.ts';

const state = (more: object = {}): string =>
  JSON.stringify({
    harness_version: '1.2.1',
    schema_version: 3,
    last_session: 5,
    status: 'failed',
    current_feature: 2,
    termination_reason: 'error',
    next_prompt: 'coding',
    stuck_count: 2,
    timeout_count: 0,
    timestamp: '2026-01-02T03:04:05.000Z',
    ...more,
  });
const COSTS = `current_session: { session_id: 5, started: 2026-01-02T03:00:00.000Z, tokens: { input: 900, output: 100, cached: 0 }, cost_usd: 0.92 }
cumulative:
  total_sessions: 5
  total_tokens: { input: 5000, output: 700, cached: 10 }
  total_cost_usd: 5.47
  by_feature: [{ feature_id: 1, cost_usd: 4, sessions: 3 }, { feature_id: 2, cost_usd: 1.47, sessions: 2 }]
budgets: {}
`;

/** A repository with a past: five sessions, the last of them rolled back. */
function withPast(repo: Repo): Repo {
  repo.write('.harness/session_state.json', state());
  repo.write('.harness/costs.yaml', COSTS);
  repo.write(
    '.harness/sessions/5/session.json',
    JSON.stringify({ session_id: 5, feature_id: 2, feature_completed: false, result: 'failed', reason: 'regression' }),
  );
  mkdirSync(repo.privateDir, { recursive: true });
  const measured = { schema: 1, session: 4, tests: 1, lint: 0.9, files: 1 };
  writeFileSync(join(repo.privateDir, 'health.json'), JSON.stringify(measured));
  return repo;
}
function leftStanding(repo: Repo): void {
  mkdirSync(repo.privateDir, { recursive: true });
  const running = [{ item: '2', lane: 0, session: 6 }];
  const loop = { schema: 1, run: 'r-20260102030405-abcd', running, reports: [], pending: [] };
  writeFileSync(join(repo.privateDir, 'loop.json'), JSON.stringify(loop));
}

test('where things stand, for people and for programs', async () => {
  const repo = withPast(makeRepo());
  const seen = await transcript(repo, ['status', 'status --json', '--lang de status']);
  expect(seen).toBe(golden('status', seen));
});

test('nothing is set up, nothing has run, no repository: each is said', async () => {
  const repo = makeRepo({ 'package.json': '{ "name": "shop-app" }' });
  const fresh = await transcript(repo, ['status']);
  for (const file of ['features.json', '.harness.yaml']) rmSync(join(repo.root, file));
  const bare = await transcript(repo, ['status', 'status --json']);
  const seen = [fresh, bare, await transcript(repo, ['-C .. status', '-C .. status --json'])].join('\n');
  expect(seen).toBe(golden('status-without', seen));
});

test('what waits for a person is said: an interrupted session, a pause, a broken backlog, a newer state', async () => {
  const repo = withPast(makeRepo());
  leftStanding(repo);
  writeFileSync(join(repo.privateDir, 'paused.json'), '{}');
  const left = await transcript(repo, ['status']);
  rmSync(join(repo.privateDir, 'loop.json'));
  repo.write('.harness/session_state.json', state({ schema_version: 9 }));
  const newer = await transcript(repo, ['status']);
  repo.write('features.json', '{ "features": [ { "id": 1 } ] }');
  const seen = [left, newer, await transcript(repo, ['status'])].join('\n');
  expect(seen).toBe(golden('status-waiting', seen));
});

test('what an agent wrote into the backlog counts for nothing while its session is under way', async () => {
  const repo = makeRepo();
  leftStanding(repo);
  repo.write('features.json', repo.read('features.json').replaceAll('"passes": false', '"passes": true'));
  const { items } = (await repo.harness('status', '--json')).json() as { items: { landed: number } };
  expect(items.landed).toBe(1);
});

test('a live run is seen at work, without waiting for it', async () => {
  const signs = realpathSync(mkdtempSync(join(tmpdir(), 'harness-golden-')));
  onTestFinished(() => rmSync(signs, { recursive: true, force: true }));
  const go = join(signs, 'go');
  const repo = makeRepo({
    '.scenario.yaml': `schema: 1\nsessions: [{ turns: [[ { claim: 3 }, { wait_for_file: { path: ${go}, seconds: 50 } } ]] }]\n`,
  });
  const run = spawn(process.execPath, [PROGRAM, 'run'], { cwd: repo.root, stdio: 'ignore' });
  const ended = new Promise((resolve) => run.once('exit', resolve));
  type Lanes = { readonly lanes: readonly { readonly stage: string | null }[]; readonly run: object | null };
  let facts: Lanes = { lanes: [], run: null };
  while (facts.lanes[0]?.stage !== 'work' && run.exitCode === null)
    facts = (await repo.harness('status', '--json')).json() as Lanes;
  const text = await transcript(repo, ['status', 'items']);
  writeFileSync(go, '');
  await ended;
  expect(facts).toMatchObject({ run: { pid: run.pid, command: 'harness run' } });
  const seen = `${text}\n${plain(JSON.stringify(facts.lanes), repo)}\n`;
  expect(seen).toBe(golden('status-live', seen));
});
