// The part of an executor's prompt that changes from session to session. The stable part is prompts/tasks/executor.md.
import { z } from 'zod';
import type { Brief } from '../../engine/playbook.ts';
import type { Config } from '../../model/config.ts';
import type { Json } from '../../model/json.ts';
import type { Problem } from '../../model/verdict.ts';
import { sanityChecks } from '../session/checks.ts';
import { problemInput } from '../session/last.ts';
import { code, plain, problemLine, quote } from '../session/quote.ts';
import { commandText, joined, section } from '../session/sections.ts';
import type { TaskFacts } from './facts.ts';

const shape = z.object({
  item: z.string(),
  title: z.string(),
  validation: z.object({ command: z.string(), timeoutMs: z.number() }).nullable(),
  attempt: z.number(),
  maxAttempts: z.number(),
  errorLog: z.array(z.string()),
  checkpoints: z.array(z.object({ step: z.number(), total: z.number(), description: z.string() })),
  /** Commit below work in progress that this session goes on with; null: it begins from nothing. */
  partial: z.object({ base: z.string().nullable(), reason: z.string() }).nullable(),
  first: z.array(problemInput),
  commands: z.object({ init: z.string().nullable(), full: z.string().nullable(), sanity: z.array(z.string()) }),
});

export function briefOf(
  { facts, firstTask }: { readonly facts: TaskFacts; readonly firstTask: readonly Problem[] },
  config: Config,
): Json {
  const { errorLog, checkpoints, maxAttempts } = facts.task;
  const input: z.input<typeof shape> = {
    item: facts.id,
    title: facts.title,
    validation: facts.proof ?? null,
    attempt: facts.attempt,
    maxAttempts,
    errorLog: errorLog.slice(-5),
    checkpoints: checkpoints.slice(-20).map(({ step, total, description }) => ({ step, total, description })),
    partial: facts.partial === null ? null : { base: facts.partial.base, reason: facts.partial.reason },
    first: firstTask.map((problem) => ({ ...problem, ids: [...(problem.ids ?? [])] })),
    commands: {
      init: config.environment.init,
      full: config.testing.full,
      sanity: sanityChecks(config).map(({ command }) => command),
    },
  };
  return input;
}

/** Of a list of changed files. */
const MOST_FILES = 30;

const executor: Brief = async (world, given) => {
  const input = shape.parse(given);
  const { partial, validation, commands } = input;
  const files = partial?.base ? await world.changedSince(partial.base) : [];
  return joined([
    `## Task ${plain(input.item, 30)}\n\n${quote(input.title, 400)}`,
    `**Attempt:** ${input.attempt} of ${input.maxAttempts}`,
    validation === null
      ? '**Validation:** none is configured: a person will look at what you did.'
      : `**Validation** (at most ${Math.ceil(validation.timeoutMs / 1000)} seconds): ${commandText(validation.command)}`,
    section(
      '## What Went Wrong Before',
      input.errorLog.map((line) => `- ${quote(line, 150)}`),
    ),
    section(
      '## Steps Done So Far',
      input.checkpoints.map(({ step, total, description }) => `- ${step}/${total} ${quote(description, 60)}`),
    ),
    partial === null
      ? ''
      : section(`## Work In Progress (the last session ended: ${plain(partial.reason, 20)})`, [
          'It lies in the work tree as the last session left it. Go on from there; do not begin anew.',
          ...files.slice(0, MOST_FILES).map((path) => `- ${code(path, 60)}`),
          ...(files.length > MOST_FILES ? [`- … ${files.length - MOST_FILES} more`] : []),
        ]),
    section(
      '## Mend This First',
      input.first.map(({ ids, ...problem }) => problemLine(ids === undefined ? problem : { ...problem, ids }, 120)),
    ),
    section('## Commands', [
      ...(commands.init === null ? [] : [`- Start the environment: ${commandText(commands.init)}`]),
      ...commands.sanity.map((command) => `- Sanity check: ${commandText(command)}`),
      ...(commands.full === null ? [] : [`- Whole suite: ${commandText(commands.full)}`]),
    ]),
  ]);
};

export const briefs = { executor } as const satisfies { readonly [name: string]: Brief };
