// What is kept for a resumption, and how long: procedures until their outcome is durable, journals until nothing is open.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Death, dyingIo, MODES } from '../../test/crash/dying-io.ts';
import { losingIo } from '../../test/support/losing-io.ts';
import { quickIo } from '../../test/support/quick-io.ts';
import { aborted } from '../../test/support/signals.ts';
import { folder, life, linesOf, logOf, over, type Does, type M, type Next } from '../../test/support/told-machine.ts';
import type { Io } from '../host/io.ts';
import type { DriveEnd } from './driver.ts';
import { forgetProcedure, runProcedure } from './procedure.ts';
import type { Performers, Run } from './types.ts';

describe('what an action kept to be resumed', () => {
  test('goes when its outcome is durable, when it is dropped, and after a crash between the two', async () => {
    const [dir, gone] = [folder(), [] as string[]];
    const next: Next = (log) => (log.includes('b') ? null : log.includes('a') ? ['b'] : ['a', 'never']);
    const isDurable = (what: string): boolean =>
      linesOf(dir).some((l) => l.t === 'outcome' && JSON.stringify(l.outcome).includes(`"${what}"`));
    const does: Does = async (what, { signal }) => {
      if (what === 'never') await aborted(signal);
      return { made: what };
    };
    await life(next, does, { dir, settled: (what, token) => gone.push(`${what} ${token} ${isDurable(what)}`) });
    expect(gone).toEqual(['a life/1 true', 'never life/2 false', 'b life/3 true']);
    gone.length = 0;
    await life(next, does, { dir, settled: (what, token) => gone.push(`${what} ${token}`) });
    expect(gone).toEqual(['a life/1', 'never life/2', 'b life/3']);
    gone.length = 0;
    await life(next, does, { dir, settled: (what) => gone.push(what) });
    expect([gone, linesOf(dir).length]).toEqual([[], 1]);
  });

  test.each([
    ['a crash', quickIo],
    ['a power failure', () => losingIo(quickIo())],
  ])(
    'makes a finished procedure cheap to run again: %s before its outcome is durable costs nothing twice',
    async (_, disk) => {
      const made = new Map<string, number>();
      const procedure = async (run: Run<M>): Promise<string> => {
        await run.do('one', { kind: 'work', what: 'one' });
        await run.do('two', { kind: 'work', what: 'two' });
        return 'end';
      };
      const start = (dir: string, io: Io): Promise<DriveEnd<unknown>> => {
        const journal = (token: string): string => join(dir, `${token.replace('/', '-')}.jsonl`);
        // a step that is begun without a memory is done again: only the procedure's own keeps it from being done twice
        const steps: Performers<M> = {
          work: {
            perform: async (a) => {
              made.set(a.what, (made.get(a.what) ?? 0) + 1);
              return Promise.resolve({ made: a.what });
            },
            probe: (a) =>
              Promise.resolve(
                made.has(a.what) ? { found: 'outcome', outcome: { made: a.what } } : { found: 'nothing' },
              ),
          },
        };
        return life(
          over,
          async (_what, context) => {
            const end = await runProcedure(procedure, null, {
              io,
              journal: journal(context.token),
              performers: steps,
              context,
              identity: 'v1',
            });
            return 'output' in end ? { made: end.output } : { parked: '' };
          },
          { dir, io, settled: (_what, token) => forgetProcedure(io, journal(token)) },
        );
      };
      const plain = dyingIo(0, 'before', undefined, disk());
      await start(folder(), plain.io);
      for (let n = 1; n <= plain.calls.length; n += 1)
        for (const mode of MODES) {
          made.clear();
          const dir = folder();
          await expect(start(dir, dyingIo(n, mode, undefined, disk()).io)).rejects.toThrow(Death);
          expect(await start(dir, quickIo())).toMatchObject({ end: 'verdict' });
          expect({ n, mode, made: [...made] }).toEqual({
            n,
            mode,
            made: [
              ['one', 1],
              ['two', 1],
            ],
          });
          await start(dir, quickIo());
          expect([1, 2, 3].some((seq) => existsSync(join(dir, `life-${seq}.jsonl`)))).toBe(false);
        }
    },
  );
});

test('a long life keeps a short journal, and a new one begins with a single line', async () => {
  const dir = folder();
  const next: Next = (log) => (log.length >= 600 ? null : [`n${log.length}`]);
  let longest = 0;
  await life(
    next,
    (what) => {
      if (what.endsWith('00')) longest = Math.max(longest, linesOf(dir).length);
      return Promise.resolve({ made: what });
    },
    { dir },
  );
  expect(logOf(dir)).toHaveLength(600);
  expect(longest).toBeGreaterThan(100);
  expect(longest).toBeLessThanOrEqual(503);
  await life(next, () => Promise.reject(new Error('nothing is wanted')), { dir });
  expect(linesOf(dir)).toHaveLength(1);
});
