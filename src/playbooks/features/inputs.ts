// What surveys, briefs and edits of this playbook take as input, with defaults: JSON that a machine hands in.
import { z } from 'zod';
import { problemInput } from '../session/last.ts';

const id = z.union([z.string(), z.number()]).transform(String);
const paths = {
  backlog: z.string().default('features.json'),
  progress: z.string().default('claude-progress.txt'),
};
const sizeRules = { maxSteps: z.number().default(7), requireTestFile: z.boolean().default(true) };

/** `before`: the checkpoint's ref. */
export const claimInput = z.object({ backlog: paths.backlog, before: z.string(), item: id });

/** `init`, `reset`: commands as configured; only those that name a file are looked for. null: none wanted. */
export const harnessFilesInput = z.object({
  ...paths,
  config: z.string().nullable().default(null),
  init: z.string().nullable().default(null),
  reset: z.string().nullable().default(null),
});

export const initialisedInput = z.object({
  ...paths,
  ...sizeRules,
  stateDir: z.string().default('.harness'),
  init: z.string().nullable().default('./init.sh'),
  reset: z.string().nullable().default('./reset.sh'),
  /** A lint command of the configuration counts as a lint configuration. */
  lintCommand: z.string().nullable().default(null),
});

const commands = z
  .object({
    init: z.string().nullable().default(null),
    reset: z.string().nullable().default(null),
    /** With `{test_file}`. */
    feature: z.string().nullable().default(null),
    full: z.string().nullable().default(null),
    sanity: z.array(z.string()).default([]),
  })
  .prefault({});

export const orientationInput = z.object({
  ...paths,
  item: id,
  session: z.number(),
  project: z.string().default(''),
  /** One line about the state of checks: "12 tests passing, lint clean". */
  health: z.string().nullable().default(null),
  /** How the session before ended; null: the progress log is asked. */
  last: z
    .object({ session: z.number(), status: z.string(), reason: z.string().nullable().default(null) })
    .nullable()
    .default(null),
  /** What was wrong with the last attempt at this item. */
  failed: z.array(problemInput).default([]),
  /** Red before the session began: mended first. */
  first: z.array(problemInput).default([]),
  /** Set for a continuation. `base`: the checkpoint before the partial work, for the list of unfinished files. */
  partial: z
    .object({
      session: z.number(),
      reason: z.string().default('context_limit'),
      base: z.string().nullable().default(null),
    })
    .nullable()
    .default(null),
  commands,
});
export type OrientationInput = z.output<typeof orientationInput>;

export const cleanupInput = z.object({
  session: z.number(),
  largeFiles: z.array(z.object({ path: z.string(), lines: z.number() })).default([]),
  growingFiles: z.array(z.object({ path: z.string(), lines: z.number(), sessions: z.number() })).default([]),
  maxFileLines: z.number().default(500),
  /** `tail`: the end of the lint command's output. */
  lint: z
    .object({ count: z.number().nullable().default(null), tail: z.string() })
    .nullable()
    .default(null),
  failed: z.array(problemInput).default([]),
  commands,
});

/** The specification: its text, or a path inside the repository to read it from. */
export const initializerInput = z.object({
  project: z.string().default(''),
  spec: z.object({ path: z.string().nullable().default(null), text: z.string().nullable().default(null) }),
  maxSteps: sizeRules.maxSteps,
  commands,
});

const entry = z
  .object({
    did: z.array(z.string()).default([]),
    verification: z.string().default(''),
    decisions: z.array(z.string()).default([]),
    /** Facts of the harness: they stand in the entry also where the agent wrote it. */
    state: z.array(z.string()).default([]),
    /** '': worked out from features.json. */
    next: z.string().default(''),
  })
  .prefault({});

/** `base`: the revision whose files the harness's own changes are made to (checkpoint ref or HEAD). */
export const entryInput = z.object({
  ...paths,
  project: z.string().default(''),
  item: id.nullable().default(null),
  session: z.number(),
  at: z.string(),
  base: z.string(),
  entry,
});
export const acceptInput = entryInput.extend({ item: id });

export const initEditInput = z.object({
  progress: paths.progress,
  backlog: paths.backlog,
  project: z.string().default(''),
  stateDir: z.string().default('.harness'),
  at: z.string(),
});

const at = z.string().optional();
/** `base` null: the file in the work tree. */
export const flagInput = z.object({
  backlog: paths.backlog,
  base: z.string().nullable().default(null),
  item: id,
  change: z.discriminatedUnion('type', [
    z.object({ type: z.literal('landed'), at }),
    z.object({ type: z.literal('failing'), why: z.string() }),
    z.object({ type: z.literal('skipped'), reason: z.string(), unblock: z.boolean(), at }),
    z.object({
      type: z.literal('overridden'),
      passes: z.boolean(),
      reason: z.string(),
      by: z.string(),
      at: z.string(),
    }),
    z.object({ type: z.literal('size-accepted') }),
  ]),
});
