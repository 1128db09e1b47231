// Failures of a provider, injected for real: the program itself and its own SDK against a model server that refuses, stalls and
// breaks. The harness treats each as docs/endurance.md says ("Outages").
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createControl, runLoop } from '../../src/app/run/run.ts';
import { openTarget } from '../../src/app/open/target.ts';
import { sampleOfRows } from '../support/effort.ts';
import { call, fail, say, type Script, type Step } from './fake-anthropic.ts';
import { harnessPlace, honestWork, type Place } from './harness-lab.ts';

const MODE = { work: true, only: '1', untilDone: false, maxSessions: 1, maxItems: null };
const home = process.env['HOME'];
afterEach(() => {
  process.env['HOME'] = home;
});
let waits: number[] = [];
beforeEach(() => {
  waits = [];
});

/** A run in this process, where a wait is over at once and how long it would have been is kept. */
async function ran(place: Place & { readonly home?: string }) {
  process.env['HOME'] = place.repo.env['HOME'] ?? process.env['HOME'];
  const target = await openTarget(
    { repo: place.repo.root, configFile: null },
    { sleep: async (ms) => void waits.push(Math.round(ms / 1_000)) },
  );
  if (!target.ok) throw new Error(JSON.stringify(target.failure));
  const watcher = { event: () => undefined, agent: () => undefined };
  const ended = await runLoop(target.value, MODE, 'harness run', createControl(), watcher);
  if (!ended.ok) throw new Error(JSON.stringify(ended.failure));
  return ended.value;
}
const place = async (script: (root: string) => Script, more = ''): Promise<Place> => {
  const made = await harnessPlace(script, { env: { API_TIMEOUT_MS: '3000', CLAUDE_CODE_MAX_RETRIES: '0' } });
  if (more !== '') {
    made.repo.write('.harness.yaml', `${made.repo.read('.harness.yaml')}${more}\n`);
    made.repo.git('commit', '-q', '-am', 'configured');
  }
  mkdirSync(join(made.repo.env['HOME'] ?? '', 'claude'), { recursive: true });
  return made;
};
/** One request fails, then an honest agent continues. */
const once =
  (...failing: readonly Step[]) =>
  (root: string): Script => [...failing, ...honestWork(root, 1, 'greet', 'greet'), say('Greeting is done.')];

describe('an outage that passes is waited for, and the work lands in the same session', () => {
  const passing: readonly [string, Step, number, string][] = [
    ['429', fail(429, 'rate_limit_error', 'slow down'), 30, ''],
    ['529', fail(529, 'overloaded_error', 'Overloaded'), 30, ''],
    ['500', fail(500, 'api_error', 'Internal server error'), 30, ''],
    ['a cut stream', { does: 'cut' }, 10, ''],
    ['a page instead of an answer', { does: 'html' }, 5, ''],
    ['silence before the first word', { does: 'hang' }, 5, ''],
    ['silence in the middle of the stream', { does: 'hang', after: 'Let me' }, 5, 'session: { idle_seconds: 4 }'],
  ];
  test.each(sampleOfRows(passing, 2, 2))('%s', async (_, step, seconds, config) => {
    // The program asks once more, in another way, where a stream broke: then that has to break too.
    const isBroken = step.does === 'cut' || step.does === 'html';
    const here = await place(once(step, ...(isBroken ? [step] : [])), config);
    expect(await ran(here)).toMatchObject({ result: 'landed', items: [{ id: '1', session: 1 }] });
    expect(waits.length).toBeGreaterThan(0);
    expect(waits[0]).toBeGreaterThanOrEqual(seconds);
    expect(waits[0]).toBeLessThanOrEqual(Math.ceil(seconds * 1.2));
  });
});

describe('an outage that does not pass', () => {
  const always =
    (step: Step) =>
    (root: string): Script =>
    (_, number) =>
      number === 0 ? call('Write', { file_path: join(root, 'src/half.mjs'), content: 'half\n' }) : step;

  test.each<[string, Step, number]>([
    ['429', fail(429, 'rate_limit_error', 'slow down'), 8],
    ['529', fail(529, 'overloaded_error', 'Overloaded'), 3],
  ])('%s ends the session with its work kept, and the run pauses', async (_, step, tries) => {
    const here = await place(always(step));
    expect(await ran(here)).toMatchObject({ result: 'paused' });
    expect(waits).toHaveLength(tries);
    expect(here.repo.git('show', 'refs/harness/wip/1:src/half.mjs')).toBe('half');
    expect(JSON.parse(here.repo.read('.harness/session_state.json'))).toMatchObject({ stuck_count: 0 });
  });

  test.each<[string, Step, string]>([
    ['401', fail(401, 'authentication_error', 'invalid x-api-key'), 'agent-auth'],
    ['403', fail(403, 'permission_error', 'not allowed'), 'agent-auth'],
    ['no credit', fail(400, 'invalid_request_error', 'Your credit balance is too low'), 'agent-billing'],
  ])('%s is a person’s business at once: nothing is tried again', async (_, step, reason) => {
    const here = await place(always(step));
    expect(await ran(here)).toMatchObject({ result: 'blocked', failure: { reason } });
    expect(waits).toEqual([]);
    expect(here.repo.git('for-each-ref', 'refs/harness/attempts')).not.toBe('');
  });

  test('a context that is full keeps the work for a continuation', async () => {
    const here = await place(always(fail(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000')));
    expect(await ran(here)).toMatchObject({ result: 'partial', reason: 'context_limit' });
    expect(here.repo.git('show', 'refs/harness/wip/1:src/half.mjs')).toBe('half');
  });
});

test('the model hears of its filling context in the middle of the turn, and hands over', async () => {
  const here = await place(
    (root) => [
      call('Write', { file_path: join(root, 'src/half.mjs'), content: 'half\n' }, { read: 7_600 }),
      call('Bash', { command: 'cat src/half.mjs', description: 'look' }, { read: 9_000 }),
      call(
        'Bash',
        { command: "echo 'HANDOVER: half is done' >> claude-progress.txt", description: 'note' },
        { read: 9_100 },
      ),
      say('Handed over.', { read: 9_200 }),
    ],
    'context: { window_tokens: 10000 }',
  );
  expect(await ran(here)).toMatchObject({ result: 'partial', reason: 'context_limit' });
  const heard = here.fake.asked.map(({ heard: all }) => all.map(({ text }) => text).join('\n'));
  expect(heard[1]).toMatch(/77 % of your context window is used/);
  expect(heard[2]).toMatch(/your context window is nearly full \(91 %\)/);
  expect(here.repo.git('log', '-1', '--format=%s', 'refs/harness/wip/1')).toBe(
    'WIP: Context limit - #1 User is greeted',
  );
  expect(here.repo.read('.git/harness/pending-log/1.json')).toContain('Noted by the agent: HANDOVER: half is done');
});
