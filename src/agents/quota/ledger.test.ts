// The quota ledger of an account on a real disk: independent sessions see one account, and a crash loses nothing.
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quickIo } from '../../../test/support/quick-io.ts';
import { folders } from '../../../test/support/signals.ts';
import type { AgentEvent } from '../../model/event.ts';
import { accountOf, closeAccount, openQuotaLedger, readQuotaWindows, removeExpiredPages } from './ledger.ts';

const folder = folders('harness-quota-');
const START = Date.parse('2026-11-22T00:00:00.000Z');
const used = (tokens: number): AgentEvent => ({
  t: 'usage',
  inputTokens: tokens,
  outputTokens: 0,
  cachedTokens: 0,
  costUsd: null,
});
const clockAt = (minutes: { now: number }) => ({ now: () => START + minutes.now * 60_000, iso: () => '' });
const here = (rules = [{ hours: 5, tokens: 1_000 }]) => {
  const [time, account] = [{ now: 0 }, { folder: join(folder(), 'quota', 'claude-1'), rules }];
  return {
    time,
    account,
    session: (token: string) =>
      openQuotaLedger({ ...account, token, isLate: false }, { io: quickIo(), clock: clockAt(time) }),
    windows: () => readQuotaWindows(account, START + time.now * 60_000),
  };
};

test('two sessions at once see what both used', () => {
  const { session, windows } = here();
  const [one, two] = [session('a'), session('b')];
  expect(one.record(used(300))).toMatchObject({ used: 0.3 });
  expect(two.record(used(400))).toMatchObject({ used: 0.7 });
  expect(windows()).toMatchObject([{ window: '5h', used: 0.7 }]);
});

test('what other sessions recorded is seen with a later event', () => {
  const { session, time } = here();
  const [one, two] = [session('a'), session('b')];
  one.record(used(100));
  two.record(used(500));
  time.now = 1;
  expect(one.record(used(100))).toMatchObject({ used: 0.7 });
});

test('a session whose process was killed continues its own page: nothing is lost or counted twice', () => {
  const { session, windows } = here();
  session('a').record(used(300));
  session('a').record(used(100));
  expect(windows()).toMatchObject([{ used: 0.4 }]);
});

test('nothing is written for an account that reports nothing and has no configured window', () => {
  const { session, account } = here([]);
  expect(session('a').record(used(300))).toBeNull();
  expect(() => readdirSync(account.folder)).toThrow('ENOENT');
});

test('an account that refuses is closed for every session except the run that recorded it', () => {
  const { account, windows, time } = here([]);
  const until = new Date(START + 3_600_000).toISOString();
  closeAccount(quickIo(), account, 'run 1', { until, now: START });
  expect(windows()).toEqual([{ window: 'refused', used: 1, resetsAt: until }]);
  expect(readQuotaWindows(account, START, 'run 1')).toEqual([]);
  time.now = 60;
  expect(windows()).toEqual([]);
});

test('a folder that cannot be written, and a page that cannot be read, stop no session', () => {
  const { account, session } = here();
  mkdirSync(join(account.folder, '..'), { recursive: true });
  writeFileSync(account.folder, 'a file in place of the folder');
  expect(session('a').record(used(400))).toMatchObject({ used: 0.4 });
  const torn = here();
  torn.session('a').record(used(100));
  writeFileSync(join(torn.account.folder, 'x.json'), '{"schema":');
  expect(torn.windows()).toMatchObject([{ used: 0.1 }]);
});

test('only expired pages and half-written ones of crashed processes are removed', () => {
  const { account, session, windows } = here();
  session('a').record(used(100));
  const torn = join(account.folder, 'y.json.1.tmp');
  writeFileSync(torn, '{');
  removeExpiredPages(account, Date.now());
  expect(readdirSync(account.folder)).toContain('y.json.1.tmp');
  utimesSync(torn, new Date(START), new Date(START));
  removeExpiredPages(account, START + 13 * 24 * 3_600_000);
  expect(readdirSync(account.folder)).toHaveLength(1);
  removeExpiredPages(account, START + 15 * 24 * 3_600_000);
  expect([readdirSync(account.folder), windows()]).toEqual([[], []]);
});

test('an account is known by its login: the same key is one account in every repository, another key another one', () => {
  const claude = { provider: 'claude', model: 'm', command: [], env: {}, scenario: null } as const;
  const name = (env: { [name: string]: string }, root = '/r') => accountOf(claude, env, root);
  expect(name({ ANTHROPIC_API_KEY: 'k1' }, '/a')).toBe(name({ ANTHROPIC_API_KEY: 'k1', PATH: '/x' }, '/b'));
  expect(name({ ANTHROPIC_API_KEY: 'k1' })).not.toBe(name({ ANTHROPIC_API_KEY: 'k2' }));
  expect(name({ ANTHROPIC_API_KEY: 'k1' })).not.toContain('k1');
  const played = { ...claude, provider: 'scripted', scenario: 's.yaml' } as const;
  expect(accountOf(played, {}, '/a')).not.toBe(accountOf(played, {}, '/b'));
});
