// A machine whose wishes a test sets, driven over real files: for tests of the driver's flights, stops and memories.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { drive, type DriveEnd } from '../../src/engine/driver.ts';
import { openJournal } from '../../src/engine/journal.ts';
import { createMessageQueue, type MessageQueue } from '../../src/engine/message-queue.ts';
import type { Line } from '../../src/engine/position.ts';
import type { ActionContext, Blocked, Evidence, Machine, Parked, Performers } from '../../src/engine/types.ts';
import type { Io } from '../../src/host/io.ts';
import { quickIo } from './quick-io.ts';
import { folders } from './signals.ts';

export type M = { work: readonly [{ readonly what: string }, { readonly made: string }] };
export type File = { readonly log: readonly string[] };
type At = { readonly stage: 'on'; readonly wants: readonly string[] } | { readonly stage: 'end' };
export type Does = (what: string, context: ActionContext) => Promise<{ made: string } | Parked | Blocked>;
/** What the machine wants after this outcome or message; null: it has ended. */
export type Next = (log: readonly string[]) => readonly string[] | null;

export const folder = folders('harness-told-');
const journalIn = (dir: string): string => join(dir, 'journal.jsonl');
const at = (wants: readonly string[] | null): At => (wants === null ? { stage: 'end' } : { stage: 'on', wants });

/** A machine that writes down what it hears and wants what the test says. */
const machineOf = (next: Next): Machine<File, At, object, M> => ({
  name: 'told',
  version: 1,
  file: z.object({ log: z.array(z.string()) }),
  position: z.object({
    at: z.union([
      z.object({ stage: z.literal('on'), wants: z.array(z.string()) }),
      z.object({ stage: z.literal('end') }),
    ]),
    mem: z.object({}),
  }),
  place: (file) => ({ at: at(next(file.log)), mem: {} }),
  on(s, event) {
    if (event.type === 'pause') return heard(s, 'pause', next);
    return event.type === 'message' ? heard(s, event.id, next) : s;
  },
  stages: {
    on: {
      wants: (s) => s.at.wants.map((what) => ({ kind: 'work', key: what, what })),
      apply: (s, done) => heard(s, done.kind === 'work' ? done.outcome.made : '', next),
    },
    end: { wants: () => ({ verdict: 'done', reason: 'end' }), apply: (s) => s },
  },
});
const heard = <S extends { readonly file: File }>(s: S, word: string, next: Next) => {
  const log = [...s.file.log, word];
  return { ...s, file: { log }, at: at(next(log)) };
};

type Setting = {
  readonly dir?: string;
  readonly io?: Io;
  readonly messages?: MessageQueue;
  readonly signal?: AbortSignal;
  readonly limit?: number;
  readonly probe?: (what: string) => Promise<Evidence<{ made: string }>>;
  readonly settled?: (what: string, token: string) => void;
};
export function life(next: Next, does: Does, told: Setting = {}): Promise<DriveEnd<unknown>> {
  const dir = told.dir ?? folder();
  const performers: Performers<M> = {
    work: {
      perform: (action, context) => does(action.what, context),
      probe: (action) => told.probe?.(action.what) ?? Promise.resolve({ found: 'nothing' }),
      settled: (action, { token }) => told.settled?.(action.what, token),
    },
  };
  return drive(machineOf(next), () => ({ log: [] }), {
    io: told.io ?? quickIo(),
    clock: { now: () => 0, iso: () => '2026-01-01T00:00:00.000Z' },
    performers,
    journal: journalIn(dir),
    file: join(dir, 'state.json'),
    base: 'life',
    messages: told.messages ?? createMessageQueue(),
    signal: told.signal ?? new AbortController().signal,
    limit: told.limit ?? 4,
  });
}
export const logOf = (dir: string): readonly string[] =>
  (JSON.parse(readFileSync(join(dir, 'state.json'), 'utf8')) as File).log;
export const linesOf = (dir: string): readonly Line[] => {
  const journal = openJournal<Line>(journalIn(dir), quickIo());
  return journal.ok ? journal.value.lines : [];
};
export const over: Next = (log) => (log.includes('end') ? null : ['end']);
