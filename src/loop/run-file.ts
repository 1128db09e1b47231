// The file of a run (`loop.json`), what the loop counts of it, and where it finds the backlog. Data only.
import { z } from 'zod';
import { listEditSchema } from '../engine/list-edits.ts';
import type { WaitingItem } from '../model/waiting-item.ts';
import { apartSchema, type Apart } from '../model/expected-files.ts';
import { failureSchema } from '../model/failure.ts';
import { NewerSchema } from '../model/own-files.ts';

/** A change of the list, applied by itself. `id` is the message's: the same message twice is one change. */
export const listChangeSchema = z.object({
  id: z.string(),
  subject: z.string(),
  edit: listEditSchema,
  item: z.string().nullable(),
});
export type ListChange = z.output<typeof listChangeSchema>;

/**
 * Items under way. `lane`: 0 is the work tree of the run, others have one of their own (lanes.ts). `gate`: its session has ended and it waits
 * for an answer, with its work in the work tree. `resumes`: the token that it continues with. `n`: of the position in which it began.
 */
const underWay = z.object({
  item: z.string(),
  lane: z.number(),
  session: z.number(),
  n: z.number().optional(),
  gate: z.string().optional(),
  resumes: z.string().optional(),
});
const running = z.array(underWay).readonly();
/** Items that wait for an answer with their work on a ref of its own (src/repos/parked.ts). */
const parked = z
  .array(
    z.object({
      item: z.string(),
      lane: z.number().default(0),
      session: z.number(),
      gate: z.string(),
      resumes: z.string(),
    }),
  )
  .readonly()
  .default([]);
/** Changes that users asked for, applied before the next item is chosen. */
const pending = z.array(listChangeSchema).readonly().default([]);
/** Of this run: sessions that ended, items that landed, items that were skipped instead of being worked on, sessions that wait for an answer. */
const counts = z.object({
  sessions: z.number(),
  landed: z.number(),
  skipped: z.number(),
  waiting: z.number().default(0),
});

/** Schema 1 held the whole report of every item, and grew with the run. */
const schema1 = z
  .looseObject({
    schema: z.literal(1),
    run: z.string(),
    running,
    reports: z.array(z.looseObject({ result: z.string() })),
    pending,
  })
  .transform(({ reports, ...file }) => ({
    ...file,
    schema: 2 as const,
    parked: [],
    last: 0,
    counts: {
      sessions: reports.filter(({ result }) => result !== 'skipped').length,
      landed: reports.filter(({ result }) => result === 'landed').length,
      skipped: reports.filter(({ result }) => result === 'skipped').length,
      waiting: 0,
    },
  }));
/**
 * The highest number of a session that ended. The machine's own file has it too, but an item that waited brings back the file of its time.
 */
const last = z.number().default(0);
/** With several lanes: items that others landed before, in conflict with them. They are next, one at a time, and land before others. */
const overtaken = z.array(z.string()).readonly().optional();
/** Of this run: items with a trouble of their own (aside.ts). They are not chosen again. */
const asideItem = z.object({ item: z.string(), reason: z.string(), failure: failureSchema.nullable() });
export type AsideItem = z.output<typeof asideItem>;
const aside = z.array(asideItem).readonly().optional();
/** Items that could start and wait for one at work, as both are expected to change the same file: as the next item was chosen last. */
const apart = z.array(apartSchema).readonly().optional();
/** Fields that it does not name are kept. */
const schema2 = z.looseObject({
  schema: z.literal(2),
  run: z.string(),
  running,
  parked,
  counts,
  pending,
  last,
  overtaken,
  aside,
  apart,
});
const SCHEMA = 2;
const anySchema = z.discriminatedUnion('schema', [schema2, schema1]);
const numbered = z.looseObject({ schema: z.int() });
/** Throws `NewerSchema` for the file of a newer version. */
export const loopFile = {
  parse(value: unknown): LoopFile {
    const { data } = numbered.safeParse(value);
    if (data !== undefined && data.schema > SCHEMA) throw new NewerSchema(data.schema, SCHEMA);
    return anySchema.parse(value);
  },
};
export type LoopFile = z.output<typeof schema2>;

/** Only the items under way: their sessions must be found in a file of any version. */
export const runningItems = z.looseObject({ running: running.default([]), parked });

export type UnderWay = z.output<typeof underWay>;
/** Items that an agent or a check is at work on. */
export const atWork = ({ running }: Pick<LoopFile, 'running'>): readonly UnderWay[] =>
  running.filter(({ gate }) => gate === undefined);
/** Items that wait for an answer in the work tree of their lane. */
export const waitingHere = ({ running }: Pick<LoopFile, 'running'>): readonly WaitingItem[] =>
  running.flatMap(({ item, lane, session, gate, resumes = '' }) =>
    gate === undefined ? [] : [{ item, lane, session, gate, resumes }],
  );
/** Every item that waits for an answer, those in a work tree first. */
export const waitingItems = (file: Pick<LoopFile, 'running' | 'parked'>): readonly WaitingItem[] => [
  ...waitingHere(file),
  ...file.parked,
];

/** A person has changed this item in the list: it may be chosen again. */
export function notAside(file: LoopFile, item: string | null): LoopFile {
  const { aside = [], ...rest } = file;
  const left = aside.filter((one) => one.item !== item);
  return left.length === 0 ? rest : { ...rest, aside: left };
}

export const NOTHING_COUNTED = { sessions: 0, landed: 0, skipped: 0, waiting: 0 } as const;
export const emptyLoop = (run: string): LoopFile => ({
  schema: 2,
  run,
  running: [],
  parked: [],
  last: 0,
  counts: NOTHING_COUNTED,
  pending: [],
});

/** Where the loop writes changes of the backlog, repository-relative. `isOwn`: no commit carries it. */
export type BacklogPath = { readonly backlog: string; readonly isOwn: boolean };

/** The file is the same object where nothing of it changes. */
export function withApart(file: LoopFile, found: readonly Apart[] = []): LoopFile {
  const { apart: known = [], ...rest } = file;
  if (known.length === 0 && found.length === 0) return file;
  return found.length === 0 ? rest : { ...rest, apart: found };
}
