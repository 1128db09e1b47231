// Procedures: replayed they answer the same and do nothing; cut anywhere they end the same with nothing done twice.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dyingIo, MODES } from '../../test/crash/dying-io.ts';
import { quickIo } from '../../test/support/quick-io.ts';
import { aborted, folders, moment, settled } from '../../test/support/signals.ts';
import type { Io } from '../host/io.ts';
import { failure } from '../model/failure.ts';
import { forgetProcedure, runProcedure } from './procedure.ts';
import type { ActionContext, Blocked, Parked, Performers, Run } from './types.ts';

type M = { make: readonly [{ readonly what: string }, { readonly made: string }] };
type Answer = { readonly made: string } | Parked | Blocked;
const folder = folders('harness-procedure-');
const journalIn = (dir: string): string => join(dir, 'p.jsonl');

type Given = { readonly identity?: string; readonly signal?: AbortSignal };
const context = (signal = new AbortController().signal): ActionContext => ({ token: 'life/1', epoch: 1, signal });
const go = <O>(
  dir: string,
  procedure: (run: Run<M>, input: null) => Promise<O>,
  performers: Performers<M>,
  io: Io = quickIo(),
  given: Given = {},
) =>
  runProcedure(procedure, null, {
    io,
    journal: journalIn(dir),
    performers,
    context: context(given.signal),
    identity: given.identity ?? 'v1',
  });

/** Makes things in a world that outlives crashes; what was made is found again by its token. */
function makers(io: Io, world: Map<string, number>, isRepeatable = false): Performers<M> {
  return {
    make: {
      async perform({ what }, { token }) {
        await io.effect(what, () => Promise.resolve(world.set(token, (world.get(token) ?? 0) + 1)));
        return { made: `${what}!` };
      },
      probe: ({ what }, { token }) =>
        Promise.resolve(
          !isRepeatable && world.has(token)
            ? { found: 'outcome', outcome: { made: `${what}!` } }
            : { found: 'nothing' },
        ),
    },
  };
}
/** A performer that answers by this function, step by step. */
const performing = (perform: (what: string, context: ActionContext) => Promise<Answer>): Performers<M> => ({
  make: { perform: (a, c) => perform(a.what, c), probe: () => Promise.resolve({ found: 'nothing' }) },
});

type Program = { readonly does: 'step' } | { readonly does: 'line' | 'branches'; readonly parts: readonly Program[] };
const programs: fc.Arbitrary<Program> = fc.letrec<{ program: Program }>((tie) => ({
  program: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant<Program>({ does: 'step' }),
    fc.record({
      does: fc.constantFrom('line' as const, 'branches' as const),
      parts: fc.array(tie('program'), { minLength: 1, maxLength: 3 }),
    }),
  ),
})).program;
const procedureOf =
  (program: Program) =>
  async (run: Run<M>): Promise<readonly string[]> => {
    if (program.does === 'step') return [(await run.do('make', { kind: 'make', what: 'one' })).made];
    const parts = program.parts.map((part, n) => () => procedureOf(part)(run.scope(String(n))));
    if (program.does === 'branches') return (await run.all(parts)).flat();
    const made: string[] = [];
    for (const part of parts) made.push(...(await part()));
    return made;
  };
const stepsOf = (p: Program): number => (p.does === 'step' ? 1 : p.parts.reduce((n, part) => n + stepsOf(part), 0));

describe('a procedure', () => {
  test('run again on its journal says the same and does nothing', async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const [dir, world] = [folder(), new Map<string, number>()];
        const first = await go(dir, procedureOf(program), makers(quickIo(), world));
        const once = new Map(world);
        const journal = readFileSync(journalIn(dir), 'utf8');
        const dead = dyingIo(1, 'before', undefined, quickIo());
        for (let n = 0; n < 2; n += 1)
          expect(await go(dir, procedureOf(program), makers(dead.io, world), dead.io)).toEqual(first);
        expect([dead.calls, world, readFileSync(journalIn(dir), 'utf8')]).toEqual([[], once, journal]);
      }),
      { numRuns: 40 },
    );
  });

  test('that crashes at any durable call, before, torn or after, ends the same with nothing done twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        programs.filter((p) => stepsOf(p) <= 7),
        fc.constantFrom(...MODES),
        async (program, mode) => {
          const plain = dyingIo(0, 'before', undefined, quickIo());
          const wanted = await go(folder(), procedureOf(program), makers(plain.io, new Map()), plain.io);
          // An intent and an effect for each, and the last outcome; siblings under way write theirs at once.
          expect(plain.calls.length).toBeGreaterThan(2 * stepsOf(program));
          expect(plain.calls.length).toBeLessThanOrEqual(3 * stepsOf(program));
          for (let at = 1; at <= plain.calls.length; at += 1) {
            const [dir, world] = [folder(), new Map<string, number>()];
            const dying = dyingIo(at, mode, undefined, quickIo());
            await expect(go(dir, procedureOf(program), makers(dying.io, world), dying.io)).rejects.toThrow(); // a sibling in flight meets the dead journal first
            expect(await go(dir, procedureOf(program), makers(quickIo(), world))).toEqual(wanted);
            expect([world.size, Math.max(...world.values())]).toEqual([stepsOf(program), 1]);
            rmSync(dir, { recursive: true, force: true });
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test('gives a performer the same token for the same step in every process, and different ones for different steps', async () => {
    const [dir, tokens] = [folder(), [] as string[]];
    const record = performing((what, { token }) => {
      tokens.push(token);
      return Promise.resolve(what === 'b' && tokens.length < 3 ? { parked: 'g' } : { made: what });
    });
    const two = async (run: Run<M>): Promise<void> => {
      await run.do('a', { kind: 'make', what: 'a' });
      await run.scope('later').do('b', { kind: 'make', what: 'b' });
    };
    await go(dir, two, record);
    await go(dir, two, record);
    expect(tokens).toEqual(['life/1/a', 'life/1/later/b', 'life/1/later/b']);
  });

  test('that is forgotten starts from scratch', async () => {
    const [dir, world] = [folder(), new Map<string, number>()];
    const one = procedureOf({ does: 'step' });
    await go(dir, one, makers(quickIo(), world));
    forgetProcedure(quickIo(), journalIn(dir));
    expect(existsSync(journalIn(dir))).toBe(false);
    await go(dir, one, makers(quickIo(), world));
    expect([...world.values()]).toEqual([2]);
  });
});

describe('code that is not deterministic', () => {
  const ask = (what: string) => (run: Run<M>) => run.do('step', { kind: 'make', what });

  test('is a bug: a remembered step that asks for something else is refused, done or under way', async () => {
    const done = folder();
    await go(done, ask('bread'), makers(quickIo(), new Map()));
    await expect(go(done, ask('stone'), makers(quickIo(), new Map()))).rejects.toThrow('asks for something else');
    const open = folder();
    await go(
      open,
      ask('bread'),
      performing(() => Promise.resolve({ parked: 'g' })),
    );
    await expect(go(open, ask('stone'), makers(quickIo(), new Map()))).rejects.toThrow('asks for something else');
  });

  test('is allowed to another version: the procedure starts from scratch, and idempotent effects are not done twice', async () => {
    const [dir, world] = [folder(), new Map<string, number>()];
    const two = (what: string) => async (run: Run<M>) => {
      const first = await run.do('first', { kind: 'make', what: 'same' });
      return [first, await run.do('second', { kind: 'make', what })];
    };
    await go(dir, two('bread'), makers(quickIo(), world));
    const again = await go(dir, two('cake'), makers(quickIo(), world), quickIo(), { identity: 'v2' });
    expect(again).toEqual({ output: [{ made: 'same!' }, { made: 'cake!' }] });
    expect(await go(dir, two('cake'), makers(quickIo(), world), quickIo(), { identity: 'v2' })).toEqual(again);
  });

  test('another version that asks for the same continues where the first one stopped', async () => {
    const [dir, world] = [folder(), new Map<string, number>()];
    await go(dir, ask('bread'), makers(quickIo(), world));
    await go(dir, ask('bread'), makers(quickIo(), world), quickIo(), { identity: 'v2' });
    expect([...world.values()]).toEqual([1]);
  });

  test('a start from scratch aborts a branch that is under way, and waits for its end', async () => {
    const [dir, log, begun] = [folder(), [] as string[], moment()];
    const branches = (what: string) => (run: Run<M>) =>
      run.all([
        () => run.do('slow', { kind: 'make', what: 'slow' }),
        async () => {
          if (what === 'cake') await begun.come;
          return run.do('other', { kind: 'make', what });
        },
      ]);
    const parking = performing((what) => Promise.resolve(what === 'slow' ? { parked: 'g' } : { made: what }));
    await go(dir, branches('bread'), parking);
    const cut = performing(async (what, { signal }) => {
      log.push(`begin ${what}`);
      if (what !== 'slow' || log.length > 1) return { made: what };
      begun.now();
      await aborted(signal);
      log.push('slow has ended');
      return { made: 'half' };
    });
    const end = await go(dir, branches('cake'), cut, quickIo(), { identity: 'v2' });
    expect(end).toEqual({ output: [{ made: 'slow' }, { made: 'cake' }] });
    expect(log).toEqual(['begin slow', 'slow has ended', 'begin slow', 'begin cake']);
  });

  test('two steps with one name are a bug, also in branches', async () => {
    const twice = async (run: Run<M>): Promise<void> => {
      await run.do('a', { kind: 'make', what: 'a' });
      await run.do('a', { kind: 'make', what: 'a' });
    };
    await expect(go(folder(), twice, makers(quickIo(), new Map()))).rejects.toThrow('scope');
  });
});

describe('branches', () => {
  const both = (run: Run<M>) => run.all(['left', 'right'].map((what) => () => run.do(what, { kind: 'make', what })));

  test('of which one waits for a person end as waiting, once the other has ended and is remembered', async () => {
    const [dir, right, began] = [folder(), moment<Answer>(), moment()];
    let hasEnded = false;
    const running = go(
      dir,
      both,
      performing((what) => {
        if (what === 'left') return Promise.resolve({ parked: 'gate-1' });
        began.now();
        return right.come;
      }),
    );
    void running.then(() => (hasEnded = true));
    await began.come;
    await settled();
    expect(hasEnded).toBe(false);
    right.now({ made: 'right' });
    expect(await running).toEqual({ parked: 'gate-1' });
    const later = await go(
      dir,
      both,
      performing((what) => Promise.resolve({ made: `${what} later` })),
    );
    expect(later).toEqual({ output: [{ made: 'left later' }, { made: 'right' }] });
  });

  test('of which one is blocked end as blocked, and no further step begins in the other', async () => {
    const begun: string[] = [];
    const why = failure('agent-not-installed');
    const longer = (run: Run<M>) =>
      run.all([
        () => run.do('left', { kind: 'make', what: 'left' }),
        async () => {
          await run.do('right-1', { kind: 'make', what: 'right-1' });
          return run.do('right-2', { kind: 'make', what: 'right-2' });
        },
      ]);
    const end = await go(
      folder(),
      longer,
      performing(async (what) => {
        begun.push(what);
        await settled();
        return what === 'left' ? { blocked: why } : { made: what };
      }),
    );
    expect(end).toEqual({ blocked: why });
    expect(begun).toEqual(['left', 'right-1']);
  });

  test('that are aborted both get the signal, are both awaited, and remember none of their outcomes', async () => {
    const [dir, stop, log, begun] = [folder(), new AbortController(), [] as string[], moment()];
    let count = 0;
    const running = go(
      dir,
      both,
      performing(async (what, { signal }) => {
        if ((count += 1) === 2) begun.now();
        await aborted(signal);
        await settled();
        log.push(`${what} has ended`);
        return { made: 'half' };
      }),
      quickIo(),
      { signal: stop.signal },
    );
    await begun.come;
    stop.abort();
    expect(await running).toEqual({ halt: 'aborted' });
    expect(log).toEqual(['left has ended', 'right has ended']);
    const later = await go(
      dir,
      both,
      performing((what) => Promise.resolve({ made: what })),
    );
    expect(later).toEqual({ output: [{ made: 'left' }, { made: 'right' }] });
  });

  test('of which one fails by a bug are ended before the bug is thrown: nothing keeps running', async () => {
    const [log, begun] = [[] as string[], moment()];
    const running = go(
      folder(),
      both,
      performing(async (what, { signal }) => {
        if (what === 'left') {
          await begun.come;
          throw new Error('a bug in a performer');
        }
        begun.now();
        await aborted(signal);
        await settled();
        log.push('right has ended');
        throw new Error('ended badly');
      }),
    );
    await expect(running).rejects.toThrow('a bug in a performer');
    expect(log).toEqual(['right has ended']);
  });

  test('that are not awaited are a bug, and are ended', async () => {
    const [log, begun] = [[] as string[], moment()];
    const careless = async (run: Run<M>): Promise<string> => {
      void run.do('lost', { kind: 'make', what: 'lost' });
      await begun.come;
      return 'done';
    };
    const running = go(
      folder(),
      careless,
      performing(async (_what, { signal }) => {
        begun.now();
        await aborted(signal);
        log.push('ended');
        return { made: 'half' };
      }),
    );
    await expect(running).rejects.toThrow('returned while "lost" was under way');
    expect(log).toEqual(['ended']);
  });
});

describe('uninterrupted steps', () => {
  const make = (run: Run<M>, what: string) => run.do(what, { kind: 'make', what });
  const shielded = async (run: Run<M>): Promise<readonly string[]> => {
    const before = await make(run, 'before');
    const inside = await run.uninterrupted(async () => [await make(run, 'first'), await make(run, 'second')]);
    const after = await make(run, 'after');
    return [before, ...inside, after].map(({ made }) => made);
  };
  /** Performs the procedure and aborts it while this step is under way; answers what was performed, and the end. */
  const abortedAt = async (dir: string, at: string, procedure = shielded) => {
    const [stop, log] = [new AbortController(), [] as string[]];
    const cutting = performing(async (what, { signal }) => {
      log.push(what);
      if (what === at) stop.abort();
      await settled();
      return { made: signal.aborted ? 'half' : what };
    });
    return { end: await go(dir, procedure, cutting, quickIo(), { signal: stop.signal }), log };
  };
  const performed = async (dir: string, procedure = shielded) => {
    const log: string[] = [];
    const end = await go(
      dir,
      procedure,
      performing((what) => {
        log.push(what);
        return Promise.resolve({ made: what });
      }),
    );
    return { end, log };
  };
  const ALL = ['before', 'first', 'second', 'after'];

  test('without an abort are steps like any others', async () => {
    expect(await performed(folder())).toEqual({ end: { output: ALL }, log: ALL });
  });

  test.each(['first', 'second'])(
    'let an abort during the step %s take effect only after the last of them',
    async (at) => {
      const dir = folder();
      expect(await abortedAt(dir, at)).toEqual({ end: { halt: 'aborted' }, log: ['before', 'first', 'second'] });
      expect(await performed(dir)).toEqual({ end: { output: ALL }, log: ['after'] });
    },
  );

  test('are not begun after an abort, and protect no step after them', async () => {
    const early = folder();
    expect(await abortedAt(early, 'before')).toEqual({ end: { halt: 'aborted' }, log: ['before'] });
    expect((await performed(early)).log).toEqual(ALL);
    const late = folder();
    expect(await abortedAt(late, 'after')).toEqual({ end: { halt: 'aborted' }, log: ALL });
    expect((await performed(late)).log).toEqual(['after']);
  });

  test('inside of others end with the outermost', async () => {
    const nested = async (run: Run<M>): Promise<readonly string[]> =>
      run.uninterrupted(async () => {
        const inner = await run.uninterrupted(() => make(run, 'first'));
        return [inner, await make(run, 'second')].map(({ made }) => made);
      });
    const dir = folder();
    expect(await abortedAt(dir, 'first', nested)).toEqual({ end: { halt: 'aborted' }, log: ['first', 'second'] });
    expect(await performed(dir, nested)).toEqual({ end: { output: ['first', 'second'] }, log: [] });
  });

  test('of which one waits for a person end the procedure as waiting, aborted or not', async () => {
    const [dir, stop] = [folder(), new AbortController()];
    const parking = performing((what) => {
      if (what !== 'first') return Promise.resolve({ made: what });
      stop.abort();
      return Promise.resolve({ parked: 'gate-1' });
    });
    expect(await go(dir, shielded, parking, quickIo(), { signal: stop.signal })).toEqual({ parked: 'gate-1' });
    expect((await performed(dir)).log).toEqual(['first', 'second', 'after']);
  });

  test('are resumed after a crash at any durable call, with nothing done twice', async () => {
    const plain = dyingIo(0, 'before', undefined, quickIo());
    await go(folder(), shielded, makers(plain.io, new Map()), plain.io);
    expect(plain.calls.length).toBeGreaterThan(8);
    for (const mode of MODES)
      for (let at = 1; at <= plain.calls.length; at += 1) {
        const [dir, world] = [folder(), new Map<string, number>()];
        const dying = dyingIo(at, mode, undefined, quickIo());
        await expect(go(dir, shielded, makers(dying.io, world), dying.io)).rejects.toThrow();
        const end = await go(dir, shielded, makers(quickIo(), world));
        expect([end, [...world.values()]]).toEqual([{ output: ALL.map((what) => `${what}!`) }, [1, 1, 1, 1]]);
      }
  });
});

test('a procedure that is aborted before it begins performs nothing', async () => {
  const stop = new AbortController();
  stop.abort();
  const world = new Map<string, number>();
  expect(
    await go(folder(), procedureOf({ does: 'step' }), makers(quickIo(), world), quickIo(), { signal: stop.signal }),
  ).toEqual({
    halt: 'aborted',
  });
  expect(world.size).toBe(0);
});

test('a procedure leaves no listener behind, however it ends', async () => {
  const stop = new AbortController();
  const open = new Set<unknown>();
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
  const one = procedureOf({ does: 'step' });
  const answers: Answer[] = [{ made: 'x' }, { parked: 'g' }, { blocked: failure('agent-auth') }];
  for (const answer of answers)
    await go(
      folder(),
      one,
      performing(() => Promise.resolve(answer)),
      quickIo(),
      { signal: stop.signal },
    );
  await go(
    folder(),
    one,
    performing(() => Promise.reject(new Error('bug'))),
    quickIo(),
    { signal: stop.signal },
  ).catch(() => undefined);
  expect(open.size).toBe(0);
});

test('a journal broken in its middle blocks the procedure instead of repeating what it did', async () => {
  const dir = folder();
  const io = quickIo();
  await go(dir, procedureOf({ does: 'line', parts: [{ does: 'step' }, { does: 'step' }] }), makers(io, new Map()));
  const text = readFileSync(journalIn(dir), 'utf8');
  io.replace(journalIn(dir), text.replace('one', 'two'));
  expect(await go(dir, procedureOf({ does: 'step' }), makers(io, new Map()))).toMatchObject({
    blocked: { reason: 'journal-broken' },
  });
});

test('steps that only read cost no write of their own, and are simply done again after a crash', async () => {
  const looking = (log: string[]) => ({
    ...performing((what) => Promise.resolve({ made: what })),
    make: {
      perform: ({ what }: { readonly what: string }) => {
        log.push(what);
        return Promise.resolve({ made: what });
      },
      probe: () => Promise.resolve({ found: 'nothing' as const }),
      isRepeatable: true as const,
    },
  });
  const three = async (run: Run<M>): Promise<readonly object[]> => [
    await run.do('a', { kind: 'make', what: 'a' }),
    await run.do('b', { kind: 'make', what: 'b' }),
    await run.do('c', { kind: 'make', what: 'c' }),
  ];
  const [dir, log] = [folder(), [] as string[]];
  const counting = dyingIo(0, 'before', undefined, quickIo());
  const first = await go(dir, three, looking(log), counting.io);
  expect(counting.calls.length).toBe(1);
  expect(await go(dir, three, looking(log))).toEqual(first);
  expect(log).toEqual(['a', 'b', 'c']);
  const cut = folder();
  const dying = dyingIo(1, 'torn', undefined, quickIo());
  await expect(go(cut, three, looking(log), dying.io)).rejects.toThrow();
  expect(await go(cut, three, looking(log))).toEqual(first);
});
