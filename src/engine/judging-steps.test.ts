// Steps that only judge: nothing waits for their intents, and a power failure that takes them and outcomes before them costs nothing twice.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Death, dyingIo, MODES } from '../../test/crash/dying-io.ts';
import { losingIo } from '../../test/support/losing-io.ts';
import { quickIo } from '../../test/support/quick-io.ts';
import { folders } from '../../test/support/signals.ts';
import type { Io } from '../host/io.ts';
import { runProcedure } from './procedure.ts';
import type { Performers, Run } from './types.ts';

type M = {
  make: readonly [{ readonly what: string }, { readonly made: string }];
  judge: readonly [{ readonly what: string }, { readonly holds: boolean }];
  wait: readonly [object, { readonly answer: string }];
};
const folder = folders('harness-judging-');

/** What was made is found again by its token. `judged`: how often each was. `isAnswered`: the question at the end. */
function place() {
  const [made, judged] = [new Map<string, number>(), [] as string[]];
  const dir = folder();
  const go = (io: Io, isAnswered = true) => {
    const performers: Performers<M> = {
      make: {
        async perform({ what }, { token }) {
          await io.effect(what, () => Promise.resolve(made.set(token, (made.get(token) ?? 0) + 1)));
          return { made: what };
        },
        probe: ({ what }, { token }) =>
          Promise.resolve(made.has(token) ? { found: 'outcome', outcome: { made: what } } : { found: 'nothing' }),
      },
      judge: {
        perform({ what }) {
          judged.push(what);
          return Promise.resolve({ holds: true });
        },
        probe: () => Promise.resolve({ found: 'nothing' }),
        isJudging: true,
      },
      wait: {
        perform: () => Promise.resolve(isAnswered ? { answer: 'yes' } : { parked: 'g-1' }),
        probe: () => Promise.resolve({ found: 'nothing' }),
        isRepeatable: true,
      },
    };
    return runProcedure(procedure, null, {
      io,
      journal: join(dir, 'p.jsonl'),
      performers,
      context: { token: 't', epoch: 1, signal: new AbortController().signal },
      identity: 'v1',
    });
  };
  return { go, made, judged };
}

const procedure = async (run: Run<M>): Promise<readonly object[]> => [
  await run.do('first', { kind: 'judge', what: 'first' }),
  await run.do('a', { kind: 'make', what: 'a' }),
  await run.do('second', { kind: 'judge', what: 'second' }),
  await run.do('b', { kind: 'make', what: 'b' }),
  await run.do('third', { kind: 'judge', what: 'third' }),
  await run.do('wait', { kind: 'wait' }),
];

/** `waited`: appends that were waited for. */
function counting(io: Io): { readonly io: Io; readonly waited: () => number } {
  let waited = 0;
  return {
    waited: () => waited,
    io: {
      ...io,
      append(path, text, how) {
        if (how === undefined) waited += 1;
        io.append(path, text, how);
      },
    },
  };
}

test('only the intents of what changes something are waited for', async () => {
  const { go } = place();
  const { io, waited } = counting(quickIo());
  await go(io);
  expect(waited()).toBe(2); // before a, and before b
});

test('before it waits for a person everything is durable', async () => {
  const { go, judged } = place();
  const disk = losingIo(quickIo());
  expect(await go(disk, false)).toEqual({ parked: 'g-1' });
  expect(await go(losingIo(quickIo()), true)).toHaveProperty('output');
  expect(judged).toEqual(['first', 'second', 'third']);
});

test.each([
  ['a crash', quickIo],
  ['a power failure', () => losingIo(quickIo())],
])('%s at any durable call: the same end, and nothing is made twice', async (_, disk) => {
  const plain = dyingIo(0, 'before', undefined, disk());
  const end = await place().go(plain.io);
  expect(plain.calls.length).toBeGreaterThan(5);
  for (let n = 1; n <= plain.calls.length; n += 1)
    for (const mode of MODES) {
      const { go, made } = place();
      await expect(go(dyingIo(n, mode, undefined, disk()).io)).rejects.toThrow(Death);
      expect(await go(quickIo())).toEqual(end);
      expect({ n, mode, made: [...made.values()] }).toEqual({ n, mode, made: [1, 1] });
    }
});
