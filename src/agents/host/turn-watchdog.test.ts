// Limits of a turn: advice reaches the agent in the way it can receive it, and a limit ends the turn.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { realIo } from '../../host/io.ts';
import type { AgentEvent } from '../../model/event.ts';
import { NO_USAGE } from '../../model/usage.ts';
import type { MonitorRules } from '../monitor/rules.ts';
import type { AgentSession, Capabilities, TurnResult } from '../port.ts';
import { openTurns } from './turns.ts';

let results = '';
beforeEach(() => {
  results = mkdtempSync(join(tmpdir(), 'turn-watchdog-'));
});
afterEach(() => rmSync(results, { recursive: true, force: true }));

const RULES: MonitorRules = {
  windowTokens: 1_000,
  warnShare: 0.75,
  forceShare: 0.9,
  checkTokens: 1e9,
  stuckChecks: 2,
  sameErrors: 5,
  stuckWords: '',
  warnMs: 1e9,
  wallMs: 1e9,
  quotaShare: 0.95,
  left: { usd: 1, tokens: null, minutes: null },
  price: null,
  tests: [],
  notes: 'notes.txt',
};
const fill = (used: number): AgentEvent => ({ t: 'context', used, window: null, costUsd: null });
const paid = (costUsd: number): AgentEvent => ({
  t: 'usage',
  inputTokens: 1,
  outputTokens: 1,
  cachedTokens: 0,
  costUsd,
});
const used = { ...NO_USAGE, outputTokens: 1, source: 'reported' as const };

type Say = (event: AgentEvent) => void;
/** A scripted agent: each of `turns` handles one prompt; a turn that waits ends when it is cut. */
function agent(
  inject: Capabilities['inject'],
  turns: readonly ((say: Say, cut: Promise<void>) => Promise<'end' | 'cut'>)[],
) {
  const received: string[] = [];
  let prompts = 0;
  let cut = Promise.withResolvers<void>();
  const session: AgentSession = {
    id: () => 'id',
    async turn(prompt, onEvent): Promise<TurnResult> {
      received.push(prompt);
      cut = Promise.withResolvers<void>();
      const how = await turns[prompts++]?.(onEvent, cut.promise);
      return { end: how === 'end' ? 'end-turn' : 'aborted', text: '', usage: used };
    },
    inject(text) {
      received.push(`> ${text}`);
      return Promise.resolve(inject === 'mid-turn' ? 'delivered' : 'next-turn');
    },
    abort: () => Promise.resolve(cut.resolve()),
    close: () => Promise.resolve(cut.resolve()),
  };
  const limits: Extract<AgentEvent, { t: 'limit' }>[] = [];
  const open = (rules: Partial<MonitorRules> = {}) =>
    openTurns({
      session,
      results,
      limits: { wallMs: 1e9, idleMs: 1e9, outputBytes: 1e9 },
      monitor: { rules: { ...RULES, ...rules }, inject, adviceText: (say) => say },
      clock: { now: () => 1_000, iso: () => '2030-01-01T00:00:00.000Z' },
      io: realIo(),
      redact: (text) => text,
      onEvent: (_, event) => void (event.t === 'limit' && limits.push(event)),
    });
  return { open, received, limits };
}
const until = async (cut: Promise<void>): Promise<'cut'> => {
  await cut;
  return 'cut';
};

describe('an agent that takes messages during a turn', () => {
  test('is warned and asked to wrap up without its turn being cut', async () => {
    const { open, received, limits } = agent('mid-turn', [
      async (say) => {
        say(fill(800));
        say(fill(920));
        return 'end';
      },
    ]);
    expect(await open().run(1, 'work')).toMatchObject({ end: 'end-turn', wrapUp: 'context-limit' });
    expect(received).toEqual(['work', '> context-warning', '> context-wrap-up']);
    expect(limits).toMatchObject([
      { limit: 'context-warning', did: 'told', how: 'delivered', used: 800, window: 1_000, source: 'reported' },
      { limit: 'context-wrap-up', did: 'wrap-up', how: 'delivered' },
    ]);
  });
});

describe('an agent that only takes prompts', () => {
  test('is cut to be asked to wrap up, in the same session and turn, and the usage of both parts counts', async () => {
    const { open, received, limits } = agent('next-turn', [
      async (say, cut) => {
        say(fill(800));
        say(fill(920));
        return until(cut);
      },
      async () => 'end',
    ]);
    const outcome = await open().run(1, 'work');
    expect(outcome).toMatchObject({ end: 'end-turn', wrapUp: 'context-limit', usage: { outputTokens: 2 } });
    expect(received).toEqual(['work', '> context-warning', 'context-wrap-up']);
    expect(limits.map(({ how }) => how)).toEqual(['next-turn', 'new-turn']);
  });

  test('and continues nevertheless is ended when the window is full', async () => {
    const { open } = agent('next-turn', [
      async (say, cut) => {
        say(fill(920));
        return until(cut);
      },
      async (say, cut) => {
        say(fill(1_001));
        return until(cut);
      },
    ]);
    expect(await open().run(1, 'work')).toMatchObject({ end: 'context-limit', wrapUp: 'context-limit', failure: null });
  });

  test('that ended by itself before it was cut has its own end', async () => {
    const { open, received } = agent('none', [
      async (say) => {
        say(fill(920));
        return 'end';
      },
    ]);
    expect(await open().run(1, 'work')).toMatchObject({ end: 'end-turn', wrapUp: 'context-limit' });
    expect(received).toEqual(['work']);
  });
});

test('a budget that is used up during a turn ends it', async () => {
  const { open, limits } = agent('mid-turn', [
    async (say, cut) => {
      say(paid(1.5));
      return until(cut);
    },
  ]);
  expect(await open().run(1, 'work')).toMatchObject({ end: 'budget-limit' });
  expect(limits).toMatchObject([{ limit: 'budget-limit', did: 'ended' }]);
});

test('the running total of an agent that is asked to wrap up continues where it stopped', async () => {
  const total = (costUsd: number): AgentEvent => ({ t: 'context', used: 100, window: null, costUsd });
  const { open } = agent('next-turn', [
    async (say, cut) => {
      say(total(0.95));
      await cut;
      say(paid(0.95));
      return 'cut';
    },
    async (say, cut) => {
      say(total(0.06));
      return until(cut);
    },
  ]);
  expect(await open().run(1, 'work')).toMatchObject({ end: 'budget-limit' });
});

test('a last cost report above the budget does not change the end of a turn that the agent had ended', async () => {
  const { open } = agent('mid-turn', [
    async (say) => {
      say(paid(1.5));
      return 'end';
    },
  ]);
  expect(await open().run(1, 'work')).toMatchObject({ end: 'end-turn' });
});

test('a later process of the same session continues counting where the first one stopped', async () => {
  const spending = (usd: number) => async (say: Say) => {
    say(paid(usd));
    return 'end' as const;
  };
  await agent('mid-turn', [spending(0.6)])
    .open()
    .run(1, 'work');
  const second = agent('mid-turn', [
    async (say, cut) => {
      say(paid(0.5));
      return until(cut);
    },
  ]);
  expect(await second.open().run(2, 'fix')).toMatchObject({ end: 'budget-limit' });
});
