// The part of an executor's prompt that changes from session to session. The stable part is prompts/tasks/executor.md.
import { z } from 'zod';
import { defineBrief } from '../../engine/definitions.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import { listOf } from '../session/surveys.ts';
import { sanityChecks } from '../session/checks.ts';
import { notesOf, workInProgress } from '../session/brief-parts.ts';
import { plain, problemLines, quote, commandText, joined, section } from '../session/quote.ts';
import { taskFacts, type TaskFacts } from './facts.ts';

const briefInput = z.object({
  item: z.string(),
  title: z.string(),
  validation: taskFacts.shape.proof,
  attempt: z.number(),
  maxAttempts: z.number(),
  errorLog: taskFacts.shape.task.shape.errorLog,
  checkpoints: taskFacts.shape.task.shape.checkpoints,
  partial: taskFacts.shape.partial,
  /** What failed before the session: it is fixed first. */
  first: problemsSchema,
});

export const briefOf = ({
  facts,
  firstTask,
}: {
  readonly facts: TaskFacts;
  readonly firstTask: readonly Problem[];
}): z.output<typeof briefInput> => ({
  item: facts.id,
  title: facts.title,
  ...(facts.proof ? { validation: facts.proof } : {}),
  attempt: facts.attempt,
  maxAttempts: facts.task.maxAttempts,
  errorLog: facts.task.errorLog.slice(-5),
  checkpoints: facts.task.checkpoints.slice(-20),
  partial: facts.partial,
  first: firstTask,
});

export const executor = defineBrief({
  id: 'tasks.executor',
  input: briefInput,
  async text(context, input) {
    const { view, config } = context;
    const list = await listOf(context);
    const subject = list.ok ? list.value.subject(input.item) : null;
    const { partial, validation } = input;
    const { environment, testing } = config;
    return joined([
      `## Task ${plain(input.item, 30)}\n\n${quote(input.title, 400)}`,
      notesOf(subject ?? {}),
      `**Attempt:** ${input.attempt} of ${input.maxAttempts}`,
      validation === undefined
        ? '**Validation:** none is configured: a person will look at your work.'
        : `**Validation** (at most ${Math.ceil(validation.timeoutMs / 1000)} seconds): ${commandText(validation.command)}`,
      section(
        '## What Went Wrong Before',
        input.errorLog.map((line) => `- ${quote(line, 150)}`),
      ),
      section(
        '## Steps Done So Far',
        input.checkpoints.map(({ step, total, description }) => `- ${step}/${total} ${quote(description, 60)}`),
      ),
      await workInProgress(view, partial),
      section('## Fix This First', problemLines(input.first, { ...context, tokens: 120 })),
      section('## Commands', [
        ...(environment.init === null ? [] : [`- Start the environment: ${commandText(environment.init)}`]),
        ...sanityChecks(config).map(({ command }) => `- Sanity check: ${commandText(command)}`),
        ...(testing.full === null ? [] : [`- Whole suite: ${commandText(testing.full)}`]),
      ]),
    ]);
  },
});
