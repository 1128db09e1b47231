// The file of a run (`loop.json`), what the loop counts of it, and where it finds the backlog. Data only.
import { z } from 'zod';
import { listEditSchema } from '../engine/list-edits.ts';

/** A change of the list, applied by itself. `id` is the message's: the same message twice is one change. */
export const listChangeSchema = z.object({
  id: z.string(),
  subject: z.string(),
  edit: listEditSchema,
  item: z.string().nullable(),
});
export type ListChange = z.output<typeof listChangeSchema>;

const running = z.array(z.object({ item: z.string(), lane: z.number(), session: z.number() })).readonly();
/** Changes that users asked for, applied before the next item is chosen. */
const pending = z.array(listChangeSchema).readonly().default([]);
/** Of this run: sessions that ended, items that landed, items that were skipped instead of being worked on. */
const counts = z.object({ sessions: z.number(), landed: z.number(), skipped: z.number() });

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
    counts: {
      sessions: reports.filter(({ result }) => result !== 'skipped').length,
      landed: reports.filter(({ result }) => result === 'landed').length,
      skipped: reports.filter(({ result }) => result === 'skipped').length,
    },
  }));
/** Fields that it does not name are kept. */
const schema2 = z.looseObject({ schema: z.literal(2), run: z.string(), running, counts, pending });
export const loopFile = z.discriminatedUnion('schema', [schema2, schema1]);
export type LoopFile = z.output<typeof schema2>;

/** Only the items under way: their sessions must be found in a file of any version. */
export const runningItems = z.looseObject({ running: running.default([]) });

export const NOTHING_COUNTED = { sessions: 0, landed: 0, skipped: 0 } as const;
export const emptyLoop = (run: string): LoopFile => ({
  schema: 2,
  run,
  running: [],
  counts: NOTHING_COUNTED,
  pending: [],
});

/** Where the loop writes changes of the backlog, repository-relative. `isOwn`: no commit carries it. */
export type BacklogPath = { readonly backlog: string; readonly isOwn: boolean };
