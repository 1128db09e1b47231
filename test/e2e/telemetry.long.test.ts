// A run that sends what it did to a receiver of OpenTelemetry, and one whose receiver is down.
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { otlpReceiver, tracesShape } from '../support/otlp.ts';
import { CART_STEPS, makeRepo, PROGRAM, type Repo } from '../support/repo.ts';

const SCENARIO = JSON.stringify({
  schema: 1,
  sessions: [
    {
      when: { item: 2 },
      turns: [[...CART_STEPS, { usage: { input: 1_200, output: 34 } }, { claim: 2 }, { say: 'done' }]],
    },
    { when: {}, repeat_last: true, turns: [[{ say: 'nothing to do' }]] },
  ],
});
const working = (): Repo => makeRepo({ '.scenario.yaml': SCENARIO });

const run = (repo: Repo, env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<number | null> =>
  new Promise((done) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: repo.root,
      env: { ...repo.env, ...env },
      stdio: 'ignore',
    });
    child.on('close', done);
  });

test('a run sends its trace and metrics when it has ended, and again when asked', async () => {
  const repo = working();
  const receiver = await otlpReceiver();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=secret' };
  expect(await run(repo, env, 'run')).toBe(0);
  const taken = await receiver.of(2);
  expect(taken.map(({ path }) => path)).toEqual(['/v1/traces', '/v1/metrics']);
  expect(taken[0]?.headers['api-key']).toBe('secret');
  const spansOf = (body: unknown) => tracesShape.parse(body).resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  const first = spansOf(taken[0]?.body);
  expect(first.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['harness run', 'invoke_agent coding', 'turn', 'check', 'proof']),
  );
  expect(JSON.stringify(taken)).not.toContain('fill a cart');
  expect(await run(repo, env, 'telemetry')).toBe(0);
  expect(spansOf((await receiver.of(4))[2]?.body)).toEqual(first);
});

test('the configuration names a receiver too; one that is down neither fails the run nor holds it up', async () => {
  const repo = working();
  repo.write('.harness.yaml', `${repo.read('.harness.yaml')}telemetry: { endpoint: "http://127.0.0.1:1" }\n`);
  repo.git('commit', '-qam', 'telemetry');
  expect(await run(repo, {}, 'run')).toBe(0);
  const off = await repo.harness('telemetry', 'r-none');
  expect(off.stderr).toContain('run-unknown');
});

test('without a receiver nothing is sent, and the command says so', async () => {
  const repo = working();
  expect(await run(repo, {}, 'run')).toBe(0);
  const sent = await repo.harness('telemetry', '--json');
  expect([sent.code, sent.json()]).toMatchObject([0, { schema: 'harness.telemetry/1', sent_to: [], failed: null }]);
});
