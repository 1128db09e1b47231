// What every agent adapter must hold, through the port and through the wrapper process. A provider brings its runner and
// a way to script what its agent does; the suite brings the claims.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openHostedSession, type HostedOptions } from '../../src/agents/host/client.ts';
import { openWrapperPool } from '../../src/agents/host/wrapper-pool.ts';
import type { WrapperProcess } from '../../src/agents/host/wrapper-process.ts';
import type { TurnLimits } from '../../src/agents/host/turn-limits.ts';
import { readTurn } from '../../src/agents/host/turn-results.ts';
import { toolPolicy } from '../../src/agents/policy.ts';
import type { AgentRunner, SessionSpec } from '../../src/agents/port.ts';
import { endOrphans, findOrphans } from '../../src/host/process-tree.ts';
import type { AgentConfig } from '../../src/model/config.ts';
import type { AgentEvent } from '../../src/model/event.ts';

/** What a scripted provider can do in a turn. */
export type ScriptStep =
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  /** A shell command as a tool call of the agent's own. */
  | {
      readonly do: 'run';
      readonly command: string;
      /** The agent asks first, where asking is its own choice. */
      readonly asks?: boolean;
    }
  | { readonly do: 'usage'; readonly input: number; readonly output: number; readonly cached: number }
  /** The agent says nothing more and does not end. */
  | { readonly do: 'hang' }
  /** The agent's process dies. */
  | { readonly do: 'crash' }
  /** The provider refuses the login. */
  | { readonly do: 'auth-failure' }
  | { readonly do: 'flood'; readonly bytes: number };
export type AgentScript = readonly (readonly ScriptStep[])[];
export type Place = { readonly lane: string; readonly home: string };
export type ScriptedWorld = {
  readonly agent: AgentConfig;
  readonly env: { readonly [name: string]: string };
  readonly dispose: () => Promise<void>;
};
export type AgentSetup = {
  readonly runner: () => Promise<AgentRunner>;
  /** A world in which the agent does one list of steps a turn. */
  readonly world: (script: AgentScript, place: Place) => Promise<ScriptedWorld>;
  /** A configuration whose program is not on this machine; null: it comes with the harness. */
  readonly missing:
    | null
    | ((place: Place) => { readonly agent: AgentConfig; readonly env: { readonly [name: string]: string } });
};

const WRAPPER = fileURLToPath(new URL('../../src/agents/host/main.ts', import.meta.url));
const DRIVER = fileURLToPath(new URL('./driver-process.ts', import.meta.url));
const GENEROUS: TurnLimits = { wallMs: 60_000, idleMs: 60_000, outputBytes: 10_000_000 };
/** The client of a session waits so much longer than the wrapper for the end of a turn. */
const PATIENCE_MS = 500;
const SLOW_TOOL = 'node -e "setTimeout(() => {}, 300000)"';
const PROMPT = 'Do what is needed.\n\n## Runtime context\nROLE=coding\nITEM=1\nATTEMPT=1\n';

export function agentContract(name: string, setup: AgentSetup): void {
  const { missing } = setup;
  const cleanups: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    vi.useRealTimers();
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  function place(): Place & { token: string; results: string } {
    const root = mkdtempSync(join(tmpdir(), 'agents-contract-'));
    const token = `contract-${randomUUID()}`;
    const made = { lane: join(root, 'lane'), home: join(root, 'home'), results: join(root, 'results'), token };
    for (const folder of [made.lane, made.home]) mkdirSync(folder);
    cleanups.push(async () => {
      await endOrphans(token, 0);
      rmSync(root, { recursive: true, force: true });
    });
    return made;
  }
  async function specFor(script: AgentScript): Promise<{ spec: SessionSpec; results: string }> {
    const { lane, home, token, results } = place();
    const world = await setup.world(script, { lane, home });
    cleanups.push(world.dispose);
    const spec = { agent: world.agent, mode: 'exec', cwd: lane, token, env: world.env, resume: null, home } as const;
    return { spec, results };
  }
  async function open(spec: SessionSpec) {
    const runner = await setup.runner();
    const session = await runner.open(spec, toolPolicy(spec.cwd, spec.mode));
    cleanups.push(() => session.close());
    return session;
  }
  function hosted(
    spec: SessionSpec,
    results: string,
    limits: Partial<TurnLimits> = {},
    patienceMs = 20_000,
    wrapper?: WrapperProcess,
  ) {
    const events: AgentEvent[] = [];
    const stop = new AbortController();
    const session = openHostedSession({
      ...hostedOptions(spec, results, { ...GENEROUS, ...limits }),
      patienceMs,
      ...(wrapper === undefined ? {} : { wrapper }),
      onEvent: (_, event) => events.push(event),
      signal: stop.signal,
    });
    cleanups.push(async () => void (await session.close()));
    return { session, events, stop };
  }
  const gone = (token: string) => expect.poll(() => findOrphans(token), { timeout: 20_000 }).toEqual([]);
  const seen = (events: readonly AgentEvent[], t: AgentEvent['t']) =>
    expect.poll(() => events.some((event) => event.t === t), { timeout: 30_000 }).toBe(true);

  describe(`${name}: a session`, () => {
    test('a turn changes the lane, and its events come in order before its result', async () => {
      const { spec } = await specFor([
        [
          { do: 'write', path: 'made.txt', text: 'by the agent\n' },
          { do: 'say', text: 'All done.' },
          { do: 'usage', input: 100, output: 20, cached: 7 },
        ],
      ]);
      const session = await open(spec);
      const events: AgentEvent[] = [];
      const result = await session.turn(PROMPT, (event) => events.push(event));
      const atResult = events.length;
      expect(result).toMatchObject({ end: 'end-turn' });
      expect(result.text).toContain('All done.');
      expect(readFileSync(join(spec.cwd, 'made.txt'), 'utf8')).toBe('by the agent\n');
      expect(events[0]).toMatchObject({ t: 'session', id: session.id() });
      const order = events
        .map((event) => event.t)
        .filter((t) => ['tool-start', 'tool-end', 'text', 'usage'].includes(t));
      expect(order.indexOf('tool-start')).toBeGreaterThanOrEqual(0);
      expect(order.indexOf('tool-start')).toBeLessThan(order.indexOf('tool-end'));
      expect(order.indexOf('tool-end')).toBeLessThan(order.lastIndexOf('text'));
      await session.close();
      expect(events.length).toBe(atResult);
    });

    test('the second turn goes on where the first ended, and its usage is its own', async () => {
      const { spec } = await specFor([
        [
          { do: 'say', text: 'first' },
          { do: 'usage', input: 100, output: 20, cached: 0 },
        ],
        [
          { do: 'write', path: 'second.txt', text: '2' },
          { do: 'usage', input: 30, output: 5, cached: 0 },
        ],
      ]);
      const session = await open(spec);
      const first = await session.turn(PROMPT, () => undefined);
      const id = session.id();
      expect(existsSync(join(spec.cwd, 'second.txt'))).toBe(false);
      const second = await session.turn(PROMPT, () => undefined);
      expect(existsSync(join(spec.cwd, 'second.txt'))).toBe(true);
      expect(session.id()).toBe(id);
      expect(first.usage).toMatchObject({ outputTokens: 20 });
      expect(second.usage).toMatchObject({ outputTokens: 5 });
    });

    test('a resumed session remembers, where the adapter says it can', async () => {
      const { capabilities } = await setup.runner();
      const { spec } = await specFor([
        [{ do: 'say', text: 'first' }],
        [{ do: 'write', path: 'resumed.txt', text: 'remembered' }],
      ]);
      const first = await open(spec);
      await first.turn(PROMPT, () => undefined);
      await first.close();
      const id = first.id();
      const again = await open({
        ...spec,
        resume: capabilities.resume && id !== null ? { id, costUsd: null } : null,
      });
      const result = await again.turn(`${PROMPT}\nGo on.`, () => undefined);
      expect(result.end).toBe('end-turn');
      expect(existsSync(join(spec.cwd, 'resumed.txt'))).toBe(capabilities.resume);
    });

    test('aborting in the middle of a tool ends the turn, closing ends the whole tree', async () => {
      const { spec } = await specFor([
        [
          { do: 'run', command: SLOW_TOOL },
          { do: 'say', text: 'never' },
        ],
      ]);
      const session = await open(spec);
      const events: AgentEvent[] = [];
      const turn = session.turn(PROMPT, (event) => events.push(event));
      await seen(events, 'tool-start');
      expect(findOrphans(spec.token)).not.toEqual([]);
      await session.abort();
      expect(await turn).toMatchObject({ end: 'aborted' });
      await session.close();
      await gone(spec.token);
    });

    test('closing over a running turn ends it and the tree, twice without harm', async () => {
      const { spec } = await specFor([[{ do: 'run', command: SLOW_TOOL }]]);
      const session = await open(spec);
      const events: AgentEvent[] = [];
      const turn = session.turn(PROMPT, (event) => events.push(event));
      await seen(events, 'tool-start');
      await Promise.all([session.close(), session.close()]);
      expect(await turn).toMatchObject({ end: 'aborted' });
      await gone(spec.token);
    });

    test('an agent that dies is a crashed agent', async () => {
      const { spec } = await specFor([[{ do: 'say', text: 'so far' }, { do: 'crash' }]]);
      const session = await open(spec);
      const result = await session.turn(PROMPT, () => undefined);
      expect(result).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-crashed', policy: 'retry' } });
      await session.close();
      await gone(spec.token);
    });

    test('a refused login is told as such, and waits for a person', async () => {
      const { spec } = await specFor([[{ do: 'auth-failure' }]]);
      const result = await (await open(spec)).turn(PROMPT, () => undefined);
      expect(result).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-auth', policy: 'needs-human' } });
    });

    test.runIf(missing !== null)('an agent that is not installed is told before and when it is asked', async () => {
      const where = place();
      const { agent, env } = missing!(where);
      const runner = await setup.runner();
      expect(await runner.probe(agent)).toMatchObject({ ready: false, failure: { reason: 'agent-not-installed' } });
      const { lane: cwd, home, token } = where;
      const session = await open({ agent, mode: 'exec', cwd, home, token, env, resume: null });
      const result = await session.turn(PROMPT, () => undefined);
      expect(result).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-not-installed' } });
    });

    test('aborting without a turn changes nothing', async () => {
      const { spec } = await specFor([[{ do: 'say', text: 'hello' }]]);
      const session = await open(spec);
      await session.abort();
      expect(await session.turn(PROMPT, () => undefined)).toMatchObject({ end: 'end-turn' });
    });
  });

  describe(`${name}: hosted in its own process`, () => {
    test('an outcome is durable, counts the tool calls and names the session to resume', async () => {
      const { spec, results } = await specFor([
        [
          { do: 'write', path: 'a.txt', text: 'a' },
          { do: 'say', text: 'written' },
          { do: 'usage', input: 9, output: 4, cached: 0 },
        ],
      ]);
      const { session, events } = hosted(spec, results);
      const outcome = await session.turn(1, PROMPT);
      expect(outcome).toMatchObject({ end: 'end-turn', failure: null, toolCalls: 1, usage: { outputTokens: 4 } });
      expect(outcome.resume).not.toBeNull();
      expect(readTurn(results, 1)).toEqual(outcome);
      expect(readTurn(results, 2)).toBeNull();
      const lines = readFileSync(join(results, 'events.jsonl'), 'utf8').trim().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as AgentEvent).t)).toEqual(events.map((event) => event.t));
      expect(await session.close()).toMatchObject({ outputTokens: 4 });
      await gone(spec.token);
    });

    test('a refused command does not happen, the agent is told why, and it goes on', async () => {
      const { spec, results } = await specFor([
        [
          { do: 'run', command: 'touch pushed.txt; git push origin main', asks: true },
          { do: 'run', command: 'echo x > ../outside.txt', asks: true },
          { do: 'write', path: 'kept.txt', text: 'honest' },
        ],
      ]);
      const { session, events } = hosted(spec, results);
      expect(await session.turn(1, PROMPT)).toMatchObject({ end: 'end-turn' });
      const there = ['pushed.txt', '../outside.txt', 'kept.txt'].map((path) => existsSync(join(spec.cwd, path)));
      expect(there).toEqual([false, false, true]);
      expect(events.filter((event) => event.t === 'permission' && event.decision === 'deny')).toMatchObject([
        { why: 'git-push', about: 'git push origin main' },
        { why: 'outside-the-lane', about: '../outside.txt' },
      ]);
      const ends = events.filter((event) => event.t === 'tool-end').map(({ ok, output }) => `${ok} ${output}`);
      expect(ends.slice(0, 2)).toEqual([
        expect.stringMatching(/^false [^]*git-push[^]*The harness pushes accepted work/),
        expect.stringMatching(/^false [^]*outside-the-lane[^]*Write inside the project/),
      ]);
      expect(events.filter((event) => event.t === 'violation')).toEqual([]);
    });

    test('a target that is only known at run time is refused without a box, and allowed in one', async () => {
      const command = 'echo x > "${NO_SUCH_VARIABLE:-made.txt}"';
      const made = async (box: Pick<SessionSpec, 'box'>): Promise<readonly unknown[]> => {
        const { spec, results } = await specFor([[{ do: 'run', command, asks: true }]]);
        const { session, events } = hosted({ ...spec, ...box }, results);
        expect(await session.turn(1, PROMPT)).toMatchObject({ end: 'end-turn' });
        const denied = events.flatMap((event) =>
          event.t === 'permission' && event.decision === 'deny' ? [event.why] : [],
        );
        return [existsSync(join(spec.cwd, 'made.txt')), denied];
      };
      expect(await made({})).toEqual([false, ['target-unknown']]);
      // Starts the agent's programs as they are: what a box does is tested elsewhere.
      expect(await made({ box: { argv: ['/usr/bin/env'], env: {}, without: [] } })).toEqual([true, []]);
    });

    test('what was done without asking is noticed; who is asked for every call cannot', async () => {
      const { policy } = (await setup.runner()).capabilities;
      const { spec, results } = await specFor([[{ do: 'run', command: 'echo x > ../outside.txt' }]]);
      const { session, events } = hosted(spec, results);
      await session.turn(1, PROMPT);
      const isAlways = policy === 'every-call';
      expect(existsSync(join(spec.cwd, '../outside.txt'))).toBe(!isAlways);
      expect(events.filter((event) => event.t === 'violation')).toMatchObject(
        isAlways ? [] : [{ why: 'outside-the-lane', about: '../outside.txt', done: true }],
      );
    });

    test('an agent that hangs is ended by the idle limit', async () => {
      const { spec, results } = await specFor([[{ do: 'say', text: 'thinking' }, { do: 'hang' }]]);
      const { session } = hosted(spec, results, { idleMs: 1_500 });
      expect(await session.turn(1, PROMPT)).toMatchObject({ end: 'idle-limit', failure: null });
      expect(readTurn(results, 1)).toMatchObject({ end: 'idle-limit' });
      await session.close();
      await gone(spec.token);
    });

    test('a turn that takes too long is ended by the wall limit', async () => {
      const { spec, results } = await specFor([[{ do: 'run', command: SLOW_TOOL }]]);
      const { session } = hosted(spec, results, { wallMs: 1_500 });
      expect(await session.turn(1, PROMPT)).toMatchObject({ end: 'wall-limit' });
      await session.close();
      await gone(spec.token);
    });

    test('an agent that floods is ended by the output limit, and little of the flood is kept', async () => {
      const { spec, results } = await specFor([[{ do: 'flood', bytes: 3_000_000 }]]);
      const { session } = hosted(spec, results, { outputBytes: 200_000 });
      const outcome = await session.turn(1, PROMPT);
      expect(outcome).toMatchObject({ end: 'output-limit' });
      expect(outcome.text.length).toBeLessThanOrEqual(4_000);
      expect(readFileSync(join(results, 'events.jsonl')).length).toBeLessThan(1_000_000);
    });

    test('the driver can abort a turn, by order and by signal', async () => {
      const { spec, results } = await specFor([
        [{ do: 'run', command: SLOW_TOOL }],
        [{ do: 'run', command: SLOW_TOOL }],
      ]);
      const { session, events, stop } = hosted(spec, results);
      const first = session.turn(1, PROMPT);
      await seen(events, 'tool-start');
      await session.abort();
      expect(await first).toMatchObject({ end: 'aborted' });
      events.length = 0;
      const second = session.turn(2, PROMPT);
      await seen(events, 'tool-start');
      stop.abort();
      expect(await second).toMatchObject({ end: 'aborted' });
      await session.close();
      await gone(spec.token);
    });

    test('a wrapper that is stopped is given up after the wall limit, and nothing of it is left', async () => {
      const { spec, results } = await specFor([[{ do: 'run', command: SLOW_TOOL }]]);
      const { session, events } = hosted(spec, results, GENEROUS, PATIENCE_MS);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
      const turn = session.turn(1, PROMPT);
      await seen(events, 'tool-start');
      process.kill(session.pid!, 'SIGSTOP');
      vi.advanceTimersByTime(GENEROUS.wallMs + PATIENCE_MS);
      expect(await turn).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-crashed' } });
      await gone(spec.token);
    });

    test('a wrapper that is killed leaves a crashed agent and no process', async () => {
      const { spec, results } = await specFor([[{ do: 'run', command: SLOW_TOOL }]]);
      const { session, events } = hosted(spec, results);
      const turn = session.turn(1, PROMPT);
      await seen(events, 'tool-start');
      process.kill(session.pid!, 'SIGKILL');
      expect(await turn).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-crashed' } });
      expect(readTurn(results, 1)).toBeNull();
      await gone(spec.token);
    });

    test('a wrapper whose session ended as it should serves the next one; after an aborted turn it ends', async () => {
      const wrappers = openWrapperPool({ folder: place().results, token: `contract-${randomUUID()}` });
      cleanups.push(() => wrappers.end());
      const opened = async (script: AgentScript) => {
        const { spec, results } = await specFor(script);
        const { provider } = spec.agent;
        // Sessions of one project have the same variables, of which the wrapper gets a few.
        const wrapper = wrappers.take({ entry: WRAPPER, env: { PATH: process.env['PATH'] ?? '' }, provider });
        return { spec, results, wrapper, ...hosted(spec, results, {}, 20_000, wrapper) };
      };
      const first = await opened([[{ do: 'write', path: 'first.txt', text: '1' }]]);
      expect(await first.session.turn(1, PROMPT)).toMatchObject({ end: 'end-turn' });
      await first.session.close();
      expect(findOrphans(first.spec.token)).toEqual([]);
      const second = await opened([
        [{ do: 'write', path: 'second.txt', text: '2' }],
        [{ do: 'run', command: SLOW_TOOL }],
      ]);
      expect(second.session.pid).toBe(first.session.pid);
      const seenByFirst = first.events.length;
      expect(await second.session.turn(1, PROMPT)).toMatchObject({ end: 'end-turn' });
      expect(first.events.length).toBe(seenByFirst);
      expect(existsSync(join(second.spec.cwd, 'second.txt'))).toBe(true);
      expect(readTurn(second.results, 1)).toMatchObject({ end: 'end-turn' });
      second.events.length = 0;
      const cut = second.session.turn(2, PROMPT);
      await seen(second.events, 'tool-start');
      await second.session.abort();
      expect(await cut).toMatchObject({ end: 'aborted' });
      await second.session.close();
      await second.wrapper.ended;
      const third = await opened([[{ do: 'say', text: 'Done.' }]]);
      expect(third.session.pid).not.toBe(first.session.pid);
    });

    test('a driver killed in the middle of a turn leaves no process and no outcome', async () => {
      const { spec, results } = await specFor([[{ do: 'run', command: SLOW_TOOL }]]);
      const driver = startDriver(hostedOptions(spec, results, GENEROUS));
      cleanups.push(() => driver.kill());
      await driver.said('tool-start');
      driver.kill();
      await gone(spec.token);
      expect(readTurn(results, 1)).toBeNull();
    });

    test('the result of a turn survives the death of the driver that asked for it', async () => {
      const { spec, results } = await specFor([[{ do: 'write', path: 'kept.txt', text: 'k' }]]);
      const driver = startDriver(hostedOptions(spec, results, GENEROUS));
      cleanups.push(() => driver.kill());
      await driver.said('turn-ended');
      driver.kill();
      await gone(spec.token);
      expect(readTurn(results, 1)).toMatchObject({ end: 'end-turn', toolCalls: 1 });
    });
  });
}

function hostedOptions(spec: SessionSpec, results: string, limits: TurnLimits): DriverOrder {
  const { token, ...rest } = spec;
  return { entry: WRAPPER, spec: rest, token, results, limits };
}

/** What the driver process of the tests gets: options without functions. */
export type DriverOrder = Omit<HostedOptions, 'onEvent' | 'signal'>;

/** A driver in a process of its own, so that it can be killed. It asks for turn 1 and says what it hears. */
function startDriver(order: DriverOrder): { said: (word: string) => Promise<unknown>; kill: () => void } {
  const child: ChildProcess = spawn(process.execPath, [DRIVER], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin!.end(JSON.stringify({ order, prompt: PROMPT }));
  const words: string[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => words.push(line));
  return {
    said: (word) => expect.poll(() => words, { timeout: 30_000 }).toContain(word),
    kill: () => void child.kill('SIGKILL'),
  };
}
