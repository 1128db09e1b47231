// Actions in flight: what is no longer wanted has ended before anything new begins, nothing said meanwhile is missed, nothing
// is left running or listening. Moments are decided by the test; nothing waits for time.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aborted, moment, settled } from '../../test/support/signals.ts';
import { folder, life, linesOf, logOf, over, type Does, type Next } from '../../test/support/told-machine.ts';
import { failure } from '../model/failure.ts';
import { createMessageQueue } from './message-queue.ts';
import type { Blocked, Parked } from './types.ts';

describe('an action that is no longer wanted', () => {
  test('has ended before what comes next begins', async () => {
    const [messages, begun, last, events] = [createMessageQueue(), moment(), moment(), [] as string[]];
    const next: Next = (log) => (log.includes('end') ? null : log.includes('pause') ? ['end'] : ['left', 'right']);
    const running = life(
      next,
      async (what, { signal }) => {
        events.push(`begin ${what}`);
        if (what === 'end') return { made: 'end' };
        if (what === 'right') begun.now();
        await aborted(signal);
        events.push(`${what} hears`);
        await (what === 'right' ? last.come : undefined);
        events.push(`end of ${what}`);
        return { made: `late ${what}` };
      },
      { messages },
    );
    await begun.come;
    messages.post({ type: 'pause' });
    await settled();
    expect(events).toEqual(['begin left', 'begin right', 'left hears', 'right hears', 'end of left']);
    last.now();
    expect(await running).toMatchObject({ end: 'verdict', state: { file: { log: ['pause', 'end'] } } });
    expect(events.slice(5)).toEqual(['end of right', 'begin end']);
  });

  test('of two, the other runs on undisturbed', async () => {
    const [messages, begun, kept] = [createMessageQueue(), moment(), moment()];
    const next: Next = (log) => (log.includes('right') ? null : log.includes('pause') ? ['right'] : ['left', 'right']);
    let hasHeard = false;
    const dir = folder();
    const running = life(
      next,
      async (what, { signal }) => {
        if (what === 'left') {
          begun.now();
          await aborted(signal);
          return { made: 'late' };
        }
        signal.addEventListener('abort', () => (hasHeard = true));
        await kept.come;
        return { made: 'right' };
      },
      { messages, dir },
    );
    await begun.come;
    messages.post({ type: 'pause' });
    await settled();
    kept.now();
    await running;
    expect([logOf(dir), hasHeard]).toEqual([['pause', 'right'], false]);
    expect(linesOf(dir).filter((l) => l.t === 'drop')).toHaveLength(1);
  });

  test('that is wanted once more is a new intent under a new token', async () => {
    const [messages, tokens, begun] = [createMessageQueue(), [] as string[], [moment(), moment()]];
    const next: Next = (log) => (log.includes('made') ? null : log.at(-1) === 'pause' ? ['other'] : ['work']);
    await life(
      next,
      async (what, { signal, token }) => {
        if (what === 'other') return { made: 'between' };
        tokens.push(token);
        if (tokens.length > 1) return { made: 'made' };
        begun[0]?.now();
        messages.post({ type: 'pause' });
        await aborted(signal);
        return { made: 'late' };
      },
      { messages },
    );
    expect(new Set(tokens).size).toBe(2);
  });
});

describe('what is said while the driver waits for the end of an aborted action', () => {
  const slow = () => {
    const [begun, hears, ends] = [moment(), moment(), moment()];
    const does: Does = async (what, { signal }) => {
      if (what !== 'slow') return { made: what };
      begun.now();
      await aborted(signal);
      hears.now();
      await ends.come;
      return { made: 'late' };
    };
    return { begun, hears, ends, does };
  };

  test('is seen before anything new begins: a message', async () => {
    const { begun, hears, ends, does } = slow();
    const [messages, started] = [createMessageQueue(), [] as string[]];
    const next: Next = (log) => (log.includes('m2') ? null : log.includes('m1') ? ['agent'] : ['slow']);
    const running = life(
      next,
      (what, c) => {
        started.push(what);
        return does(what, c);
      },
      { messages },
    );
    await begun.come;
    messages.post({ type: 'message', id: 'm1', body: null });
    await hears.come;
    messages.post({ type: 'message', id: 'm2', body: null });
    ends.now();
    expect(await running).toMatchObject({ end: 'verdict' });
    expect(started).toEqual(['slow']);
  });

  test('is seen before anything new begins: a stop', async () => {
    const { begun, hears, ends, does } = slow();
    const [messages, stop, started] = [createMessageQueue(), new AbortController(), [] as string[]];
    const running = life(
      (log) => (log.includes('m1') ? ['agent'] : ['slow']),
      (what, c) => {
        started.push(what);
        return does(what, c);
      },
      { messages, signal: stop.signal },
    );
    await begun.come;
    messages.post({ type: 'message', id: 'm1', body: null });
    await hears.come;
    stop.abort();
    ends.now();
    expect(await running).toMatchObject({ end: 'stopped' });
    expect(started).toEqual(['slow']);
  });

  test('is forgotten by its sender only when it is in the journal', async () => {
    const [messages, dir, seen] = [createMessageQueue(), folder(), [] as boolean[]];
    const isStored = (): boolean => linesOf(dir).some((l) => l.t === 'event' && l.event.type === 'message');
    messages.post({ type: 'message', id: 'm1', body: null }, () => seen.push(isStored()));
    await life(
      (log) => (log.includes('m1') ? null : ['agent']),
      () => Promise.resolve({ made: 'x' }),
      { messages, dir },
    );
    expect(seen).toEqual([true]);
  });

  test('stays with its sender when the life ends before', async () => {
    const [messages, stop] = [createMessageQueue(), new AbortController()];
    let forgotten = 0;
    const begun = moment();
    const running = life(
      () => ['slow'],
      async (_what, { signal }) => {
        begun.now();
        await aborted(signal);
        messages.post({ type: 'message', id: 'm1', body: null }, () => (forgotten += 1));
        return { made: 'late' };
      },
      { messages, signal: stop.signal },
    );
    await begun.come;
    stop.abort();
    await running;
    expect(forgotten).toBe(0);
  });
});

describe('an end', () => {
  const ends: readonly (readonly [string, (stop: AbortController) => Promise<{ made: string } | Blocked>])[] = [
    ['a bug in another performer', () => Promise.reject(new Error('a bug'))],
    ['something that blocks another', () => Promise.resolve({ blocked: failure('agent-not-installed') })],
    [
      'a stop',
      (stop) => {
        stop.abort();
        return Promise.resolve({ made: 'x' });
      },
    ],
  ];
  test.each(ends)('by %s awaits what runs, and leaves its intent open for a later life', async (_what, how) => {
    const [dir, stop, log] = [folder(), new AbortController(), [] as string[]];
    const begun = moment();
    const running = life(
      () => ['slow', 'other'],
      async (what, { signal }) => {
        if (what === 'other') {
          await begun.come;
          return how(stop);
        }
        begun.now();
        await aborted(signal);
        await settled();
        log.push('slow has ended');
        throw new Error('ended badly');
      },
      { dir, signal: stop.signal },
    );
    await running.catch((error: unknown) => log.push(String(error)));
    expect(log[0]).toBe('slow has ended');
    const open = linesOf(dir).flatMap((l) => (l.t === 'intent' ? [l.key] : []));
    expect(open).toEqual(['slow', 'other']);
    expect(linesOf(dir).some((l) => l.t === 'drop' || l.t === 'outcome')).toBe(false);
  });

  test('leaves no listener behind: not on the signal, not on the message queue', async () => {
    const [stop, messages, open] = [new AbortController(), createMessageQueue(), new Set<unknown>()];
    const { addEventListener, removeEventListener } = stop.signal;
    Object.assign(stop.signal, {
      addEventListener(type: string, listener: () => void) {
        open.add(listener);
        addEventListener.call(stop.signal, type, listener);
      },
      removeEventListener(type: string, listener: () => void) {
        open.delete(listener);
        removeEventListener.call(stop.signal, type, listener);
      },
    });
    let listener = (): void => undefined;
    const watched = { ...messages, listen: (wake: () => void) => (listener = wake) };
    const first = listener;
    await life(over, (what) => Promise.resolve({ made: what }), { signal: stop.signal, messages: watched });
    await life(over, () => Promise.reject(new Error('bug')), { signal: stop.signal, messages: watched }).catch(
      () => undefined,
    );
    expect([open.size, listener === first]).toEqual([0, false]);
    expect(listener()).toBeUndefined();
  });
});

describe('a question to a person', () => {
  test('that is no longer wanted is dropped, and asked again when it is wanted again', async () => {
    const [messages, asked, dir] = [createMessageQueue(), [] as string[], folder()];
    const next: Next = (log) =>
      log.includes('answer') ? null : log.at(-1) === 'm1' ? ['other'] : ['ask', ...(log.length > 0 ? [] : ['busy'])];
    const end = await life(
      next,
      async (what, { signal, token }) => {
        if (what === 'other') return { made: 'other' };
        if (what === 'ask') {
          asked.push(token);
          return asked.length === 1 ? { parked: 'g-1' } : { made: 'answer' };
        }
        await settled();
        messages.post({ type: 'message', id: 'm1', body: null });
        await aborted(signal);
        return { made: 'late' };
      },
      { messages, dir },
    );
    expect(end).toMatchObject({ end: 'verdict' });
    expect(logOf(dir)).toEqual(['m1', 'other', 'answer']);
    expect(new Set(asked).size).toBe(2);
  });

  test('lets everything else continue, and is what the driver waits at when the rest is done', async () => {
    const dir = folder();
    const next: Next = (log) => (log.includes('yes') ? null : ['ask', ...(log.includes('other') ? [] : ['other'])]);
    const does =
      (answer: Parked | { made: string }): Does =>
      (what) =>
        Promise.resolve(what === 'ask' ? answer : { made: what });
    expect(await life(next, does({ parked: 'g-1' }), { dir })).toMatchObject({ end: 'waiting', on: ['g-1'] });
    expect(logOf(dir)).toEqual(['other']);
    expect(await life(next, does({ made: 'yes' }), { dir })).toMatchObject({ end: 'verdict' });
  });

  test('is performed again under its old token as soon as its gate has an answer', async () => {
    const [messages, tokens, parked] = [createMessageQueue(), [] as string[], moment()];
    const next: Next = (log) => (log.includes('answer') ? null : ['ask', 'work']);
    const dir = folder();
    let isAnswered = false;
    const running = life(
      next,
      async (what, { signal, token }) => {
        if (what === 'work') {
          await aborted(signal);
          return { made: 'late' };
        }
        tokens.push(token);
        if (isAnswered) return { made: 'answer' };
        parked.now();
        return { parked: 'g-1' };
      },
      { messages, dir, limit: 2 },
    );
    await parked.come;
    await settled();
    messages.post({ type: 'answered', gate: 'g-2' });
    await settled();
    expect(tokens).toHaveLength(1);
    isAnswered = true;
    messages.post({ type: 'answered', gate: 'g-1' });
    expect(await running).toMatchObject({ end: 'verdict' });
    expect([tokens.length, new Set(tokens).size]).toEqual([2, 1]);
    expect(
      linesOf(dir)
        .filter((l) => l.t === 'event')
        .map(({ event }) => event),
    ).toMatchObject([{ type: 'parked', gate: 'g-1' }]);
  });
});

describe('after a crash', () => {
  /** A run that starts both actions and crashes with them open. */
  const dead = async (dir: string, next: Next): Promise<void> => {
    const stop = new AbortController();
    await life(
      next,
      async (what, { signal }) => {
        if (what === 'second') stop.abort();
        await aborted(signal);
        return { made: 'cut' };
      },
      { dir, signal: stop.signal },
    );
  };

  test('an intent that another outcome made unwanted is dropped: wanted later, it gets a new token', async () => {
    const dir = folder();
    const next: Next = (log) =>
      log.includes('made first')
        ? null
        : log.length === 0
          ? ['first', 'second']
          : log.includes('between')
            ? ['first']
            : ['between'];
    await dead(dir, next);
    const tokens: string[] = [];
    await life(
      next,
      (what, { token }) => {
        if (what === 'first') tokens.push(token);
        return Promise.resolve({ made: what === 'first' ? 'made first' : what });
      },
      {
        dir,
        probe: (what) =>
          Promise.resolve(what === 'second' ? { found: 'outcome', outcome: { made: 'second' } } : { found: 'nothing' }),
      },
    );
    expect(logOf(dir)).toEqual(['second', 'between', 'made first']);
    expect(tokens).toEqual(['life/4']);
  });

  test('what is safe to repeat is repeated under its old token', async () => {
    const [dir, tokens] = [folder(), [] as string[]];
    const next: Next = (log) => (log.length === 2 ? null : ['first', 'second'].filter((w) => !log.includes(w)));
    await dead(dir, next);
    await life(
      next,
      (what, { token }) => {
        tokens.push(`${what} ${token}`);
        return Promise.resolve({ made: what });
      },
      { dir },
    );
    expect(tokens).toEqual(['first life/1', 'second life/2']);
  });

  test('a stop is not lost while the intents are asked', async () => {
    const [dir, stop, started] = [folder(), new AbortController(), [] as string[]];
    await dead(dir, () => ['first', 'second']);
    const end = await life(
      () => ['first', 'second'],
      (what) => {
        started.push(what);
        return Promise.resolve({ made: what });
      },
      {
        dir,
        signal: stop.signal,
        probe: () => {
          stop.abort();
          return Promise.resolve({ found: 'nothing' });
        },
      },
    );
    expect([end, started]).toMatchObject([{ end: 'stopped' }, []]);
  });
});

test('a machine that wants nothing and has no verdict is a bug, thrown at once', async () => {
  await expect(
    life(
      () => [],
      () => Promise.resolve({ made: '' }),
    ),
  ).rejects.toThrow('is stuck');
});

test('never more run at a time than the limit says, and all of them run', async () => {
  const [ends, running] = [moment(), new Set<string>()];
  let most = 0;
  const all = ['a', 'b', 'c', 'd', 'e'];
  const end = life(
    (log) => (log.length === 5 ? null : all.filter((w) => !log.includes(w))),
    async (what) => {
      running.add(what);
      most = Math.max(most, running.size);
      if (running.size === 2) ends.now();
      await ends.come;
      await settled();
      running.delete(what);
      return { made: what };
    },
    { limit: 2 },
  );
  expect(await end).toMatchObject({ end: 'verdict' });
  expect(most).toBe(2);
});

test('a person who edits the file while an intent is open gets a machine that has forgotten the intent', async () => {
  const dir = folder();
  const stop = new AbortController();
  await life(
    () => ['a'],
    async (_what, { signal }) => {
      stop.abort();
      await aborted(signal);
      return { made: 'cut' };
    },
    { dir, signal: stop.signal },
  );
  writeFileSync(join(dir, 'state.json'), JSON.stringify({ log: ['by hand'] }));
  const probed: string[] = [];
  const tokens: [string, number][] = [];
  await life(
    (log) => (log.includes('a') ? null : ['a']),
    (what, { token, epoch }) => {
      tokens.push([token, epoch]);
      return Promise.resolve({ made: what });
    },
    {
      dir,
      probe: (what) => {
        probed.push(what);
        return Promise.resolve({ found: 'outcome', outcome: { made: 'of an earlier life' } });
      },
    },
  );
  expect([probed, tokens, logOf(dir)]).toEqual([[], [['life/2', 2]], ['by hand', 'a']]);
});
