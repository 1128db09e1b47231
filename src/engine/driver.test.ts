// The driver on a small machine: every crash point of a whole life, parallel actions, gates, pauses, edits by a person.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { dyingIo, MODES } from '../../test/crash/dying-io.ts';
import { quickIo } from '../../test/support/quick-io.ts';
import { realIo, type Io } from '../host/io.ts';
import { drive, type DriveEnd } from './driver.ts';
import { createMessageQueue, type MessageQueue } from './message-queue.ts';
import { forgetProcedure, runProcedure } from './procedure.ts';
import type { Machine, MachinePhase, Performers, Run } from './types.ts';

type M = {
  bake: readonly [{ readonly what: string }, { readonly made: string }];
  ask: readonly [{ readonly question: string }, { readonly option: string }];
  recipe: readonly [{ readonly steps: number }, { readonly total: number }];
};
type File = { readonly made: readonly string[]; readonly note: string };
type At =
  | { readonly stage: 'both'; readonly left: boolean; readonly right: boolean }
  | { readonly stage: 'recipe' }
  | { readonly stage: 'ask' }
  | { readonly stage: 'end'; readonly why: string };
const add = (file: File, what: string): File => ({ ...file, made: [...file.made, what].sort() });

const machine: Machine<File, At, { readonly paused: boolean }, M> = {
  name: 'kitchen',
  version: 1,
  file: z.object({ made: z.array(z.string()), note: z.string() }),
  position: z.object({
    at: z.discriminatedUnion('stage', [
      z.object({ stage: z.literal('both'), left: z.boolean(), right: z.boolean() }),
      z.object({ stage: z.literal('recipe') }),
      z.object({ stage: z.literal('ask') }),
      z.object({ stage: z.literal('end'), why: z.string() }),
    ]),
    mem: z.object({ paused: z.boolean() }),
  }),
  place: (file) => ({
    at: file.made.includes('bread') ? { stage: 'recipe' } : { stage: 'both', left: false, right: false },
    mem: { paused: false },
  }),
  on: (s, e) => (e.type === 'pause' ? { ...s, at: { stage: 'end', why: 'paused' } } : s),
  edited: (mine, theirs) => ({ ...mine, file: { ...mine.file, note: theirs.note } }),
  stages: {
    both: {
      wants: (s) => [
        ...(s.at.left ? [] : [{ kind: 'bake', key: 'bread', what: 'bread' } as const]),
        ...(s.at.right ? [] : [{ kind: 'bake', key: 'cake', what: 'cake' } as const]),
      ],
      apply(s, done) {
        if (done.kind !== 'bake') return s;
        const at = { ...s.at, left: s.at.left || done.key === 'bread', right: s.at.right || done.key === 'cake' };
        const file = add(s.file, done.outcome.made);
        return { ...s, file, at: at.left && at.right ? { stage: 'recipe' } : at };
      },
    },
    recipe: {
      wants: () => [{ kind: 'recipe', key: 'recipe', steps: 3 }],
      apply: (s, done) =>
        done.kind === 'recipe' ? { ...s, file: add(s.file, `menu of ${done.outcome.total}`), at: { stage: 'ask' } } : s,
    },
    ask: {
      wants: () => [{ kind: 'ask', key: 'serve', question: 'serve?' }],
      apply: (s, done) => (done.kind === 'ask' ? { ...s, at: { stage: 'end', why: done.outcome.option } } : s),
    },
    end: { wants: (s) => ({ verdict: 'done', reason: s.at.why }), apply: (s) => s },
  },
};

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((f) => rmSync(f, { recursive: true, force: true })));
const kitchen = () => {
  const dir = mkdtempSync(join(tmpdir(), 'harness-engine-'));
  folders.push(dir);
  return dir;
};

/** The world outside: what was really done, by token, and whether a person has answered. */
type World = { readonly done: Map<string, number>; answer: string | null };

function performers(io: Io, dir: string, world: World): Performers<M> {
  const bake = async (what: string, token: string): Promise<{ made: string }> => {
    await io.effect(`bake ${what}`, async () => {
      if (!world.done.has(token)) world.done.set(token, 0);
      world.done.set(token, (world.done.get(token) ?? 0) + 1);
    });
    return { made: what };
  };
  const all: Performers<M> = {
    bake: {
      perform: (a, c) => bake(a.what, c.token),
      probe: async (a, c) =>
        world.done.has(c.token) ? { found: 'outcome', outcome: { made: a.what } } : { found: 'nothing' },
    },
    ask: {
      perform: async () => (world.answer === null ? { parked: 'g-1' } : { option: world.answer }),
      probe: async () => ({ found: 'nothing' }),
    },
    recipe: {
      async perform(a, context) {
        const journal = join(dir, 'recipe.jsonl');
        const recipe = async (run: Run<M>, steps: number): Promise<number> => {
          for (let n = 1; n <= steps; n += 1)
            await run.scope(`step-${n}`).do('bake', { kind: 'bake', what: `course ${n}` });
          const sides = await run
            .scope('sides')
            .all(['salad', 'soup'].map((what) => () => run.do(what, { kind: 'bake', what })));
          return steps + sides.length;
        };
        const end = await runProcedure(recipe, a.steps, { io, journal, performers: all, context, identity: 'v1' });
        return 'output' in end ? { total: end.output } : 'halt' in end ? { parked: end.halt } : end;
      },
      probe: async () => ({ found: 'nothing' }),
      settled: () => forgetProcedure(io, join(dir, 'recipe.jsonl')),
    },
  };
  return all;
}

function life(
  dir: string,
  io: Io,
  world: World,
  more: {
    messages?: MessageQueue;
    signal?: AbortSignal;
    machine?: typeof machine;
    inPhase?: (phase: MachinePhase) => void;
  } = {},
): Promise<DriveEnd<unknown>> {
  return drive(more.machine ?? machine, () => ({ made: [], note: '' }), {
    io,
    clock: { now: () => 0, iso: () => '2026-01-01T00:00:00.000Z' },
    performers: performers(io, dir, world),
    journal: join(dir, 'journal.jsonl'),
    file: join(dir, 'state.json'),
    base: 'life',
    messages: more.messages ?? createMessageQueue(),
    signal: more.signal ?? new AbortController().signal,
    limit: 8,
    ...(more.inPhase === undefined ? {} : { inPhase: more.inPhase }),
  });
}
const fileOf = (dir: string): File => JSON.parse(readFileSync(join(dir, 'state.json'), 'utf8'));
const EXPECTED = ['bread', 'cake', 'menu of 5'];

describe('a run without crashes', () => {
  test('performs every action once and waits at the gate without running anything', async () => {
    const [dir, world] = [kitchen(), { done: new Map<string, number>(), answer: null as string | null }];
    expect(await life(dir, realIo(), world)).toMatchObject({ end: 'waiting', on: ['g-1'] });
    expect(fileOf(dir).made).toEqual(EXPECTED);
    expect([...world.done.values()]).toEqual(Array.from({ length: 7 }, () => 1));
    world.answer = 'serve';
    expect(await life(dir, realIo(), world)).toMatchObject({ end: 'verdict', reason: 'serve' });
    expect(world.done.size).toBe(7);
  });
});

test('a phase is named before anything of it begins, also by the process that continues it, and not once it is over', async () => {
  const [dir, world] = [kitchen(), { done: new Map<string, number>(), answer: null as string | null }];
  const phased: typeof machine = {
    ...machine,
    phase: ({ at }) => (at.stage === 'end' || at.stage === 'both' ? null : { name: at.stage, round: 1 }),
  };
  const seen: string[] = [];
  const inPhase = ({ name, round }: MachinePhase) => void seen.push(`${name} ${round} after ${world.done.size}`);
  await life(dir, realIo(), world, { machine: phased, inPhase });
  expect([...new Set(seen)]).toEqual(['recipe 1 after 2', 'ask 1 after 7']);
  seen.length = 0;
  world.answer = 'serve';
  await life(dir, realIo(), world, { machine: phased, inPhase });
  expect([...new Set(seen)]).toEqual(['ask 1 after 7']);
});

describe('the intent of the next action', () => {
  const plan = {
    ...machine,
    place: () => ({ at: { stage: 'both', left: true, right: false }, mem: { paused: false } }),
  };

  test('is written with the outcome that leads to it: one write between two actions', async () => {
    const [dir, world] = [kitchen(), { done: new Map<string, number>(), answer: 'serve' }];
    const counting = dyingIo(0, 'before', undefined, quickIo());
    await life(dir, counting.io, world, { machine: plan as typeof machine });
    // The place, the first intent, an outcome with the intent after it, twice, and the last outcome.
    expect(counting.calls.filter((call) => /append .*journal\.jsonl/.test(call))).toHaveLength(5);
  });

  test('is given up if a message that comes first wants something else', async () => {
    const [dir, world, messages] = [
      kitchen(),
      { done: new Map<string, number>(), answer: 'serve' },
      createMessageQueue(),
    ];
    const io: Io = {
      ...realIo(),
      append(path, text) {
        realIo().append(path, text);
        if (String(text).includes('recipe') && path.endsWith('journal.jsonl')) messages.post({ type: 'pause' });
      },
    };
    const end = await life(dir, io, world, { messages, machine: plan as typeof machine });
    expect(end).toMatchObject({ end: 'verdict', reason: 'paused' });
    expect([...world.done.keys()].filter((token) => token.includes('step-'))).toEqual([]);
    expect(readFileSync(join(dir, 'journal.jsonl'), 'utf8')).toContain('no longer wanted');
  });
});

describe('a crash', () => {
  test('at any durable write, before, torn or after, ends in the same state with nothing done twice', async () => {
    const plain = dyingIo(0, 'before', undefined, quickIo());
    await life(kitchen(), plain.io, { done: new Map(), answer: 'serve' });
    const points = plain.calls.length;
    expect(points).toBeGreaterThanOrEqual(25);
    for (let at = 1; at <= points; at += 1)
      for (const mode of MODES) {
        const [dir, world] = [kitchen(), { done: new Map<string, number>(), answer: 'serve' }];
        const dying = dyingIo(at, mode, undefined, quickIo());
        await life(dir, dying.io, world).catch((error: unknown) => expect(String(error)).toContain('Death'));
        const where = `${mode} #${at} ${dying.calls[at - 1] ?? ''}`;
        const end = await life(dir, quickIo(), world);
        expect(end, where).toMatchObject({ end: 'verdict', reason: 'serve' });
        expect(fileOf(dir).made, where).toEqual(EXPECTED);
        expect(Math.max(...world.done.values()), where).toBe(1);
        expect(world.done.size, where).toBe(7);
        expect(existsSync(join(dir, 'recipe.jsonl')), where).toBe(false);
      }
  }, 120_000);
});

test('a file that an action leaves damaged is written again, if it may not be edited during a run', async () => {
  const [dir, world] = [kitchen(), { done: new Map<string, number>(), answer: 'serve' }];
  const { edited: _, ...deaf } = machine;
  const io: Io = {
    ...realIo(),
    async effect(_name, run) {
      const done = await run();
      writeFileSync(join(dir, 'state.json'), '{"made": ');
      return done;
    },
  };
  expect(await life(dir, io, world, { machine: deaf })).toMatchObject({ end: 'verdict', reason: 'serve' });
  expect(fileOf(dir).made).toEqual(EXPECTED);
});

describe('a person', () => {
  test('who edits the file between two runs is respected: the machine is placed by the file', async () => {
    const [dir, world] = [kitchen(), { done: new Map<string, number>(), answer: null }];
    writeFileSync(join(dir, 'state.json'), JSON.stringify({ made: ['bread'], note: 'mine' }));
    await life(dir, realIo(), world);
    expect(fileOf(dir)).toEqual({ made: ['bread', 'menu of 5'], note: 'mine' });
  });

  test('whose file does not parse gets the place of the error, and nothing is performed', async () => {
    const [dir, world] = [kitchen(), { done: new Map<string, number>(), answer: null }];
    writeFileSync(join(dir, 'state.json'), '{"made": "x"}');
    expect(await life(dir, realIo(), world)).toMatchObject({ end: 'blocked', failure: { reason: 'state-unreadable' } });
    expect(world.done.size).toBe(0);
  });

  test('who pauses ends what is no longer wanted', async () => {
    const [dir, world, messages] = [kitchen(), { done: new Map<string, number>(), answer: null }, createMessageQueue()];
    messages.post({ type: 'pause' });
    expect(await life(dir, realIo(), world, { messages })).toMatchObject({ end: 'verdict', reason: 'paused' });
  });

  test('who stops now leaves the intents open for a later run', async () => {
    const [dir, world] = [kitchen(), { done: new Map<string, number>(), answer: 'serve' }];
    const stop = new AbortController();
    stop.abort();
    expect(await life(dir, realIo(), world, { signal: stop.signal })).toMatchObject({ end: 'stopped' });
    expect(await life(dir, realIo(), world)).toMatchObject({ reason: 'serve' });
  });
});

test('a journal broken in its middle is refused, not skipped', async () => {
  const [dir, world] = [kitchen(), { done: new Map<string, number>(), answer: 'serve' }];
  await life(dir, realIo(), world);
  const path = join(dir, 'journal.jsonl');
  const rows = readFileSync(path, 'utf8').split('\n');
  rows[1] = rows[1]!.replace('bread', 'stone');
  writeFileSync(path, rows.join('\n'));
  expect(await life(dir, realIo(), world)).toMatchObject({
    end: 'blocked',
    failure: { reason: 'journal-broken', params: { line: 2 } },
  });
});
