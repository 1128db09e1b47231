// Quota: what sessions noted of an account adds up in any order, and no session starts at the end of a window.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from './event.ts';
import {
  chooseAgent,
  EMPTY_PAGE,
  fullest,
  guessed,
  isOver,
  NO_GUESS,
  noted,
  pageShape,
  windowName,
  windowsOf,
  type Page,
  type QuotaWindow,
} from './quota.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-22T00:00:00.000Z');
const at = (hours: number): number => START + hours * HOUR;
const iso = (hours: number): string => new Date(at(hours)).toISOString();
const used = (tokens: number): AgentEvent => ({
  t: 'usage',
  inputTokens: tokens,
  outputTokens: 0,
  cachedTokens: 9e9,
  costUsd: null,
});
const said = (window: string, share: number, resets: number | null): AgentEvent => ({
  t: 'quota',
  window,
  used: share,
  resetsAt: resets === null ? null : iso(resets),
});
const page = (...seen: readonly (readonly [number, AgentEvent])[]): Page =>
  seen.reduce((so, [hours, event]) => noted(so, event, at(hours)), EMPTY_PAGE);
const RULE = { hours: 5, tokens: 1_000 };

describe('a window that is counted', () => {
  test('begins with the first use and holds what every session used in it, the cache left out', () => {
    const pages = [page([1, used(100)], [2, used(200)]), page([1.5, used(300)])];
    expect(windowsOf(pages, [RULE], at(3))).toEqual([{ window: '5h', used: 0.6, resetsAt: iso(6) }]);
  });

  test('is over after its hours; the next begins with the next use', () => {
    const pages = [page([1, used(900)], [6, used(100)])];
    expect(windowsOf([page([1, used(900)])], [RULE], at(6))).toEqual([]);
    expect(windowsOf(pages, [RULE], at(7))).toEqual([{ window: '5h', used: 0.1, resetsAt: iso(11) }]);
  });

  test('is the same however the uses are spread over sessions', () => {
    const uses = fc.array(fc.tuple(fc.integer({ min: 0, max: 1_200 }), fc.integer({ min: 1, max: 500 })), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(uses, fc.integer({ min: 1, max: 5 }), (all, sessions) => {
        const events = all.map(([minute, tokens]) => [minute / 60, used(tokens)] as const);
        const pages = Array.from({ length: sessions }, (_, n) => page(...events.filter((_e, i) => i % sessions === n)));
        expect(windowsOf(pages, [RULE], at(20))).toEqual(windowsOf([page(...events)], [RULE], at(20)));
      }),
    );
  });
});

describe('a window that the provider reports', () => {
  test('is as its newest event says, in whichever session it came', () => {
    const pages = [page([1, said('5h', 0.4, 5)], [1, said('7d', 0.1, 100)]), page([2, said('5h', 0.7, 5)])];
    expect(windowsOf(pages, [], at(3))).toEqual([
      { window: '5h', used: 0.7, resetsAt: iso(5) },
      { window: '7d', used: 0.1, resetsAt: iso(100) },
    ]);
    expect(fullest(windowsOf(pages, [], at(3)))?.window).toBe('5h');
  });

  test('says nothing any more once it has reset, or a quarter of an hour after it named no time', () => {
    expect(windowsOf([page([1, said('5h', 1, 5)])], [], at(5))).toEqual([]);
    expect(windowsOf([page([1, said('5h', 1, null)])], [], at(1.2))).toHaveLength(1);
    expect(windowsOf([page([1, said('5h', 1, null)])], [], at(1.25))).toEqual([]);
  });
});

test('an agent that reports late is counted by what its context grows by, and what it reports then is not counted again', () => {
  const context = (used: number): AgentEvent => ({ t: 'context', used, window: null, costUsd: null });
  const counted = (...events: readonly AgentEvent[]): readonly number[] => {
    let guess = NO_GUESS;
    return events.map((event) => {
      const next = guessed(guess, event);
      ({ guess } = next);
      return next.event.t === 'usage' ? next.event.inputTokens : 0;
    });
  };
  expect(counted(context(100), context(160), used(200))).toEqual([100, 60, 40]);
  expect(counted(context(100), context(20), context(50), used(90), context(60), used(30))).toEqual([
    100, 0, 30, 0, 10, 20,
  ]);
  expect(counted({ t: 'text', text: 'x' }, used(7))).toEqual([0, 7]);
});

test('an event that says nothing of quota leaves the page as it is, and a page survives being stored', () => {
  const before = page([1, said('5h', 0.4, 5)], [1, used(7)]);
  expect(noted(before, { t: 'text', text: 'hello' }, at(2))).toBe(before);
  expect(noted(before, used(0), at(2))).toBe(before);
  expect(pageShape.parse(JSON.parse(JSON.stringify(before)))).toEqual(before);
});

test('a page is over only when none of it can count any more', () => {
  const one = page([0, used(1)], [0, said('5h', 1, 5)]);
  for (const hours of [0, 4, 5, 24, 24 * 13.9]) expect(isOver(one, [RULE], at(hours))).toBe(false);
  expect(isOver(one, [RULE], at(24 * 14))).toBe(true);
  expect(isOver(EMPTY_PAGE, [], at(0))).toBe(true);
});

test.each([
  [300, '5h'],
  [90, '1.5h'],
  [24 * 60, '1d'],
  [7 * 24 * 60, '7d'],
  [25 * 60, '25h'],
])('a window of %i minutes is called %s', (minutes, name) => {
  expect(windowName(minutes)).toBe(name);
});

describe('who begins a session', () => {
  const rules = { beginBelow: 0.9 };
  const w = (share: number, resets: number | null = 5): QuotaWindow => ({
    window: '5h',
    used: share,
    resetsAt: resets === null ? null : iso(resets),
  });

  test('is the first whose windows are below the share', () => {
    expect(chooseAgent([[w(0.5)], [w(0.1)]], rules)).toEqual({ agent: 0, instead: null });
    expect(chooseAgent([[w(0.5), w(0.9)], [w(0.89)]], rules)).toEqual({ agent: 1, instead: w(0.9) });
    expect(chooseAgent([[]], rules)).toEqual({ agent: 0, instead: null });
  });

  test('is none where all are full: the one whose last window resets soonest is waited for', () => {
    const chosen = chooseAgent([[w(1, 3), w(1, 9)], [w(1, 8)], [w(1, 12)]], rules);
    expect(chosen).toEqual({ agent: null, soonest: 1, window: w(1, 8) });
  });

  const windows = fc.array(
    fc.record({
      window: fc.constantFrom('5h', '7d'),
      used: fc.double({ min: 0, max: 1.2, noNaN: true }),
      resetsAt: fc.constantFrom(null, iso(1), iso(5), iso(100)),
    }),
    { maxLength: 3 },
  );
  test('is never one at the end of a window, and none only where there is no other', () => {
    fc.assert(
      fc.property(fc.array(windows, { minLength: 1, maxLength: 4 }), (accounts) => {
        const chosen = chooseAgent(accounts, rules);
        const isFree = (n: number): boolean => (accounts[n] ?? []).every((one) => one.used < rules.beginBelow);
        if (chosen.agent === null) expect(accounts.some((_, n) => isFree(n))).toBe(false);
        else
          expect([isFree(chosen.agent), accounts.slice(0, chosen.agent).some((_, n) => isFree(n))]).toEqual([
            true,
            false,
          ]);
      }),
    );
  });
});
