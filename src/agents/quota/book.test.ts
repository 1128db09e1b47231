// The book of an account on a real disk: sessions that know nothing of each other see one account, and a death loses nothing.
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quickIo } from '../../../test/support/quick-io.ts';
import { folders } from '../../../test/support/signals.ts';
import type { AgentEvent } from '../../model/event.ts';
import { accountOf } from './account.ts';
import { closeAccount, openBook, readBook, tidyBook } from './book.ts';

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
    session: (token: string) => openBook({ ...account, token, isLate: false }, { io: quickIo(), clock: clockAt(time) }),
    standing: () => readBook(account, START + time.now * 60_000),
  };
};

test('two sessions at once see what both used', () => {
  const { session, standing } = here();
  const [one, two] = [session('a'), session('b')];
  expect(one.heard(used(300))).toMatchObject({ used: 0.3 });
  expect(two.heard(used(400))).toMatchObject({ used: 0.7 });
  expect(standing()).toMatchObject([{ window: '5h', used: 0.7 }]);
});

test('what others noted since is seen with the next word, once it is a little later', () => {
  const { session, time } = here();
  const [one, two] = [session('a'), session('b')];
  one.heard(used(100));
  two.heard(used(500));
  time.now = 1;
  expect(one.heard(used(100))).toMatchObject({ used: 0.7 });
});

test('a session whose process was killed goes on with its own page: nothing of it is lost or counted twice', () => {
  const { session, standing } = here();
  session('a').heard(used(300));
  session('a').heard(used(100));
  expect(standing()).toMatchObject([{ used: 0.4 }]);
});

test('nothing is written of an account that says nothing and has no window', () => {
  const { session, account } = here([]);
  expect(session('a').heard(used(300))).toBeNull();
  expect(() => readdirSync(account.folder)).toThrow('ENOENT');
});

test('an account that refuses is closed for whoever asks, but for the run that noted it where that rests anyway', () => {
  const { account, standing, time } = here([]);
  const until = new Date(START + 3_600_000).toISOString();
  closeAccount(quickIo(), account, 'run 1', { until, now: START });
  expect(standing()).toEqual([{ window: 'refused', used: 1, resetsAt: until }]);
  expect(readBook(account, START, 'run 1')).toEqual([]);
  time.now = 60;
  expect(standing()).toEqual([]);
});

test('a folder that cannot be written, and a page that cannot be read, end no session', () => {
  const { account, session } = here();
  mkdirSync(join(account.folder, '..'), { recursive: true });
  writeFileSync(account.folder, 'a file stands in the way');
  expect(session('a').heard(used(400))).toMatchObject({ used: 0.4 });
  const torn = here();
  torn.session('a').heard(used(100));
  writeFileSync(join(torn.account.folder, 'x.json'), '{"schema":');
  expect(torn.standing()).toMatchObject([{ used: 0.1 }]);
});

test('tidying takes what counts no more and what a death left of a page, and nothing else', () => {
  const { account, session, standing } = here();
  session('a').heard(used(100));
  const torn = join(account.folder, 'y.json.1.tmp');
  writeFileSync(torn, '{');
  tidyBook(account, Date.now());
  expect(readdirSync(account.folder)).toContain('y.json.1.tmp');
  utimesSync(torn, new Date(START), new Date(START));
  tidyBook(account, START + 13 * 24 * 3_600_000);
  expect(readdirSync(account.folder)).toHaveLength(1);
  tidyBook(account, START + 15 * 24 * 3_600_000);
  expect([readdirSync(account.folder), standing()]).toEqual([[], []]);
});

test('an account is known by its log-in: the same key is one account in every repository, another key another', () => {
  const claude = { provider: 'claude', model: 'm', command: [], env: {}, scenario: null } as const;
  const name = (env: { [name: string]: string }, root = '/r') => accountOf(claude, env, root);
  expect(name({ ANTHROPIC_API_KEY: 'k1' }, '/a')).toBe(name({ ANTHROPIC_API_KEY: 'k1', PATH: '/x' }, '/b'));
  expect(name({ ANTHROPIC_API_KEY: 'k1' })).not.toBe(name({ ANTHROPIC_API_KEY: 'k2' }));
  expect(name({ ANTHROPIC_API_KEY: 'k1' })).not.toContain('k1');
  const played = { ...claude, provider: 'scripted', scenario: 's.yaml' } as const;
  expect(accountOf(played, {}, '/a')).not.toBe(accountOf(played, {}, '/b'));
});
