// The session's monitor: which advice an agent gets and when it is ended, from what it does and what it reports.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../model/event.ts';
import {
  costSoFar,
  INITIAL_STATE,
  monitorStateSchema,
  nextCheckMs,
  withEvent,
  withPrompt,
  withTimePassed,
  withTurnEnded,
  type MonitorAction,
  type MonitorState,
} from './monitor.ts';
import type { MonitorRules } from './rules.ts';

const FREE = { usd: null, tokens: null, minutes: null };
const RULES: MonitorRules = {
  windowTokens: 1_000,
  warnShare: 0.75,
  forceShare: 0.9,
  checkTokens: 200,
  stuckChecks: 2,
  sameErrors: 5,
  stuckWords: 'You appear stuck.',
  warnMs: 50_000,
  wallMs: 60_000,
  quotaShare: 0.95,
  left: FREE,
  price: null,
  tests: ['make check-all'],
  notes: 'claude-progress.txt',
};
const context = (used: number, more: Partial<Extract<AgentEvent, { t: 'context' }>> = {}): AgentEvent => ({
  t: 'context',
  used,
  window: null,
  costUsd: null,
  ...more,
});
const usage = (outputTokens: number, costUsd: number | null = null): AgentEvent => ({
  t: 'usage',
  inputTokens: 0,
  outputTokens,
  cachedTokens: 0,
  costUsd,
});
const call = (command: string): AgentEvent => ({ t: 'tool-start', id: '1', name: 'Bash', input: { command } });
const failed = (output: string): AgentEvent => ({ t: 'tool-end', id: '1', ok: false, output });
const changed: AgentEvent = { t: 'file-change', path: 'a.ts', change: 'update' };

/** Plays events one millisecond apart; `said` has the actions in short. */
function play(events: readonly AgentEvent[], rules: Partial<MonitorRules> = {}, from: MonitorState = INITIAL_STATE) {
  let state = from;
  const actions: MonitorAction[] = [];
  events.forEach((event, n) => {
    const result = withEvent(state, event, { ...RULES, ...rules }, n);
    state = result.state;
    actions.push(...result.actions);
  });
  return { state, actions, said: actions.map((o) => (o.do === 'stop' ? `stop ${o.why}` : `${o.do} ${o.say}`)) };
}

describe('the context window', () => {
  test('at half there is nothing, at three quarters a warning, at nine tenths the wrap-up, and full is the end', () => {
    const busy = [400, 600, 760, 800, 910, 950, 1_000].flatMap((used) => [changed, context(used)]);
    expect(play(busy).said).toEqual(['say context-warning', 'wrap-up context-wrap-up', 'stop context-limit']);
    expect(play(busy).actions[0]).toMatchObject({ params: { percent: 76, notes: 'claude-progress.txt' } });
  });

  test('an agent that continues after the wrap-up is ended a tenth of the window later, or after five minutes', () => {
    const wrapping = play([changed, context(900)]);
    expect(wrapping.said).toEqual(['wrap-up context-wrap-up']);
    expect(withTimePassed(wrapping.state, RULES, 299_000).actions).toEqual([]);
    expect(nextCheckMs({ ...wrapping.state, told: ['time-warning'] }, RULES, 0)).toBeGreaterThan(299_000);
    expect(withTimePassed(wrapping.state, RULES, 301_000).actions).toEqual([{ do: 'stop', why: 'context-limit' }]);
    const reading = play(
      [context(850), context(990)],
      {},
      { ...wrapping.state, context: { ...wrapping.state.context, window: 5_000 } },
    );
    expect(reading.said).toEqual(['stop context-limit']);
  });

  test('the agent’s own window counts where it is smaller than the configured one', () => {
    expect(play([changed, context(450, { window: 500 })]).said).toEqual(['wrap-up context-wrap-up']);
    expect(play([changed, context(450, { window: 1_000_000 })]).said).toEqual([]);
  });

  test('an agent that reports nothing is measured by its text, including its prompt and the output of its tools', () => {
    const prompted = withPrompt(INITIAL_STATE, 'x'.repeat(2_000));
    expect(prompted.context).toMatchObject({ used: 500, source: 'estimated' });
    const { state, said } = play(
      [changed, { t: 'tool-end', id: '1', ok: true, output: 'y'.repeat(1_640) }],
      {},
      prompted,
    );
    expect(state.context.used).toBe(910);
    expect(said).toEqual(['wrap-up context-wrap-up']);
    expect(play([context(300), { t: 'text', text: 'z'.repeat(40_000) }], {}, prompted).state.context).toMatchObject({
      used: 300,
      source: 'reported',
    });
  });

  test('a compaction by the agent’s own program is counted, and the lower fill applies', () => {
    const { state } = play([context(800), { t: 'compacted' }, context(200)]);
    expect(state.context).toMatchObject({ used: 200, compacted: 1 });
  });
});

describe('progress', () => {
  test('an agent that only reads and talks is warned at the first check and has to wrap up at the second', () => {
    const { said, actions } = play([100, 210, 310, 420, 510].map((used) => context(used)));
    expect(said).toEqual(['say stuck', 'wrap-up stuck-wrap-up']);
    expect(actions[0]).toMatchObject({ params: { words: 'You appear stuck.' } });
  });

  test.each<[string, readonly AgentEvent[]]>([
    ['a file that changes', [changed]],
    ['an edit by a tool', [{ t: 'tool-start', id: '1', name: 'Edit', input: { file_path: 'a' } }]],
    ['a shell line that writes', [call('printf x > a.txt')]],
    ['a known test runner', [call('npx vitest run')]],
    ['the project’s own test command', [call('make  check-all')]],
    ['the output of a test run', [{ t: 'tool-end', id: '1', ok: true, output: '3 passed, 1 failed' }]],
    ['three commands', [call('ls'), call('ls'), call('ls')]],
  ])('%s is progress', (_, signs) => {
    expect(play([context(1), ...signs, context(210)]).said).toEqual([]);
  });

  test.each<[string, readonly AgentEvent[]]>([
    ['two commands', [call('ls'), call('git diff 2>&1')]],
    ['text', [{ t: 'text', text: '12 passed' }]],
    ['a command that discards its output', [call('ls > /dev/null')]],
  ])('%s: no progress', (_, signs) => {
    expect(play([context(1), ...signs, context(210)]).said).toEqual(['say stuck']);
  });

  test('progress in between resets the count', () => {
    expect(play([1, 210].map((used) => context(used)).concat([changed, context(420), context(640)])).said).toEqual([
      'say stuck',
      'say stuck',
    ]);
  });

  test('an agent that reads the same context again and again uses no new one', () => {
    expect(play(Array.from({ length: 50 }, () => context(150))).said).toEqual([]);
  });

  test('an error that was met five times is named once, whatever line, folder or number it came with', () => {
    const errors = [1, 2, 3, 4, 5, 6].map((n) =>
      failed(`\n  Error: ENOENT /tmp/x${n}/a.json:${n}0 at 0xdeadbee${n}\n more`),
    );
    const { said, actions } = play(errors.flatMap((event) => [changed, event]));
    expect(said).toEqual(['say same-error']);
    expect(actions[0]).toMatchObject({ params: { count: 5, error: 'Error: ENOENT a.json:# at #' } });
    expect(play([1, 2, 3, 4, 5].map((n) => failed(`Error ${'abcde'[n - 1] ?? ''}: other`))).said).toEqual([]);
  });
});

describe('time and money', () => {
  test('before the wall limit the agent gets the remaining time, once, over all its turns', () => {
    const first = withTurnEnded(INITIAL_STATE, 45_000);
    expect(nextCheckMs(first, RULES, 0)).toBe(5_000);
    const warned = withTimePassed(first, { ...RULES, wallMs: 600_000 }, 5_000);
    expect(warned.actions).toMatchObject([{ do: 'say', say: 'time-warning', params: { minutes: 9 } }]);
    expect(withTimePassed(warned.state, RULES, 9_000).actions).toEqual([]);
  });

  test('a budget applies to what the provider reports, to its running total, or to the price of the tokens', () => {
    const rules = { left: { ...FREE, usd: 1 }, price: { input: 1, output: 10, cached: 0 } };
    expect(play([usage(10, 0.5), usage(10, 0.45)], rules).said).toEqual(['wrap-up budget-wrap-up']);
    expect(play([context(1, { costUsd: 0.95 }), context(2, { costUsd: 1.2 })], rules).said).toEqual([
      'wrap-up budget-wrap-up',
      'stop budget-limit',
    ]);
    expect(play([usage(50_000), usage(50_000)], rules).said).toEqual(['stop budget-limit']);
    expect(play([usage(1e9)], { ...rules, price: null }).said).toEqual([]);
  });

  test('tokens are those that the agent reports; until it does, those by which its context has grown', () => {
    const rules = { left: { ...FREE, tokens: 100 }, windowTokens: 10_000 };
    expect(play([usage(50), usage(39)], rules).said).toEqual([]);
    expect(play([usage(50), usage(40)], rules).said).toEqual(['wrap-up budget-wrap-up']);
    expect(play([usage(100)], rules).said).toEqual(['stop budget-limit']);
    expect(play([context(60), context(95)], rules).said).toEqual(['wrap-up budget-wrap-up']);
    // What its cache holds is in the context, and not in the tokens.
    expect(play([usage(5), context(5_000), usage(5)], rules).said).toEqual([]);
    const first = withTurnEnded(play([usage(60)], rules).state, 1);
    expect(play([usage(40)], rules, first).said).toEqual(['stop budget-limit']);
  });

  test('minutes pass without an event, and the next look is when they matter', () => {
    const rules = { ...RULES, left: { ...FREE, minutes: 0.5 } };
    const first = withTurnEnded(INITIAL_STATE, 10_000);
    expect(nextCheckMs(first, rules, 0)).toBe(17_000);
    const late = withTimePassed(first, rules, 17_000);
    expect(late.actions).toMatchObject([{ do: 'wrap-up', say: 'budget-wrap-up' }]);
    expect(nextCheckMs(late.state, rules, 17_000)).toBe(3_000);
    expect(withTimePassed(late.state, rules, 20_000).actions).toEqual([{ do: 'stop', why: 'budget-limit' }]);
  });

  test('the provider’s figure for a turn replaces the prices of its requests', () => {
    const { state } = play([usage(50_000), usage(0, 0.2)], { price: { input: 1, output: 10, cached: 0 } });
    expect(costSoFar(state)).toBeCloseTo(0.2);
  });

  test('near the end of a quota the session hands over: at the configured share, or before two more requests would exceed it', () => {
    const quota = (used: number, window = '5h'): AgentEvent => ({ t: 'quota', window, used, resetsAt: null });
    expect(play([quota(0.5), quota(0.94)]).said).toEqual(['wrap-up quota-wrap-up']);
    expect(play([quota(0.9), quota(0.92), quota(0.94)]).said).toEqual([]);
    expect(play([quota(0.94), quota(0.95)]).said).toEqual(['wrap-up quota-wrap-up']);
    expect(play([quota(0.6), quota(0.7)]).said).toEqual([]);
    expect(play([quota(0.6), quota(0.74)]).said).toEqual(['wrap-up quota-wrap-up']);
    expect(play([quota(0.1), quota(0.8, '7d')]).said).toEqual([]);
    const { actions } = play([quota(0.973)]);
    expect(actions[0]).toMatchObject({ why: 'quota-limit', params: { percent: 97, window: '5h' } });
  });

  test('earlier turns of the session count', () => {
    const first = withTurnEnded(play([usage(1, 0.6)], { left: { ...FREE, usd: 1 } }).state, 1);
    expect(play([usage(1, 0.5)], { left: { ...FREE, usd: 1 } }, first).said).toEqual(['stop budget-limit']);
  });
});

const anyEvent = fc.oneof(
  fc.record({
    t: fc.constant('context' as const),
    used: fc.nat(1_200),
    window: fc.constantFrom(null, 800),
    costUsd: fc.constant(null),
  }),
  fc.record({ t: fc.constant('text' as const), text: fc.string({ maxLength: 2_000 }) }),
  fc.nat(20).map((n) => failed(`Error: ${n % 3}`)),
  fc.constantFrom(changed, call('ls'), usage(5, 0.1), usage(5), { t: 'compacted' } as AgentEvent),
);

test('whatever an agent does, only the end follows the wrap-up, and no advice is given twice', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 80 }), (events) => {
      const { actions } = play(events, { left: { ...FREE, usd: 3 } });
      const wrap = actions.findIndex((o) => o.do === 'wrap-up');
      if (wrap >= 0) expect(actions.slice(wrap + 1).every((o) => o.do === 'stop')).toBe(true);
      const once = actions.flatMap((o) =>
        o.do === 'say' && o.say !== 'stuck' ? [JSON.stringify([o.say, o.params['error'] ?? ''])] : [],
      );
      expect(new Set(once).size).toBe(once.length);
    }),
  );
});

test('the state survives being stored: a later process continues from it to the same end', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), fc.nat(40), (events, at) => {
      const half = play(events.slice(0, at));
      const again = play(events.slice(at), {}, monitorStateSchema.parse(JSON.parse(JSON.stringify(half.state))));
      expect([...half.said, ...again.said]).toEqual(play(events).said);
    }),
  );
});
